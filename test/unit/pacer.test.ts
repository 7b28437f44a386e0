import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../packages/rpc-pool/test/support/scripted-rpc.ts';
import { Pacer } from '../../src/node/pacer.ts';

const NEVER = new AbortController().signal;
const ANYONE = { caller: '' };

describe('a pacer', () => {
  it('spaces calls from the time of the last one', async () => {
    const clock = new ManualClock();
    const pacer = new Pacer({ perSecond: 10, clock });
    const start = clock.nowMs;
    const at: number[] = [];
    for (const workMs of [30, 250, 0]) {
      await pacer.turn(ANYONE, NEVER);
      at.push(clock.nowMs - start);
      clock.nowMs += workMs;
    }
    await pacer.turn(ANYONE, NEVER);
    at.push(clock.nowMs - start);
    expect(at).toEqual([0, 100, 350, 450]);
  });

  it('lets no call proceed while it is held, even one that waits already', async () => {
    const clock = new ManualClock();
    const pacer = new Pacer({ perSecond: 10, clock });
    pacer.holdFor(5_000);
    pacer.holdFor(1_000);
    const start = clock.nowMs;
    const turn = pacer.turn(ANYONE, NEVER);
    pacer.holdFor(7_000);
    await turn;
    expect(clock.nowMs - start).toBeGreaterThanOrEqual(7_000);
  });

  it('sleeps no longer once nobody waits', async () => {
    const sleeps: AbortSignal[] = [];
    const sleep = (_: number, signal: AbortSignal) => {
      sleeps.push(signal);
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    };
    let nowMs = 0;
    const pacer = new Pacer({ perSecond: 1, clock: { now: () => nowMs, sleep } });
    pacer.holdFor(900_000);
    const gone = new AbortController();
    const turn = pacer.turn(ANYONE, gone.signal);
    expect(sleeps[0]?.aborted).toBe(false);
    gone.abort(new Error('stopped'));
    await expect(turn).rejects.toThrow('stopped');
    expect(sleeps[0]?.aborted).toBe(true);
    nowMs = 900_000;
    await pacer.turn(ANYONE, NEVER);
    expect(sleeps).toHaveLength(1);
  });
});
