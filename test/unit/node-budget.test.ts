import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import { NodeBudget } from '../../src/graphql/cost/node-budget.ts';

const FIELD = { fieldName: 'vaults' } as GraphQLResolveInfo;

describe('the node budget', () => {
  const always = { next: () => Promise.resolve(), isOver: true };
  const never = { next: () => Promise.resolve(), isOver: false };

  it('counts computed steps of history with the objects', () => {
    const budget = new NodeBudget(100, '', never);
    budget.takeFolded(60);
    budget.take(40, FIELD);
    expect([budget.resolved, budget.folded, budget.signal.aborted]).toEqual([40, 60, false]);
    expect(() => budget.takeFolded(1)).toThrowError(
      expect.objectContaining({ code: 'NODE_BUDGET_EXCEEDED' }),
    );
    expect([budget.signal.aborted, budget.overrunAt]).toEqual([true, undefined]);
    // Every other history of the request stops at its next step.
    expect(() => budget.takeFolded(0)).toThrow();
    expect(budget.folded).toBe(61);
  });

  it('names the field of an object that exceeds it', () => {
    const budget = new NodeBudget(10, '', never);
    budget.takeFolded(10);
    expect(() => budget.take(1, FIELD)).toThrow();
    expect(budget.overrunAt).toBe(FIELD);
  });

  it('pauses after 50 objects if the turn is over, and only then', async () => {
    const turns = { next: () => Promise.resolve(), isOver: false };
    const budget = new NodeBudget(100_000, '', turns);
    expect(budget.take(50_000, FIELD)).toBeNull();
    turns.isOver = true;
    expect(budget.take(50, FIELD)).toBeNull();
    const pauses = [budget.take(1, FIELD), budget.take(1, FIELD)];
    expect(pauses).toEqual([expect.any(Promise), expect.any(Promise)]);
    expect(budget.takeReused(1)).toBe(false);
    turns.isOver = false;
    await Promise.all(pauses);
    expect(budget.take(1, FIELD)).toBeNull();
  });

  it('lets as many of the fields that wait continue in a turn as there is time for', async () => {
    const loop: (() => void)[] = [];
    let left = 0;
    const turns = {
      next: () => new Promise<void>((resolve) => loop.push(resolve)),
      get isOver() {
        return left <= 0;
      },
    };
    const budget = new NodeBudget(100_000, '', turns);
    const continued: number[] = [];
    const wait = (index: number) =>
      void budget.take(1, FIELD)?.then(() => {
        continued.push(index);
        left -= 1;
        // What a field selects is resolved with it; if there is no time left, after those that wait.
        if (index === 1) wait(120);
      });
    budget.take(50, FIELD);
    for (let i = 0; i < 120; i += 1) wait(i);
    const seen: number[] = [];
    while (loop.length > 0) {
      expect(loop).toHaveLength(1);
      left = seen.length === 0 ? 2 : 50;
      loop.shift()?.();
      for (let i = 0; i < 300; i += 1) await Promise.resolve();
      seen.push(continued.length);
    }
    expect(seen).toEqual([2, 52, 102, 121]);
    expect(continued).toEqual(Array.from({ length: 121 }, (_, i) => i));
  });

  it('stops every field with the error of the first', () => {
    const budget = new NodeBudget(10, '', never);
    const thrown = [1, 2].map(() => {
      try {
        return budget.take(11, FIELD);
      } catch (error) {
        return error;
      }
    });
    expect(thrown[0]).toMatchObject({ code: 'NODE_BUDGET_EXCEEDED' });
    expect(thrown[1]).toBe(thrown[0]);
  });

  it('reuses serialized objects until a pause is due', () => {
    const inTime = new NodeBudget(10_000, '', never);
    expect([inTime.takeReused(5_000), inTime.takeReused(5_000), inTime.takeReused(1)]).toEqual([
      true,
      true,
      false,
    ]);
    const late = new NodeBudget(10_000, '', always);
    expect([late.takeReused(50), late.takeReused(1), late.resolved]).toEqual([true, false, 50]);
  });
});
