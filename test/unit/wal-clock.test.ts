import { describe, expect, it } from 'vitest';
import { replicaFault } from '../../src/store/replicas/replica.ts';
import { WalClock } from '../../src/store/replicas/wal-clock.ts';

describe('the positions of a primary over time', () => {
  it('tell until when a replica has replayed', () => {
    const clock = new WalClock(60_000);
    expect(clock.replayedUntil(5n)).toBeNull();
    clock.note(1_000, 100n);
    clock.note(2_000, 200n);
    clock.note(3_000, 300n);
    expect([99n, 100n, 199n, 200n, 299n, 300n, 900n].map((lsn) => clock.replayedUntil(lsn))).toEqual([
      null,
      1_000,
      1_000,
      2_000,
      2_000,
      3_000,
      3_000,
    ]);
  });

  it('do not age a replica while nothing is written', () => {
    const clock = new WalClock(60_000);
    for (let ms = 0; ms <= 50_000; ms += 1_000) clock.note(ms, 100n);
    expect(clock.replayedUntil(100n)).toBe(50_000);
  });

  it('are kept for as long as a lag has to be known', () => {
    const clock = new WalClock(10_000);
    for (let second = 0; second <= 30; second += 1) clock.note(second * 1_000, BigInt(second));
    expect(clock.replayedUntil(20n)).toBe(20_000);
    expect(clock.replayedUntil(19n)).toBeNull();
  });

  it('start over when the primary was restored to an earlier one', () => {
    const clock = new WalClock(60_000);
    clock.note(1_000, 100n);
    clock.note(2_000, 200n);
    clock.note(3_000, 150n);
    expect([clock.replayedUntil(149n), clock.replayedUntil(150n)]).toEqual([null, 3_000]);
  });
});

describe('a server answers for a primary', () => {
  const primary = { isReplica: false, system: '7', database: '5', schema: 'a' };

  it.each([
    [{}, null],
    [{ isReplica: false }, 'it is not a replica, or was promoted'],
    [{ system: '8' }, 'it is a replica of another primary'],
    [{ database: '6' }, 'its URL names another database than that of the primary'],
    [{ schema: 'b' }, 'its schema is not that of the primary'],
  ])('with %j: %s', (change, fault) => {
    expect(replicaFault({ ...primary, isReplica: true, ...change }, primary)).toBe(fault);
  });
});
