import { parseArgs } from 'node:util';
import { type CountedRpc, startCountedRpc, type Traffic } from './feed/counted-rpc.ts';
import { measureFailovers } from './feed/failover.ts';
import { Fleet, type FleetGateway, type GatewayUsage, PATH, type TakeOver } from './feed/fleet.ts';
import { measurePositions } from './feed/positions.ts';
import { type Measured, printReport, verdictsOf } from './feed/report.ts';
import { startLocalnetProcess } from './localnet-process.ts';
import { buildAll } from './peers/built-code.ts';

/** 160 vaults and 360 reserves, as on mainnet. */
const SCALE = 5;
const PAUSE_BETWEEN_REQUESTS_MS = 100;
/** Leaves out a part of the bench. */
const NONE = 'none';
/** Cycles tried to find one without a change of reader. */
const MAX_CYCLES = 4;

/**
 * Cost of more gateways for the RPC and Redis, and their speed at starting and taking over. Chain, Redis and each gateway are
 * separate processes. Then the cost of the positions of all wallets, which a reader of a stream would have, for many followers.
 *
 *   npm run bench -- feed [--gateways 1,3,10] [--starts 3] [--kills 3] [--delay 25] [--mbit 100]
 *   npm run bench -- feed --sentinel [--gateways 3] [--kills 3]   a Redis that fails over, in place of the above
 *     [--positions 200000x300000] [--changes 250] [--slot 400] [--followers 1,10,100]
 *
 * `--gateways none` or `--positions none` leaves out a part.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      gateways: { type: 'string', default: '1,3,10' },
      /** Number of new starts of the first gateway. */
      starts: { type: 'string', default: '3' },
      kills: { type: 'string', default: '3' },
      /** Milliseconds that the RPC takes for any call, in addition to its work. */
      delay: { type: 'string', default: '25' },
      /** Bandwidth of the RPC. On one machine there would be no limit, as no provider offers. */
      mbit: { type: 'string', default: '100' },
      sentinel: { type: 'boolean', default: false },
      /** Obligations and share accounts. */
      positions: { type: 'string', default: '200000x300000' },
      /** Of these, accounts that change in each View. */
      changes: { type: 'string', default: '250' },
      /** Milliseconds between two Views with positions. */
      slot: { type: 'string', default: '400' },
      /** Followers of positions; two of them are gateways. */
      followers: { type: 'string', default: '1,10,100' },
    },
  });
  await buildAll();
  const chain = await startLocalnetProcess(SCALE);
  const rpc = await startCountedRpc(chain.url, {
    delayMs: Number(values.delay),
    megabitsPerSecond: Number(values.mbit),
  });
  try {
    if (values.sentinel) {
      const gateways = Number(values.gateways.split(',').at(-1));
      if (!(await measureFailovers(rpc, gateways, Number(values.kills)))) process.exitCode = 1;
      return;
    }
    const all: Measured[] = [];
    for (const gateways of values.gateways === NONE ? [] : values.gateways.split(',').map(Number)) {
      process.stderr.write(`${gateways} gateways\n`);
      all.push(await measure(rpc, { gateways, starts: Number(values.starts), kills: Number(values.kills) }));
    }
    if (values.positions !== NONE)
      await measurePositions(rpc, { ...values, followers: values.followers.split(',').map(Number) });
    if (all.length === 0) return;
    printReport(all);
    if (verdictsOf(all).some(({ isMet }) => !isMet)) process.exitCode = 1;
  } finally {
    await rpc.stop();
    chain.stop();
  }
}

interface Plan {
  readonly gateways: number;
  readonly starts: number;
  readonly kills: number;
}

