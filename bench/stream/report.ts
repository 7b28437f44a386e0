import { loadavg } from 'node:os';
import { printTable } from '../measure.ts';
import { percentile, threeDigits } from '../statistics.ts';
import type { PeopleCounts } from './people.ts';
import type { Steady } from './steady.ts';
import type { WalletReads } from './wallet-reads.ts';

/** A gateway that polls the same chain, over some seconds in which nobody asks it anything. */
export interface Polled {
  readonly seconds: number;
  readonly rpcBytes: number;
  readonly rpcCalls: number;
  readonly cpuSeconds: number;
  readonly views: number;
}

export interface StreamResults {
  readonly counts: PeopleCounts;
  readonly steady: readonly Steady[];
  readonly wallets: readonly WalletReads[];
  /** From the start of each gateway until its Views have the positions. */
  readonly readerLoadSeconds: number;
  readonly followerLoadSeconds: number;
  /** Connections of the reader that ended, and times that it had to load everything again. */
  readonly interruptions: number;
  readonly losses: number;
  readonly polled: Polled | null;
}

export interface Verdict {
  readonly promise: string;
  readonly isMet: boolean;
}

const EVENT_P99_MS = 1_000;
const WALLET_P50_MS = 3;
/** With as many positions as mainnet has. */
const READER_MB = 400;
const FOLLOWER_MB = 250;
const MAINNET: PeopleCounts = { obligations: 200_000, shares: 300_000 };
const DAY_SECONDS = 86_400;

const p99 = (values: readonly number[]) => (values.length === 0 ? Number.NaN : percentile(values, 0.99));
const p50 = (values: readonly number[]) => (values.length === 0 ? Number.NaN : percentile(values, 0.5));
const mb = (bytes: number) => bytes / 1e6;

export function verdictsOf({ counts, steady, wallets }: StreamResults): Verdict[] {
  const oneByOne = wallets.filter(({ atOnce }) => atOnce === 1);
  const calls = wallets.reduce((sum, { walletCalls }) => sum + walletCalls, 0);
  const missed = steady.reduce((sum, each) => sum + each.missed, 0);
  const largest = (of: (each: Steady) => number) => Math.max(...steady.map(of));
  const isMainnet = counts.obligations >= MAINNET.obligations && counts.shares >= MAINNET.shares;
  return [
    ...steady.map(({ movement, followerEventsMs }) => ({
      promise: `p99 from the chain's write to the event on the other gateway under ${EVENT_P99_MS} ms, with ${movement.positions} positions per slot: ${threeDigits(p99(followerEventsMs))} ms`,
      isMet: p99(followerEventsMs) < EVENT_P99_MS,
    })),
    { promise: `every write has an event: ${missed} without`, isMet: missed === 0 },
    ...oneByOne.map(({ name, serverP50Ms }) => ({
      promise: `${name}, p50 of server time at most ${WALLET_P50_MS} ms: ${threeDigits(serverP50Ms)} ms`,
      isMet: serverP50Ms <= WALLET_P50_MS,
    })),
    { promise: `unknown wallets need no RPC calls: ${calls}`, isMet: calls === 0 },
    ...(isMainnet
      ? [
          atMostMb(
            'reader',
            largest((each) => each.readerBytes),
            READER_MB,
          ),
          atMostMb(
            'follower',
            largest((each) => each.followerBytes),
            FOLLOWER_MB,
          ),
        ]
      : []),
  ];
}

function atMostMb(name: string, bytes: number, limit: number): Verdict {
  return {
    promise: `resident memory of the ${name} under ${limit} MB: ${threeDigits(mb(bytes))} MB`,
    isMet: mb(bytes) < limit,
  };
}

