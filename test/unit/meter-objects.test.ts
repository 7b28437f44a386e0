import { buildSchema, execute, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { meterObjects } from '../../src/graphql/cost/meter-objects.ts';
import { ResolvedObjects } from '../../src/graphql/cost/resolved-objects.ts';
import { WorkBudget } from '../../src/node/work-budget.ts';

const schema = buildSchema('type Query { days: [Day!]! } type Day { number: Int! }');
meterObjects(schema);

/** A list of days, each with the same number under several names. */
async function answered(days: number, names: number) {
  let turns = 0;
  const next = async () => {
    turns += 1;
  };
  const aliases = Array.from({ length: names }, (_, i) => `n${i}: number`).join(' ');
  const result = await execute({
    schema,
    document: parse(`{ days { ...F } } fragment F on Day { ${aliases} }`),
    rootValue: { days: Array.from({ length: days }, (_, number) => ({ number })) },
    contextValue: { objects: new ResolvedObjects(new WorkBudget({ scheduler: { next, isOver: false } })) },
  });
  return { turns, result };
}

describe('a list of objects', () => {
  it('is resolved in one turn up to 5,000 fields', async () => {
    expect((await answered(100, 50)).turns).toBe(0);
  });

  it('is resolved in several turns beyond that, in order', async () => {
    const { turns, result } = await answered(1_050, 50);
    expect(turns).toBe(10);
    expect(result.errors).toBeUndefined();
    const { days } = result.data as { days: Record<string, number>[] };
    expect(days.map(({ n0, n49 }) => [n0, n49])).toEqual(days.map((_, i) => [i, i]));
    expect(days).toHaveLength(1_050);
  });
});
