import { setTimeout as sleep } from 'node:timers/promises';
import {
  startTestSentinel,
  type TestNode,
  type TestSentinel,
} from '../../test/support/databases/redis-sentinel.ts';
import { printTable } from '../measure.ts';
import { median, threeDigits } from '../statistics.ts';
import type { CountedRpc } from './counted-rpc.ts';
import { Fleet, type FleetGateway, PATH } from './fleet.ts';

const POLL_MS = 20;
const PAUSE_BETWEEN_REQUESTS_MS = 20;
/** The same as without a failover would be counted over this time. */
const CALM_MS = 10_000;

/** One change of the master, with milliseconds from the fault. */
interface Failover {
  /** Until most sentinels name another master, and it takes itself for it. */
  readonly promotedMs: number;
  /** Until all gateways count in it again. */
  readonly limitsMs: number;
  /** Until all gateways share Views over it that were read after the promotion. */
  readonly viewsMs: number;
  /** Gateways that read the chain for themselves in between. */
  readonly standalone: number;
  readonly rpcCalls: number;
  readonly answers: number;
  readonly failures: number;
  /** Slots by which the answers of one gateway went back. */
  readonly wentBack: number;
}

const FAULTS: Readonly<Record<string, (sentinel: TestSentinel, master: TestNode) => Promise<void>>> = {
  'SENTINEL FAILOVER': async (sentinel) => {
    await sentinel.failover();
  },
  'kill -9 of the master': (_, master) => master.kill(),
  'master hangs': async (_, master) => master.pause(),
};

/** Fails over a Redis with two replicas and three sentinels under gateways that serve requests. Prints a table. */
export async function measureFailovers(rpc: CountedRpc, gateways: number, times: number): Promise<boolean> {
  const sentinel = await startTestSentinel({ minReplicas: 1 });
  const fleet = await Fleet.start(rpc, sentinel.url);
  const rows: string[][] = [
    [
      'Failover',
      'Promoted',
      'Limits shared',
      'Views shared',
      'Slowest',
      'Read alone',
      'RPC calls',
      'Answers',
      'Failed',
      'Back',
    ],
  ];
  let isMet = true;
  try {
    while (fleet.gateways.length < gateways) await fleet.add();
    await allFollow(fleet, 0n);
    const before = rpc.total().calls;
    await sleep(CALM_MS);
    const calm = rpc.total().calls - before;
    for (const [name, fault] of Object.entries(FAULTS)) {
      const measured: Failover[] = [];
      for (let i = 0; i < times; i += 1) measured.push(await failOver(rpc, fleet, sentinel, fault));
      const of = (value: (each: Failover) => number) => threeDigits(median(measured.map(value)));
      const sum = (value: (each: Failover) => number) =>
        measured.reduce((total, each) => total + value(each), 0);
      rows.push([
        name,
        `${of((each) => each.promotedMs / 1e3)} s`,
        `${of((each) => each.limitsMs / 1e3)} s`,
        `${of((each) => each.viewsMs / 1e3)} s`,
        `${threeDigits(Math.max(...measured.map((each) => each.viewsMs)) / 1e3)} s`,
        String(sum((each) => each.standalone)),
        of((each) => each.rpcCalls),
        String(sum((each) => each.answers)),
        String(sum((each) => each.failures)),
        String(sum((each) => each.wentBack)),
      ]);
      isMet &&= sum((each) => each.failures) === 0 && sum((each) => each.wentBack) === 0;
    }
    const calls = `${gateways} gateways, ${times} of each; ${calm} RPC calls in ${CALM_MS / 1e3} s without a failover`;
    process.stdout.write(`${calls}\n`);
    printTable(rows);
    return isMet;
  } finally {
    await fleet.stop();
    await sentinel.stop();
  }
}

async function failOver(
  rpc: CountedRpc,
  fleet: Fleet,
  sentinel: TestSentinel,
  fault: (sentinel: TestSentinel, master: TestNode) => Promise<void>,
): Promise<Failover> {
  await sentinel.settled();
  await allFollow(fleet, 0n);
  const master = await sentinel.master();
  const loads = fleet.gateways.map(startLoad);
  const callsBefore = rpc.total().calls;
  const startedAt = performance.now();
  const since = () => performance.now() - startedAt;
  await fault(sentinel, master);
  await sentinel.replaced(master);
  const promotedMs = since();
  const slot = await highestSlot(fleet);
  const limits = allCount(fleet).then(since);
  const views = allFollow(fleet, slot + 1n).then((standalone) => ({ standalone, viewsMs: since() }));
  const [limitsMs, { viewsMs, standalone }] = await Promise.all([limits, views]);
  const rpcCalls = rpc.total().calls - callsBefore;
  const tallies = await Promise.all(loads.map((load) => load.stop()));
  master.resume();
  if (await isGone(master)) await master.start();
  const sum = (value: (tally: Tally) => number) => tallies.reduce((total, each) => total + value(each), 0);
  return {
    promotedMs,
    limitsMs,
    viewsMs,
    standalone,
    rpcCalls,
    answers: sum(({ answers }) => answers),
    failures: sum(({ failures }) => failures),
    wentBack: sum(({ wentBack }) => wentBack),
  };
}

const isGone = async ({ commands }: TestNode) => (await commands.ping().catch(() => null)) === null;

async function highestSlot(fleet: Fleet): Promise<bigint> {
  const slots = await Promise.all(
    fleet.gateways.map(async (each) => BigInt((await each.readiness())?.slot ?? 0)),
  );
  return slots.reduce((a, b) => (a > b ? a : b));
}

/** Waits until all gateways share a View of the slot or a later one. Returns how many read alone meanwhile. */
async function allFollow(fleet: Fleet, slot: bigint): Promise<number> {
  const alone = new Set<string>();
  for (;;) {
    const all = await Promise.all(
      fleet.gateways.map(async (each) => ({ name: each.name, chain: await each.readiness() })),
    );
    for (const { name, chain } of all) if (chain?.role === 'standalone') alone.add(name);
    const isShared = all.every(
      ({ chain }) => chain !== null && chain.role !== 'standalone' && BigInt(chain.slot) >= slot,
    );
    const origins = new Set(all.map(({ chain }) => chain?.view.split('-')[0]));
    if (isShared && origins.size === 1) return alone.size;
    await sleep(POLL_MS);
  }
}

async function allCount(fleet: Fleet): Promise<void> {
  for (const { url } of fleet.gateways)
    while (!/^sluice_limits_shared 1$/m.test(await (await fetch(`${url}/metrics`)).text()))
      await sleep(POLL_MS);
}

interface Tally {
  readonly answers: number;
  readonly failures: number;
  readonly wentBack: number;
}

/** A client that reads all vaults of one gateway again and again. */
function startLoad({ url }: FleetGateway) {
  let isStopped = false;
  let [answers, failures, wentBack, slot] = [0, 0, 0, 0n];
  const running = (async () => {
    while (!isStopped) {
      const response = await fetch(`${url}${PATH}`).catch(() => null);
      await response?.arrayBuffer();
      if (response?.ok) {
        const seen = BigInt(response.headers.get('x-slot') ?? 0);
        if (seen < slot) wentBack += 1;
        slot = seen;
        answers += 1;
      } else failures += 1;
      await sleep(PAUSE_BETWEEN_REQUESTS_MS);
    }
  })();
  return {
    async stop(): Promise<Tally> {
      isStopped = true;
      await running;
      return { answers, failures, wentBack };
    },
  };
}
