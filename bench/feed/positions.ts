import { type ChildProcess, fork } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { printTable } from '../measure.ts';
import { BUILT } from '../peers/built-code.ts';
import { median, threeDigits } from '../statistics.ts';
import type { CountedRpc } from './counted-rpc.ts';
import { Fleet, type FleetGateway } from './fleet.ts';
import type { LightReport } from './light-followers.ts';
import type { ReaderReport } from './positions-reader.ts';

export interface PositionsPlan {
  /** `200000x300000`: obligations and share accounts. */
  readonly positions: string;
  /** Accounts that change in each View. */
  readonly changes: string;
  /** Milliseconds between two Views. */
  readonly slot: string;
  readonly followers: readonly number[];
}

/** One number of followers, over some seconds in which nobody starts or loads. */
interface Steady {
  readonly followers: number;
  readonly seconds: number;
  readonly views: number;
  readonly sentBytes: number;
  readonly redisSentBytes: number;
  readonly redisCpuSeconds: number;
  readonly redisResidentBytes: number;
  readonly redisUsedBytes: number;
  readonly readerCpuSeconds: number;
  readonly readerResidentBytes: number;
  readonly gatewayCpuSeconds: readonly number[];
  readonly gatewayResidentBytes: readonly number[];
}

/** Real gateways among the followers. The others send the same commands and throw away what they receive. */
const GATEWAYS = 2;
const MEASURE_MS = 30_000;
const SETTLE_MS = 10_000;
const PATIENCE_MS = 300_000;

/** A process that reports every second. */
class Reporting<R> {
  readonly #child: ChildProcess;
  newest: R | null = null;

  constructor(script: string, args: readonly string[]) {
    this.#child = fork(join(BUILT, 'bench/feed', script), [...args], { execArgv: [] });
    this.#child.on('message', (report) => {
      this.newest = report as R;
    });
  }

  send(message: string): void {
    this.#child.send(message);
  }

  /** The first report that is as wanted. */
  async until(isWanted: (report: R) => boolean): Promise<R> {
    for (const startedAt = performance.now(); ; ) {
      if (this.newest !== null && isWanted(this.newest)) return this.newest;
      if (this.#child.exitCode !== null) throw new Error('a process of the bench has ended');
      if (performance.now() - startedAt > PATIENCE_MS) throw new Error('the bench has waited too long');
      await pause(200);
    }
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Cost of the positions of all wallets for Redis, their reader and their followers. */
export async function measurePositions(rpc: CountedRpc, plan: PositionsPlan): Promise<void> {
  const fleet = await Fleet.start(rpc);
  const where = ['--redis', fleet.redisUrl, '--rpc', rpc.urlFor('reader')];
  const { positions, changes, slot } = plan;
  const reader = new Reporting<ReaderReport>('positions-reader.js', [
    ...where,
    ...['--positions', positions, '--changes', changes, '--slot', slot],
  ]);
  const light: Reporting<LightReport>[] = [];
  try {
    const { madeMs } = await reader.until(({ madeMs, views }) => madeMs !== null && views > 0);
    await settle();
    const alone = await reader.until(() => true);
    const loadSeconds: number[] = [];
    const all: Steady[] = [];
    let simulated = 0;
    for (const followers of plan.followers) {
      process.stderr.write(`${followers} followers of positions\n`);
      while (fleet.gateways.length < Math.min(followers, GATEWAYS)) loadSeconds.push(await loadIn(fleet));
      const more = followers - fleet.gateways.length - simulated;
      if (more > 0) light.push(new Reporting('light-followers.js', [...where, '--followers', String(more)]));
      simulated += Math.max(0, more);
      await Promise.all(light.map((each) => each.until(({ fewestEntries }) => fewestEntries > 0)));
      await settle();
      all.push(await steady(fleet, reader, followers));
    }
    const loading = await loadAtOnce(fleet, light, simulated);
    print(
      all,
      `
reader: ${threeDigits((madeMs ?? 0) / 1e3)} s to make the positions, ${mb(alone.residentBytes)} MB before the first follower, event loop held for at most ${threeDigits(alone.heldMs)} ms by then and ${threeDigits((await reader.until(() => true)).heldMs)} ms later
gateway: ${loadSeconds.map((each) => threeDigits(each)).join(' and ')} s from its first answer until its Views have positions
${simulated} followers that load all positions at once: ${loading}`,
    );
  } finally {
    for (const each of light) each.stop();
    reader.stop();
    await fleet.stop();
  }
}

/** Starts a gateway. Returns the seconds from its first answer until its Views have positions. */
async function loadIn(fleet: Fleet): Promise<number> {
  const gateway = await fleet.add();
  const startedAt = performance.now();
  while ((await gateway.usage()).positionLoads === 0) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error('a gateway does not load positions');
    await pause(100);
  }
  return (performance.now() - startedAt) / 1e3;
}

async function steady(fleet: Fleet, reader: Reporting<ReaderReport>, followers: number): Promise<Steady> {
  const take = async () => ({
    at: performance.now(),
    redis: await fleet.redisUsage(),
    reader: await reader.until(() => true),
    gateways: await Promise.all(fleet.gateways.map((each: FleetGateway) => each.usage())),
  });
  const before = await take();
  await pause(MEASURE_MS);
  const after = await take();
  return {
    followers,
    seconds: (after.at - before.at) / 1e3,
    views: after.reader.views - before.reader.views,
    sentBytes: after.reader.sentBytes - before.reader.sentBytes,
    redisSentBytes: after.redis.sentBytes - before.redis.sentBytes,
    redisCpuSeconds: after.redis.cpuSeconds - before.redis.cpuSeconds,
    redisResidentBytes: after.redis.bytes,
    redisUsedBytes: after.redis.usedBytes,
    readerCpuSeconds: after.reader.cpuSeconds - before.reader.cpuSeconds,
    readerResidentBytes: after.reader.residentBytes,
    gatewayCpuSeconds: after.gateways.map(
      ({ cpuSeconds }, i) => cpuSeconds - (before.gateways[i]?.cpuSeconds ?? 0),
    ),
    gatewayResidentBytes: after.gateways.map(({ residentBytes }) => residentBytes),
  };
}

/** As after a new reader that has read everything anew. */
async function loadAtOnce(fleet: Fleet, light: readonly Reporting<LightReport>[], followers: number) {
  const before = await fleet.redisUsage();
  const startedAt = performance.now();
  for (const each of light) each.send('load');
  const loaded = () => light.reduce((sum, { newest }) => sum + (newest?.loaded ?? 0), 0);
  while (loaded() < followers) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error('the followers do not load positions');
    await pause(100);
  }
  const seconds = (performance.now() - startedAt) / 1e3;
  const after = await fleet.redisUsage();
  const cpuSeconds = after.cpuSeconds - before.cpuSeconds;
  return `at most ${threeDigits(seconds)} s, ${mb(after.sentBytes - before.sentBytes)} MB sent, ${threeDigits(cpuSeconds)} s of Redis's processor, ${mb(after.usedBytes)} MB used by Redis`;
}

