import { describe, expect, it } from 'vitest';
import { type Claimant, FairQueue } from '../../src/node/fair-queue.ts';

const NEVER = new AbortController().signal;
const by = (caller: string, lane = ''): Claimant => ({ caller, lane });

/** Items by claimant, taken until none may proceed. */
function takeAll(queue: FairQueue<string>, mayProceed?: (claimant: Claimant, item: string) => boolean) {
  const items: string[] = [];
  for (let next = queue.take(mayProceed); next !== null; next = queue.take(mayProceed)) items.push(next.item);
  return items;
}

describe('a fair queue', () => {
  it('alternates between callers and keeps the order of each', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(by(item.slice(0, 1)), item);
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    expect([queue.isEmpty, queue.take()]).toEqual([true, null]);
  });

  it('alternates between lanes, however many callers one has, and remembers whose turn it is', () => {
    const queue = new FairQueue<string>(['x', 'y']);
    for (const caller of ['a', 'b', 'c']) queue.add(by(caller, 'y'), caller);
    queue.add(by('z', 'x'), 'z1');
    queue.add(by('z', 'x'), 'z2');
    expect(takeAll(queue)).toEqual(['z1', 'a', 'z2', 'b', 'c']);
    queue.add(by('d', 'y'), 'd');
    queue.add(by('z', 'x'), 'z3');
    expect(takeAll(queue)).toEqual(['z3', 'd']);
  });

  it('passes over callers that may not proceed, without losing their turn', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'b1', 'a2', 'b2']) queue.add(by(item.slice(0, 1)), item);
    expect(takeAll(queue, ({ caller }) => caller !== 'a')).toEqual(['b1', 'b2']);
    expect(takeAll(queue, (_, item) => item !== 'a2')).toEqual(['a1']);
    expect(takeAll(queue)).toEqual(['a2']);
  });

  it('forgets withdrawn items', () => {
    const queue = new FairQueue<string>();
    const withdraw = queue.add(by('a'), 'a1');
    queue.add(by('a'), 'a2');
    withdraw();
    withdraw();
    expect(takeAll(queue)).toEqual(['a2']);
  });

  it('grants a value to those who wait, and drops those whose signal is aborted', async () => {
    const queue = new FairQueue<(value: number) => void>();
    const gone = new AbortController();
    const [first, second] = [gone.signal, NEVER].map((signal) =>
      queue.wait<number>(by('a'), signal, (grant) => grant),
    );
    gone.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    queue.take()?.item(7);
    expect(await second).toBe(7);
    expect(queue.isEmpty).toBe(true);
    await expect(queue.wait(by('a'), gone.signal, (grant) => grant)).rejects.toThrow('gone');
    expect(queue.isEmpty).toBe(true);
  });
});