async function measure(rpc: CountedRpc, { gateways, starts, kills }: Plan): Promise<Measured> {
  const readerStartsMs: number[] = [];
  for (let i = 1; i < starts; i += 1) readerStartsMs.push(await startAlone(rpc));
  const fleet = await Fleet.start(rpc);
  try {
    readerStartsMs.push((await fleet.add()).firstAnswerMs);
    while (fleet.gateways.length < gateways) await fleet.add();
    const followers = fleet.gateways.slice(1);
    const followerStartCalls = callsOf(rpc, followers);
    let cycle = await measureCycle(rpc, fleet);
    // On a busy machine the reader may lose its lease. The next one reads everything again.
    for (let i = 1; cycle.hasNewReader && i < MAX_CYCLES; i += 1) cycle = await measureCycle(rpc, fleet);
    const takeOvers: TakeOver[] = [];
    for (let i = 0; gateways > 1 && i < kills; i += 1) {
      takeOvers.push(await fleet.takeOver());
      await fleet.add();
    }
    return {
      ...cycle,
      gateways,
      readerStartsMs,
      followerStartsMs: followers.map(({ firstAnswerMs }) => firstAnswerMs),
      followerStartCalls,
      takeOvers,
    };
  } finally {
    await fleet.stop();
  }
}

/** Milliseconds to the first answer of a gateway that finds no other one. */
async function startAlone(rpc: CountedRpc): Promise<number> {
  const fleet = await Fleet.start(rpc);
  try {
    return (await fleet.add()).firstAnswerMs;
  } finally {
    await fleet.stop();
  }
}

/** From one discovery to the next, under light load. */
async function measureCycle(rpc: CountedRpc, fleet: Fleet) {
  const reader = await fleet.reader();
  const followers = fleet.gateways.filter((each) => each !== reader);
  const take = async () => ({
    at: performance.now(),
    origin: await reader.origin(),
    rpc: rpc.total(),
    followerCalls: callsOf(rpc, followers),
    redis: await fleet.redisUsage(),
    reader: await reader.usage(),
    followers: await Promise.all(followers.map((each) => each.usage())),
  });
  await rpc.nextCall('getProgramAccounts');
  const before = await take();
  const load = startLoad(fleet.balancer.url);
  // Discovery makes several calls at once, for which the first one may already stand.
  await settled();
  await rpc.nextCall('getProgramAccounts');
  const after = await take();
  const { answers, failures } = await load.stop();
  const grown = (of: (usage: GatewayUsage) => number) =>
    after.followers.map((usage, i) => of(usage) - of(before.followers[i] ?? usage));
  return {
    hasNewReader: before.origin !== after.origin,
    seconds: (after.at - before.at) / 1e3,
    rpc: less(after.rpc, before.rpc),
    followerCalls: after.followerCalls - before.followerCalls,
    feedBytesSent: after.reader.feedBytesSent - before.reader.feedBytesSent,
    feedBytesReceived: grown((usage) => usage.feedBytesReceived).reduce((sum, bytes) => sum + bytes, 0),
    redisCpuSeconds: after.redis.cpuSeconds - before.redis.cpuSeconds,
    redisBytes: after.redis.bytes,
    readerCpuSeconds: after.reader.cpuSeconds - before.reader.cpuSeconds,
    followerCpuSeconds: grown((usage) => usage.cpuSeconds),
    readerBytes: after.reader.residentBytes,
    followerBytes: after.followers.map(({ residentBytes }) => residentBytes),
    answers,
    failures,
  };
}

/** Longer than the calls of one discovery take, shorter than the time to the next. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20_000));

const less = (a: Traffic, b: Traffic): Traffic => ({ calls: a.calls - b.calls, bytes: a.bytes - b.bytes });

const callsOf = (rpc: CountedRpc, gateways: readonly FleetGateway[]) =>
  gateways.reduce((sum, { name }) => sum + rpc.of(name).calls, 0);

/** One client that reads all vaults again and again. */
function startLoad(url: string) {
  let isStopped = false;
  let [answers, failures] = [0, 0];
  const running = (async () => {
    while (!isStopped) {
      const ok = await fetch(`${url}${PATH}`).then(
        async (response) => (await response.arrayBuffer()).byteLength > 0 && response.ok,
        () => false,
      );
      if (ok) answers += 1;
      else failures += 1;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_BETWEEN_REQUESTS_MS));
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await running;
      return { answers, failures };
    },
  };
}