function print(all: readonly Steady[], rest: string): void {
  const perSecond = (bytes: number, { seconds }: Steady) => threeDigits(bytes / seconds / 1e3);
  const percent = (cpuSeconds: number, { seconds }: Steady) =>
    `${threeDigits((cpuSeconds / seconds) * 100)} %`;
  const rows: readonly (readonly [string, (each: Steady) => string])[] = [
    ['Views/s', (each) => threeDigits(each.views / each.seconds)],
    ['feed sent KB/s', (each) => perSecond(each.sentBytes, each)],
    ['Redis sends KB/s', (each) => perSecond(each.redisSentBytes, each)],
    ['Redis processor', (each) => percent(each.redisCpuSeconds, each)],
    ['Redis used MB', (each) => mb(each.redisUsedBytes)],
    ['Redis resident MB', (each) => mb(each.redisResidentBytes)],
    ['reader processor', (each) => percent(each.readerCpuSeconds, each)],
    ['reader MB', (each) => mb(each.readerResidentBytes)],
    ['gateway processor', (each) => percent(median(each.gatewayCpuSeconds), each)],
    ['gateway MB', (each) => mb(median(each.gatewayResidentBytes))],
  ];
  printTable([
    ['followers of positions', ...all.map(({ followers }) => String(followers))],
    ...rows.map(([name, of]) => [name, ...all.map(of)]),
  ]);
  process.stdout.write(`${rest.trim()}\nload average ${loadavg()[1]?.toFixed(1)} over five minutes\n`);
}

const mb = (bytes: number) => threeDigits(bytes / 1e6);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const settle = () => pause(SETTLE_MS);
