import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryWindow } from '../../src/limits/memory-window.ts';

function windowAt(start: number, options: { maxAccounts?: number } = {}) {
  let now = start;
  const window = new MemoryWindow({ now: () => now, ...options });
  return {
    window,
    at(seconds: number) {
      now = seconds;
      return window;
    },
  };
}

const ANN = { id: 'ann', limit: 10 };
const BOB = { id: 'bob', limit: 10 };

describe('MemoryWindow', () => {
  it('admits the whole limit at once, then nothing, and says when to retry', () => {
    const { at } = windowAt(1_000.25);
    expect(at(1_000.25).spend(ANN, 9)).toEqual({
      admitted: true,
      remaining: 1,
      retryAfter: 0,
      resetAfter: 61,
    });
    expect(at(1_000.5).spend(ANN, 2)).toEqual({
      admitted: false,
      remaining: 1,
      retryAfter: 61,
      resetAfter: 61,
    });
    expect(at(1_000.5).spend(ANN, 1)).toMatchObject({ admitted: true, remaining: 0 });
    expect(at(1_030).spend(ANN, 1)).toMatchObject({ admitted: false, remaining: 0, retryAfter: 31 });
  });

  it('frees a second exactly one window after its end', () => {
    const { at } = windowAt(1_000);
    at(1_000.999).spend(ANN, 10);
    for (const early of [1_059.9, 1_060, 1_060.9, 1_060.999]) {
      expect(at(early).spend(ANN, 1).admitted).toBe(false);
    }
    expect(at(1_061).spend(ANN, 10)).toEqual({ admitted: true, remaining: 0, retryAfter: 0, resetAfter: 61 });
  });

  it('admits after exactly the time it stated', () => {
    const { at } = windowAt(0);
    at(5.5).spend(ANN, 4);
    at(20.1).spend(ANN, 4);
    at(40).spend(ANN, 2);
    const { retryAfter } = at(50.2).spend(ANN, 6);
    // Both of the first two are needed: the second one counts until the end of second 80.
    expect(retryAfter).toBe(31);
    expect(at(80.99).spend(ANN, 6).admitted).toBe(false);
    expect(at(50.2 + retryAfter).spend(ANN, 6).admitted).toBe(true);
  });

  it('does not count what it refused', () => {
    const { at } = windowAt(0);
    at(0).spend(ANN, 10);
    for (let second = 1; second <= 60; second += 1) expect(at(second).spend(ANN, 1).admitted).toBe(false);
    expect(at(61).spend(ANN, 10).admitted).toBe(true);
  });

  it('makes a refused request wait for its whole cost, including what it had already taken', () => {
    const { at } = windowAt(0);
    at(0).spend(ANN, 4);
    at(10).spend(ANN, 5);
    expect(at(20).spend(ANN, 1).admitted).toBe(true);
    // It has taken 1 and needs 5 more; its retry needs 6, which the first second alone does not free.
    expect(at(20).spend(ANN, 5, 1).retryAfter).toBe(10 + 61 - 20);
  });

  it('counts completed work even over the limit', () => {
    const { at } = windowAt(0);
    at(0).charge(ANN, 25);
    expect(at(1).spend(ANN, 1)).toMatchObject({ admitted: false, remaining: 0, retryAfter: 60 });
  });

  it('counts clients separately', () => {
    const { at } = windowAt(0);
    at(0).spend(ANN, 10);
    expect(at(0).spend(ANN, 1).admitted).toBe(false);
    expect(at(0).spend(BOB, 10)).toMatchObject({ admitted: true, remaining: 0 });
  });

  it('tracks no more clients than allowed, and none whose window has expired', () => {
    const { window, at } = windowAt(0, { maxAccounts: 100 });
    for (let i = 0; i < 1_000; i += 1) at(0).spend({ id: `client ${i}`, limit: 10 }, 10);
    expect(window.size).toBe(100);
    expect(at(1).spend({ id: 'client 999', limit: 10 }, 1).admitted).toBe(false);
    for (let i = 0; i < 60; i += 1) at(70).spend(ANN, 0);
    expect(window.size).toBe(1);
  });

  it('never admits more than the limit in any window', () => {
    const step = fc.record({
      wait: fc.double({ min: 0, max: 20, noNaN: true }),
      cost: fc.integer({ min: 1, max: 8 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 120 }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (steps, start) => {
          const { at } = windowAt(start);
          const admitted: { readonly when: number; readonly cost: number }[] = [];
          const wrong: string[] = [];
          let now = start;
          for (const { wait, cost } of steps) {
            now += wait;
            const spentInWindow = admitted
              .filter(({ when }) => now - when < 60)
              .reduce((sum, each) => sum + each.cost, 0);
            const spentLonger = admitted
              .filter(({ when }) => now - when <= 61)
              .reduce((sum, each) => sum + each.cost, 0);
            const decision = at(now).spend(ANN, cost);
            if (decision.admitted) {
              admitted.push({ when: now, cost });
              if (spentInWindow + cost > ANN.limit) wrong.push(`admitted at ${now}`);
            } else if (spentLonger + cost <= ANN.limit) {
              // It does not refuse what fits either: at most one second more than the window counts.
              wrong.push(`refused at ${now}`);
            }
          }
          expect(wrong).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
