import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { type Rational, sum } from '@sluice/protocol/numeric/rational';
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { significantDigits } from '../../packages/protocol/test/support/numbers.ts';
import { schema } from '../../src/graphql/schema.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { askApp } from '../support/apps/test-app.ts';

const MAX_DIGITS = 34;
const DEPTH = 3;

/** Every field of a type that needs no argument, down to a depth. Histories have suites of their own. */
function everything(type: GraphQLObjectType, depth: number): string {
  const fields = Object.values(type.getFields()).filter(
    ({ name, args }) =>
      !/History$|Transactions$/.test(name) && args.every((each) => !isNonNullType(each.type)),
  );
  return fields
    .flatMap(({ name, type: output }) => {
      const named = getNamedType(output);
      if (isLeafType(named)) return [name];
      if (!isObjectType(named) || depth === 0 || /Connection$/.test(named.name)) return [];
      const inside = everything(named, depth - 1);
      return inside === '' ? [] : [`${name} { ${inside} }`];
    })
    .join(' ');
}

/** Calls back with every value of a type in an answer. */
function walk(
  value: unknown,
  type: GraphQLOutputType,
  seen: (typeName: string, value: unknown) => void,
): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const each of value) walk(each, type, seen);
    return;
  }
  const named = getNamedType(type);
  seen(named.name, value);
  if (!isObjectType(named)) return;
  const fields = named.getFields();
  for (const [name, each] of Object.entries(value)) {
    const field = fields[name];
    if (field !== undefined) walk(each, field.type, seen);
  }
}

const LISTS = ['vaults', 'reserves', 'markets', 'tokens'] as const;

let embedded: TestEmbeddedApp;
beforeAll(async () => {
  embedded = await startEmbeddedApp({
    MAX_QUERY_COST: '100000000',
    MAX_QUERY_TOKENS: '100000',
    MAX_QUERY_NODES: '10000000',
    MAX_LIST_ITEMS: '10000',
  });
});
afterAll(() => embedded?.app.stop());

async function answers(): Promise<[unknown, GraphQLOutputType][]> {
  const query = schema.getQueryType();
  if (!query) throw new Error('no query type');
  const found: [unknown, GraphQLOutputType][] = [];
  const ask = async (document: string, name: string) => {
    const { data, errors } = await askApp<Record<string, unknown>>(embedded.app, document);
    // Nothing is recorded here; numbers of the past are published by the same function.
    expect(errors.filter(({ extensions }) => extensions?.code !== 'HISTORY_DISABLED')).toEqual([]);
    const type = query.getFields()[name]?.type;
    if (type === undefined) throw new Error(`no field ${name}`);
    found.push([data[name], type]);
  };
  for (const name of LISTS) {
    const connection = getNamedType(query.getFields()[name]?.type);
    const node = isObjectType(connection) ? getNamedType(connection.getFields().nodes?.type) : undefined;
    if (!isObjectType(node)) throw new Error(`no nodes in ${name}`);
    await ask(`{ ${name}(first: 3) { nodes { ${everything(node, DEPTH)} } } }`, name);
  }
  const { obligation } = embedded.addresses;
  const type = schema.getType('Obligation');
  if (!isObjectType(type)) throw new Error('no Obligation');
  await ask(`{ obligation(address: "${obligation}") { ${everything(type, DEPTH)} } }`, 'obligation');
  return found;
}

describe('published numbers', () => {
  it('have at most 34 significant digits, and the parts of a yield sum to it', async () => {
    let [decimals, long, yields] = [0, 0, 0];
    for (const [value, type] of await answers()) {
      walk(value, type, (name, each) => {
        if (name === 'Decimal') {
          decimals += 1;
          if (significantDigits(String(each)) > MAX_DIGITS) expect(each).toBe(`at most ${MAX_DIGITS} digits`);
          if (significantDigits(String(each)) > 30) long += 1;
        }
        if (name !== 'ApyBreakdown') return;
        yields += 1;
        const parts = each as Record<
          'base' | 'farmRewards' | 'reserveRewards' | 'incentives' | 'total',
          string
        >;
        const part = (key: keyof typeof parts): Rational => parseDecimal(parts[key] ?? '0');
        const whole = sum([part('base'), part('farmRewards'), part('reserveRewards'), part('incentives')]);
        expect(whole.equals(part('total'))).toBe(true);
      });
    }
    expect(decimals).toBeGreaterThan(500);
    expect(long).toBeGreaterThan(50);
    expect(yields).toBeGreaterThan(10);
  });
});