/** Prints everything. Returns whether all floors are met. */
export function printReport(results: StreamResults): boolean {
  const { steady, wallets, readerLoadSeconds, followerLoadSeconds, polled } = results;
  printSteady(steady);
  process.stdout.write('\n');
  printTable([
    [
      'unknown wallets',
      'wallets',
      'server p50 ms',
      'client p50 ms',
      'client p99 ms',
      'all ms',
      'processor ms',
      'RPC calls',
    ],
    ...wallets.map((each) => [
      each.name,
      String(each.times.count),
      threeDigits(each.serverP50Ms),
      threeDigits(each.times.p50),
      threeDigits(each.times.p99),
      threeDigits(each.totalMs),
      threeDigits(each.cpuMs),
      String(each.walletCalls),
    ]),
  ]);
  process.stdout.write(`
from the start to Views with positions: reader ${threeDigits(readerLoadSeconds)} s, follower ${threeDigits(followerLoadSeconds)} s
`);
  if (polled !== null) printDays(steady, polled);
  process.stdout.write(`load average ${loadavg()[0]?.toFixed(1)} over one minute\n`);
  const { interruptions, losses } = results;
  if (interruptions > 0)
    process.stdout.write(
      `the machine is too busy to judge: ${interruptions} connections ended, and everything was loaded again ${losses} times\n`,
    );
  const verdicts = verdictsOf(results);
  for (const { promise, isMet } of verdicts)
    process.stdout.write(`${isMet ? 'met' : 'MISSED'}: ${promise}\n`);
  return verdicts.every(({ isMet }) => isMet);
}

function printSteady(steady: readonly Steady[]): void {
  const perThousand = (of: (each: Steady) => number) => (each: Steady) =>
    threeDigits((of(each) * 1e6) / each.changes);
  const percent = (share: number) => `${threeDigits(share * 100)} %`;
  const rows: readonly (readonly [string, (each: Steady) => string])[] = [
    ['slots per second', ({ slots, seconds }) => threeDigits(slots / seconds)],
    ['account updates per second', ({ changes, seconds }) => threeDigits(changes / seconds)],
    ['Views per second', ({ views, seconds }) => threeDigits(views / seconds)],
    ['writes with an event', ({ followerEventsMs }) => String(followerEventsMs.length)],
    ['write to event, reader, p50 ms', ({ readerEventsMs }) => threeDigits(p50(readerEventsMs))],
    ['write to event, reader, p99 ms', ({ readerEventsMs }) => threeDigits(p99(readerEventsMs))],
    ['write to event, follower, p50 ms', ({ followerEventsMs }) => threeDigits(p50(followerEventsMs))],
    ['write to event, follower, p99 ms', ({ followerEventsMs }) => threeDigits(p99(followerEventsMs))],
    ['reader, processor', ({ readerCpuSeconds, seconds }) => percent(readerCpuSeconds / seconds)],
    ['follower, processor', ({ followerCpuSeconds, seconds }) => percent(followerCpuSeconds / seconds)],
    ['reader, ms per thousand updates', perThousand(({ readerCpuSeconds }) => readerCpuSeconds)],
    ['follower, ms per thousand updates', perThousand(({ followerCpuSeconds }) => followerCpuSeconds)],
    ['reader, resident MB', ({ readerBytes }) => threeDigits(mb(readerBytes))],
    ['follower, resident MB', ({ followerBytes }) => threeDigits(mb(followerBytes))],
    ['stream KB/s', ({ streamBytes, seconds }) => threeDigits(streamBytes / seconds / 1e3)],
    ['feed KB/s', ({ feedBytes, seconds }) => threeDigits(feedBytes / seconds / 1e3)],
    ['RPC calls', ({ rpcCalls }) => String(rpcCalls)],
  ];
  printTable([
    [
      'positions per slot, reserves per slot',
      ...steady.map(({ movement: { positions, reserves } }) => `${positions}, ${reserves}`),
    ],
    ...rows.map(([name, of]) => [name, ...steady.map(of)]),
  ]);
}

function printDays(steady: readonly Steady[], polled: Polled): void {
  const gb = (bytes: number, seconds: number) => threeDigits(((bytes / seconds) * DAY_SECONDS) / 1e9);
  const row = (name: string, bytes: number, calls: number, views: number, seconds: number) => [
    name,
    gb(bytes, seconds),
    threeDigits((calls / seconds) * DAY_SECONDS),
    threeDigits(views / seconds),
  ];
  printTable([
    ['a day, scaled from the run', 'GB', 'RPC calls', 'Views per second'],
    ...steady.map((each) =>
      row(
        `stream, ${each.movement.positions} positions and ${each.movement.reserves} reserves per slot`,
        each.streamBytes + each.rpcBytes,
        each.rpcCalls,
        each.views,
        each.seconds,
      ),
    ),
    row('polling, without positions', polled.rpcBytes, polled.rpcCalls, polled.views, polled.seconds),
  ]);
  process.stdout.write(
    `polling takes ${threeDigits((polled.cpuSeconds / polled.seconds) * 100)} % of a processor\n`,
  );
}
