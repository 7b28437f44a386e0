import { loadavg } from 'node:os';
import { printTable } from '../measure.ts';
import { median, threeDigits } from '../statistics.ts';
import type { Traffic } from './counted-rpc.ts';
import type { TakeOver } from './fleet.ts';

/** One number of gateways, measured over a discovery cycle. */
export interface Measured {
  readonly gateways: number;
  /** Whether the reader changed during the cycle, so that more was read. */
  readonly hasNewReader: boolean;
  readonly seconds: number;
  readonly rpc: Traffic;
  /** Calls of all followers during the cycle. */
  readonly followerCalls: number;
  /** Calls of all followers from their start to their first answer. */
  readonly followerStartCalls: number;
  readonly feedBytesSent: number;
  /** Of all followers together. */
  readonly feedBytesReceived: number;
  readonly redisCpuSeconds: number;
  readonly redisBytes: number;
  readonly readerCpuSeconds: number;
  /** Of each follower. */
  readonly followerCpuSeconds: readonly number[];
  readonly readerBytes: number;
  readonly followerBytes: readonly number[];
  readonly readerStartsMs: readonly number[];
  readonly followerStartsMs: readonly number[];
  readonly takeOvers: readonly TakeOver[];
  readonly answers: number;
  readonly failures: number;
}

export interface Verdict {
  readonly promise: string;
  readonly isMet: boolean;
}

/** Factor by which a cycle may cost the RPC more with several gateways. */
const MORE = 0.05;
const TAKE_OVER_MS = 3_000;

const followersOf = ({ gateways }: Measured) => gateways - 1;

export function verdictsOf(all: readonly Measured[]): Verdict[] {
  const [one, ...several] = all;
  const ratio = (of: (traffic: Traffic) => number) =>
    Math.max(...several.map(({ rpc }) => of(rpc) / of(one?.rpc ?? rpc)));
  const [calls, bytes] = [ratio((rpc) => rpc.calls), ratio((rpc) => rpc.bytes)];
  const reader = median(all.flatMap(({ readerStartsMs }) => readerStartsMs));
  const follower = median(several.flatMap(({ followerStartsMs }) => followerStartsMs));
  const sum = (of: (each: Measured) => number) => several.reduce((total, each) => total + of(each), 0);
  const [startCalls, laterCalls] = [
    sum((each) => each.followerStartCalls),
    sum((each) => each.followerCalls),
  ];
  const lease = median(several.flatMap(({ takeOvers }) => takeOvers.map(({ leaseMs }) => leaseMs)));
  const failures = all.reduce((total, each) => total + each.failures, 0);
  return [
    {
      promise: `RPC calls as for one gateway, within 5 %: ${calls.toFixed(3)} times`,
      isMet: Math.abs(calls - 1) <= MORE,
    },
    {
      promise: `RPC bytes as for one gateway, within 5 %: ${bytes.toFixed(3)} times`,
      isMet: Math.abs(bytes - 1) <= MORE,
    },
    {
      promise: `a follower makes at most one RPC call at its start: ${startCalls} of ${sum(followersOf)}`,
      isMet: several.every((each) => each.followerStartCalls <= followersOf(each)),
    },
    { promise: `followers make no other RPC call: ${laterCalls}`, isMet: laterCalls === 0 },
    {
      promise: `first answer of a follower in at most half of a reader's time: ${threeDigits(follower)} of ${threeDigits(reader)} ms`,
      isMet: follower <= reader / 2,
    },
    {
      promise: `another reader holds the lease within ${TAKE_OVER_MS} ms after kill -9: median ${threeDigits(lease)} ms`,
      isMet: lease <= TAKE_OVER_MS,
    },
    { promise: `no request fails: ${failures}`, isMet: failures === 0 },
  ];
}

export function printReport(all: readonly Measured[]): void {
  const mb = (bytes: number) => threeDigits(bytes / 1e6);
  const percent = (share: number) => `${threeDigits(share * 100)} %`;
  const middle = (values: readonly number[]) => (values.length === 0 ? Number.NaN : median(values));
  const rows: readonly (readonly [string, (each: Measured) => string])[] = [
    ['seconds measured', ({ seconds }) => threeDigits(seconds)],
    ['RPC calls/s', ({ rpc, seconds }) => threeDigits(rpc.calls / seconds)],
    ['RPC KB/s', ({ rpc, seconds }) => threeDigits(rpc.bytes / seconds / 1e3)],
    ['feed sent KB/s', ({ feedBytesSent, seconds }) => threeDigits(feedBytesSent / seconds / 1e3)],
    [
      'feed received KB/s',
      ({ feedBytesReceived, seconds }) => threeDigits(feedBytesReceived / seconds / 1e3),
    ],
    ['Redis processor', ({ redisCpuSeconds, seconds }) => percent(redisCpuSeconds / seconds)],
    ['Redis MB', ({ redisBytes }) => mb(redisBytes)],
    ['reader processor', ({ readerCpuSeconds, seconds }) => percent(readerCpuSeconds / seconds)],
    [
      'follower processor',
      ({ followerCpuSeconds, seconds }) => percent(middle(followerCpuSeconds) / seconds),
    ],
    ['reader MB', ({ readerBytes }) => mb(readerBytes)],
    ['follower MB', ({ followerBytes }) => mb(middle(followerBytes))],
    ['reader first answer ms', ({ readerStartsMs }) => threeDigits(middle(readerStartsMs))],
    ['follower first answer ms', ({ followerStartsMs }) => threeDigits(middle(followerStartsMs))],
    ['RPC calls of followers at start', ({ followerStartCalls }) => String(followerStartCalls)],
    ['RPC calls of followers later', ({ followerCalls }) => String(followerCalls)],
    [
      'lease of another reader ms',
      ({ takeOvers }) => threeDigits(middle(takeOvers.map(({ leaseMs }) => leaseMs))),
    ],
    [
      'its Views everywhere ms',
      ({ takeOvers }) => threeDigits(middle(takeOvers.map(({ viewsMs }) => viewsMs))),
    ],
    ['answers/s', ({ answers, seconds }) => threeDigits(answers / seconds)],
  ];
  printTable([
    ['gateways', ...all.map(({ gateways }) => String(gateways))],
    ...rows.map(([name, of]) => [name, ...all.map(of)]),
  ]);
  process.stdout.write(`load average ${loadavg()[1]?.toFixed(1)} over five minutes\n`);
  for (const { gateways } of all.filter(({ hasNewReader }) => hasNewReader))
    process.stdout.write(
      `the machine is too busy to judge RPC traffic: with ${gateways}, the reader changed in every cycle\n`,
    );
  for (const { promise, isMet } of verdictsOf(all))
    process.stdout.write(`${isMet ? 'met' : 'MISSED'}: ${promise}\n`);
}
