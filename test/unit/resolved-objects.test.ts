import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ResolvedObjects } from '../../src/graphql/cost/resolved-objects.ts';
import { WorkBudget, type WorkBudgetOptions } from '../../src/node/work-budget.ts';

const objectsOf = (ceiling: number, scheduler: NonNullable<WorkBudgetOptions['scheduler']>) =>
  new ResolvedObjects(new WorkBudget({ ceiling, scheduler }));

const FIELD = { fieldName: 'vaults' } as GraphQLResolveInfo;

describe('the objects of an answer', () => {
  const always = { next: () => Promise.resolve(), isOver: true };
  const never = { next: () => Promise.resolve(), isOver: false };

  it('are drawn from one account with the steps of computations', () => {
    const objects = objectsOf(100, never);
    objects.work.draw('steps', 60);
    objects.take(40, FIELD);
    expect([objects.resolved, objects.work.drawn('steps'), objects.signal.aborted]).toEqual([40, 60, false]);
    expect(() => objects.work.draw('steps', 1)).toThrowError(
      expect.objectContaining({ code: 'NODE_BUDGET_EXCEEDED' }),
    );
    expect([objects.signal.aborted, objects.overrunAt]).toEqual([true, undefined]);
    // Every other computation of the request stops at its next step.
    expect(() => objects.work.draw('steps', 0)).toThrow();
    expect(() => objects.take(1, FIELD)).toThrow();
    expect(objects.work.drawn('steps')).toBe(61);
  });

  it('names the field of an object that exceeds it', () => {
    const objects = objectsOf(10, never);
    objects.work.draw('steps', 10);
    expect(() => objects.take(1, FIELD)).toThrow();
    expect(objects.overrunAt).toBe(FIELD);
  });

  it('pauses after 50 objects if the turn is over, and only then', async () => {
    const turns = { next: () => Promise.resolve(), isOver: false };
    const objects = objectsOf(100_000, turns);
    expect(objects.take(50_000, FIELD)).toBeNull();
    turns.isOver = true;
    expect(objects.take(50, FIELD)).toBeNull();
    const pauses = [objects.take(1, FIELD), objects.take(1, FIELD)];
    expect(pauses).toEqual([expect.any(Promise), expect.any(Promise)]);
    expect(objects.takeReused(1)).toBe(false);
    turns.isOver = false;
    await Promise.all(pauses);
    expect(objects.take(1, FIELD)).toBeNull();
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
    const objects = objectsOf(100_000, turns);
    const continued: number[] = [];
    const wait = (index: number) =>
      void objects.take(1, FIELD)?.then(() => {
        continued.push(index);
        left -= 1;
        // Objects that a field selects are resolved with it; if there is no time left, after those that wait.
        if (index === 1) wait(120);
      });
    objects.take(50, FIELD);
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
    const objects = objectsOf(10, never);
    const thrown = [1, 2].map(() => {
      try {
        return objects.take(11, FIELD);
      } catch (error) {
        return error;
      }
    });
    expect(thrown[0]).toMatchObject({ code: 'NODE_BUDGET_EXCEEDED' });
    expect(thrown[1]).toBe(thrown[0]);
  });

  it('reuses serialized objects until a pause is due', () => {
    const inTime = objectsOf(10_000, never);
    expect([inTime.takeReused(5_000), inTime.takeReused(5_000), inTime.takeReused(1)]).toEqual([
      true,
      true,
      false,
    ]);
    const late = objectsOf(10_000, always);
    expect([late.takeReused(50), late.takeReused(1), late.resolved]).toEqual([true, false, 50]);
  });
});
