import { describe, expect, it } from 'vitest';
import { type Measured, verdictsOf } from '../../bench/feed/report.ts';

const measured = (gateways: number, startCalls = 0, calls = 0): Measured => ({
  gateways,
  hasNewReader: false,
  seconds: 64,
  rpc: { calls: 100, bytes: 1_000 },
  followerCalls: calls,
  followerStartCalls: startCalls,
  feedBytesSent: 0,
  feedBytesReceived: 0,
  redisCpuSeconds: 0,
  redisBytes: 0,
  readerCpuSeconds: 0,
  followerCpuSeconds: [],
  readerBytes: 0,
  followerBytes: [],
  readerStartsMs: [3_000],
  followerStartsMs: [1_000],
  takeOvers: [{ leaseMs: 1_400, viewsMs: 3_500 }],
  answers: 1,
  failures: 0,
});

describe('followers of the feed bench', () => {
  const missed = (...several: readonly Measured[]) =>
    verdictsOf([measured(1), ...several])
      .filter(({ isMet }) => !isMet)
      .map(({ promise }) => promise);

  it('may make one call each at their start', () => {
    expect(missed(measured(3, 2), measured(10, 9))).toEqual([]);
  });

  it('may not make another one at their start, even if others make none', () => {
    expect(missed(measured(3, 3), measured(10, 0))).toEqual([
      'a follower makes at most one RPC call at its start: 3 of 11',
    ]);
  });

  it('may not make one later', () => {
    expect(missed(measured(3, 2, 1))).toEqual(['followers make no other RPC call: 1']);
  });
});
