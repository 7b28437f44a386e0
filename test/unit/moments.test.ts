import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { WorkBudget } from '../../src/node/work-budget.ts';
import { type Moment, Moments, momentsOf } from '../../src/services/history/moments.ts';

const [A, B] = ['A', 'B'] as Address[] as [Address, Address];

/** Moments whose reads the test ends, and the turns that they took. */
function pending(atOnce = 10) {
  let turns = 0;
  const meter = new WorkBudget({
    caller: 'caller',
    scheduler: {
      isOver: true,
      next: () => {
        turns += 1;
        return Promise.resolve();
      },
    },
  });
  const reads: { readonly moments: readonly Moment[]; readonly end: (error?: Error) => void }[] = [];
  const moments = new Moments<string>(
    meter,
    atOnce,
    (asked) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error ? reject(error) : resolve(asked.map(({ address, time }) => `${address}${time}`));
        reads.push({ moments: asked, end });
      }),
  );
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
  return { moments, meter, reads, settled, turns: () => turns };
}

describe('moments', () => {
  it('that are asked for in one tick are read together, in order and once', async () => {
    const { moments, meter, reads, settled } = pending();
    const loaded = Promise.all([moments.load(momentsOf([B], [2, 1])), moments.load(momentsOf([A, B], [1]))]);
    await settled();
    expect(reads.map((read) => read.moments)).toEqual([
      [
        { address: B, time: 1 },
        { address: B, time: 2 },
        { address: A, time: 1 },
      ],
    ]);
    reads[0]?.end();
    await loaded;
    expect([moments.at(A, 1), moments.at(B, 2), meter.drawn('steps')]).toEqual(['A1', 'B2', 3]);
    expect(() => moments.at(A, 2)).toThrow(RangeError);
  });

  it('that are being read are not read again', async () => {
    const { moments, reads, settled } = pending();
    const first = moments.load(momentsOf([A], [1, 2]));
    await settled();
    const second = moments.load(momentsOf([A], [2, 3]));
    await settled();
    expect(reads).toHaveLength(1);
    reads[0]?.end();
    await first;
    await settled();
    expect(reads[1]?.moments).toEqual([{ address: A, time: 3 }]);
    reads[1]?.end();
    await second;
    expect([moments.at(A, 2), moments.at(A, 3)]).toEqual(['A2', 'A3']);
  });

  it('are read in several statements, and other work has a turn before each request for them', async () => {
    const { moments, reads, settled, turns } = pending(2);
    const asks = Array.from({ length: 50 }, () => moments.load(momentsOf([A], [1, 2, 3])));
    await settled();
    expect(turns()).toBeGreaterThan(50);
    reads[0]?.end();
    await settled();
    reads[1]?.end();
    await Promise.all(asks);
    expect(reads.map((read) => read.moments.length)).toEqual([2, 1]);
  });

  it('can be read after a failure', async () => {
    const { moments, reads, settled } = pending();
    const failed = moments.load(momentsOf([A], [1]));
    await settled();
    const next = moments.load(momentsOf([A], [1]));
    reads[0]?.end(new Error('the database is gone'));
    await expect(failed).rejects.toThrow('the database is gone');
    await settled();
    reads[1]?.end();
    await next;
    expect(moments.at(A, 1)).toBe('A1');
  });
});
