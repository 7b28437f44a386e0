import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import { NodeBudget } from '../../src/graphql/cost/node-budget.ts';

const FIELD = { fieldName: 'vaults' } as GraphQLResolveInfo;

describe('the node budget', () => {
  const always = { pause: () => Promise.resolve(), isOver: true };
  const never = { pause: () => null, isOver: false };

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

  it('pauses after 1,000 objects if the turn is over, and only then', async () => {
    const budget = new NodeBudget(100_000, '', always);
    expect(budget.take(1_000, FIELD)).toBeNull();
    const pause = budget.take(1, FIELD);
    expect(pause).toBeInstanceOf(Promise);
    expect(budget.take(1, FIELD)).toBe(pause);
    expect(budget.takeReused(1)).toBe(false);
    await pause;
    expect(budget.take(1, FIELD)).toBeNull();
    expect(new NodeBudget(100_000, '', never).take(50_000, FIELD)).toBeNull();
  });

  it('reuses serialized objects until a pause is due', () => {
    const inTime = new NodeBudget(10_000, '', never);
    expect([inTime.takeReused(5_000), inTime.takeReused(5_000), inTime.takeReused(1)]).toEqual([
      true,
      true,
      false,
    ]);
    const late = new NodeBudget(10_000, '', always);
    expect([late.takeReused(1_000), late.takeReused(1), late.resolved]).toEqual([true, false, 1_000]);
  });
});
