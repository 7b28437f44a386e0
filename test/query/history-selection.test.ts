import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VaultSample } from '../../src/store/history/samples.ts';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { d, marketSample, reserveSample, snapshot, vaultSample } from '../support/history/samples.ts';
import { withoutPauses } from '../support/timing/without-pauses.ts';

type Address = VaultSample['vault'];

let world: HistoryWorld;
beforeAll(async () => {
  world = await startHistoryWorld();
  const { db, fence } = world.history;
  const { depositReserve, market } = world.localChain.addresses;
  const rewards = [{ mint: world.localChain.addresses.tokenMint as Address, apy: d('0.004') }];
  const allocations = [{ reserve: depositReserve, ratio: d('0.75') }];
  const ends = [2, 1].map((hours) => new Date(world.now.getTime() - hours * 3_600_000 + 1_000));
  await writeHistory(
    db,
    fence,
    HOUR,
    ends.map((at) =>
      snapshot(at, {
        vaults: vaults().map((vault) => vaultSample('v', { vault, allocations, rewards })),
        reserves: [reserveSample('r', { reserve: depositReserve, rewards })],
        markets: [marketSample('m', { market })],
      }),
    ),
  );
});
afterAll(() => world?.stop());
beforeEach(() => {
  world.statements.length = 0;
});

const vaults = () => world.localChain.worldChain.world.vaults.map(({ address }) => address as Address);

interface TypeRef {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType: TypeRef | null;
}
interface Introspected {
  readonly __type: { readonly fields: readonly { readonly name: string; readonly type: TypeRef }[] };
}

const named = (type: TypeRef): TypeRef => (type.ofType === null ? type : named(type.ofType));

/** Each field of a type, with something of what it holds; what leads to the present is left out. */
async function fieldsOf(type: string): Promise<string[]> {
  const { data } = await world.query<Introspected>(
    `{ __type(name: "${type}") { fields { name type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } }`,
  );
  const fields = await Promise.all(
    data.__type.fields.map(async ({ name, type: ref }) => {
      const { kind, name: inner } = named(ref);
      if (kind !== 'OBJECT') return [name];
      if (inner === 'Reserve' || inner === 'Token' || inner === null) return [];
      return (await fieldsOf(inner)).map((field) => `${name} { ${field} }`);
    }),
  );
  return fields.flat();
}

const SUBJECTS = [
  ['VaultPoint', 'vault'],
  ['ReservePoint', 'reserve'],
  ['MarketPoint', 'market'],
] as const;

const addressOf = (subject: (typeof SUBJECTS)[number][1]): string => {
  const { vault, depositReserve, market } = world.localChain.addresses;
  return { vault, reserve: depositReserve, market }[subject];
};

type Point = Readonly<Record<string, unknown>>;

async function pointsOf(subject: (typeof SUBJECTS)[number][1], fields: string): Promise<readonly Point[]> {
  const { data, errors } = await world.query<Record<string, { metricsHistory: { points: Point[] } }>>(
    `query ($address: Address!) { ${subject}(address: $address) { metricsHistory { points { ${fields} } } } }`,
    { address: addressOf(subject) },
  );
  expect(errors, fields).toEqual([]);
  return data[subject]?.metricsHistory.points ?? [];
}

/** The part of a point with all fields that another point has. */
function partOf(whole: unknown, part: unknown): unknown {
  if (Array.isArray(part) && Array.isArray(whole)) return part.map((each, i) => partOf(whole[i], each));
  if (typeof part !== 'object' || part === null) return whole;
  const all = whole as Point;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, partOf(all[key], value)]));
}

describe('the columns read for a series', () => {
  withoutPauses();

  it.each(SUBJECTS)(
    'give each field of a %s the same value alone and with all others',
    async (type, subject) => {
      const fields = await fieldsOf(type);
      expect(fields.length).toBeGreaterThan(3);
      const whole = await pointsOf(subject, fields.join(' '));
      expect(whole).toHaveLength(2);
      for (const field of fields) {
        const alone = await pointsOf(subject, field);
        expect(alone, field).toHaveLength(2);
        expect(alone, field).toEqual(alone.map((point, i) => partOf(whole[i], point)));
      }
    },
  );

  it('are exactly the selected ones', async () => {
    const columnsIn = (statement: string) =>
      ['tvl_usd', 'tvl_sol', 'interest', 'apy_actual_sum', 'allocation_ratios', 'reward_apys', 'slot'].filter(
        (column) => statement.includes(`p.${column}`),
      );
    const columns = async (fields: string) => {
      world.statements.length = 0;
      await pointsOf('vault', fields);
      return world.statements.map(columnsIn);
    };
    expect(await columns('timestamp')).toEqual([[]]);
    expect(await columns('totalValueUsd')).toEqual([['tvl_usd']]);
    expect(await columns('apy { total }')).toEqual([['apy_actual_sum']]);
    expect(await columns('apy { rewards { apy } }')).toEqual([['apy_actual_sum', 'reward_apys']]);
    expect(await columns('reserves { share }')).toEqual([['allocation_ratios']]);
    const [ofVault, ofReserve] = await columns('reserves { share supplyInterestApy }');
    expect([ofVault, ofReserve]).toEqual([['allocation_ratios'], []]);
    expect(world.statements[1]).toContain('p.supply_apy_sum');
    expect(world.statements[1]).not.toContain('p.borrow_apy_sum');
  });

  it('respect fragments, aliases, @skip and @include', async () => {
    const { data, errors } = await world.query<{ vault: { past: { all: Point[]; more: Point[] } } }>(
      `query ($address: Address!, $no: Boolean!, $yes: Boolean!) { vault(address: $address) {
        past: metricsHistory {
          all: points { ...Value ... on VaultPoint { shares: sharesIssued } ... { interest @skip(if: $yes) } }
          more: points { interestSol @include(if: $no) ... @include(if: $yes) { tokensPerShare } }
        }
      } }
      fragment Value on VaultPoint { usd: totalValueUsd ...Sol @skip(if: $no) }
      fragment Sol on VaultPoint { sol: totalValueSol }`,
      { address: addressOf('vault'), no: false, yes: true },
    );
    expect(errors).toEqual([]);
    expect(data.vault.past.all[0]).toEqual({ usd: '1000.25', sol: '5', shares: '952.857142' });
    expect(data.vault.past.more[0]).toEqual({ tokensPerShare: '1.05' });
    const [statement = ''] = world.statements;
    expect(world.statements).toHaveLength(1);
    for (const column of ['tvl_usd', 'tvl_sol', 'shares_issued', 'tokens_per_share'])
      expect(statement).toContain(`p.${column}`);
    for (const column of ['interest', 'interest_sol', 'tvl_tokens'])
      expect(statement).not.toMatch(new RegExp(`p\\.${column}\\b`));
  });

  it('take one statement for many vaults, whatever is selected on each', async () => {
    const { data, errors } = await world.query<{
      vaults: { nodes: { value: { points: Point[] }; yields: { points: Point[] } }[] };
    }>(
      `{ vaults(first: 100) { nodes {
        value: metricsHistory { points { totalValueUsd } }
        yields: metricsHistory { points { apy { total } } }
      } } }`,
    );
    expect(errors).toEqual([]);
    expect(data.vaults.nodes).toHaveLength(vaults().length);
    for (const { value, yields } of data.vaults.nodes) {
      expect(value.points).toEqual([{ totalValueUsd: '1000.25' }, { totalValueUsd: '1000.25' }]);
      expect(yields.points).toEqual([{ apy: { total: '0.062' } }, { apy: { total: '0.062' } }]);
    }
    expect(world.statements).toHaveLength(1);
  });
});
