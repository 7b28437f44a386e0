import { labelledAddress } from '@sluice/localnet/world/prng';
import { obligation } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeMint } from '@sluice/protocol/token/mint';
import { encodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { isObjectType, type OperationTypeNode } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { schema } from '../../src/graphql/schema.ts';
import { OPERATIONS } from '../../src/rest/operation-table.ts';
import {
  type ContractWorld,
  startChangingContractWorld,
  startContractWorld,
} from '../support/contract/contract-app.ts';
import {
  choicesOf,
  MOST,
  queriesOf,
  type ReachedField,
  reachedFields,
  type ScalarValue,
  siblingsQuery,
} from '../support/execution/multiplied-fields.ts';

/** RPC calls that a query may make for each unit of the limit that is taken before it is executed. */
const CALLS_PER_UNIT = 4;
/** The ceilings of a query are out of the way, so that every multiplied query is executed. */
const SETTINGS = {
  MAX_QUERY_COST: '1000000000',
  MAX_QUERY_NODES: '1000000000',
  MAX_QUERY_TOKENS: '100000',
  // Charges are read from the metrics, which must be current.
  METRICS_HOLD_MS: '0',
};
/** Ends nothing on a busy machine. */
const LONG = 30 * 60_000;

type AccountKind = 'vault' | 'reserve' | 'market' | 'mint' | 'obligation';

let world: ContractWorld;
/** Those of the examples first. */
let accounts: Readonly<Record<AccountKind, readonly Address[]>>;

beforeAll(async () => {
  world = await startContractWorld(SETTINGS);
  const { addresses } = world.localChain;
  const view = world.gateway.app.chain.views.current();
  const all = (kind: 'vault' | 'reserve' | 'market' | 'mint') => view.all(kind).keys();
  const obligations = [...world.localChain.programAccounts(MAINNET_PROGRAMS.klend)]
    .filter(([, { data }]) => obligation.discriminator.every((byte, i) => data[i] === byte))
    .map(([address]) => address);
  accounts = {
    vault: [...new Set([addresses.vault, ...all('vault')])],
    reserve: [...new Set([addresses.reserve, ...all('reserve')])],
    market: [...new Set([addresses.market, ...all('market')])],
    mint: [...new Set([addresses.tokenMint, ...all('mint')])],
    obligation: [...new Set([addresses.obligation, ...obligations])],
  };
}, LONG);
afterAll(() => world?.stop());

function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('the list is empty');
  return item;
}

const wallet = (index: number): Address =>
  index === 0 ? world.localChain.addresses.wallet : labelledAddress('wallet', index);
const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');
const positionId = (owner: Address, vault: Address) => globalId('VaultPosition', `${owner}:${vault}`);

const PLAIN: Readonly<Record<string, unknown>> = { Int: 5, Boolean: true, Decimal: '1', U64: '1' };

/** Accounts that exist; wallets beyond the first are unused. */
const existing: ScalarValue = (type, place, copy) => {
  const index = copy + Number(/\.(\d+)$/.exec(place)?.[1] ?? 0);
  if (type === 'ID') return positionId(wallet(index), at(accounts.vault, index));
  if (type !== 'Address') return PLAIN[type] ?? 'a';
  if (place === 'wallet.address' || /wallet$|owner$/i.test(place)) return wallet(index);
  const names = place.replace('token.', 'mint.').toLowerCase();
  const kind = (Object.keys(accounts) as AccountKind[]).find((each) => names.includes(each));
  return kind === undefined ? wallet(index) : at(accounts[kind], index);
};

/** Accounts that nobody has. */
const missing: ScalarValue = (type, place, copy) =>
  type === 'Address' ? labelledAddress(place, copy) : existing(type, place, copy);

async function callsOf(query: string): Promise<number> {
  world.proxy.reset();
  await world.gateway.query(query);
  return world.proxy.calls.length;
}

async function unitsSpent(of = world): Promise<number> {
  const text = await (await of.gateway.get('/metrics')).text();
  return Number(/^sluice_spent_cost_total\{payer="address"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

interface Charge {
  readonly calls: number;
  /** Units taken before anything was read. */
  readonly unitsBefore: number;
  readonly units: number;
}

async function chargeOf(query: string, of = world): Promise<Charge> {
  const before = await unitsSpent(of);
  of.proxy.reset();
  const { extensions, errors } = await of.gateway.query(query);
  const { cost } = extensions as { readonly cost?: { readonly requested: number } };
  if (cost === undefined) throw new Error(`${errors[0]?.message}: ${query.slice(0, 300)}`);
  const unitsBefore = Math.max(1, Math.ceil(cost.requested / 100));
  return { calls: of.proxy.calls.length, unitsBefore, units: (await unitsSpent(of)) - before };
}

const isCovered = ({ calls, unitsBefore, units }: Charge) =>
  calls <= CALLS_PER_UNIT * unitsBefore && calls <= units;

/** The queries that select a field, alone and multiplied, by the values of its arguments. */
function* variantsOf(reached: ReachedField) {
  const hasAddresses = reached.field.args.length > 0;
  for (const own of hasAddresses ? [existing, missing] : [existing]) {
    for (let choice = 0; choice < choicesOf(reached); choice += 1)
      yield queriesOf(reached, { own, along: existing, choice });
  }
}

/** Fields without arguments that make no calls: all such fields of one parent, in one query, make no more than the parent. */
async function fieldsWithoutCalls(operation: string, fields: readonly ReachedField[]) {
  const found = new Set<ReachedField>();
  for (const path of new Set(fields.map((each) => each.path))) {
    const siblings = fields.filter((each) => each.path === path && each.field.args.length === 0);
    const before = await callsOf(`${operation} ${siblingsQuery(path, [], existing)}`);
    const together = `${operation} ${siblingsQuery(path, siblings, existing)}`;
    world.proxy.reset();
    const { errors } = await world.gateway.query(together);
    // After an error other fields may not have been executed.
    if (errors.length > 0 || world.proxy.calls.length > before) continue;
    for (const each of siblings) found.add(each);
  }
  return found;
}

/** The fields that read the chain, and the queries whose calls are not covered by what they pay. */
async function examine(operation: `${OperationTypeNode}`) {
  const root = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  if (!root) throw new Error(`the schema has no ${operation}`);
  const callsOfParents = new Map<string, number>();
  const reading = new Set<string>();
  const uncovered: string[] = [];
  const fields = reachedFields(schema, root);
  const withoutCalls = await fieldsWithoutCalls(operation, fields);
  for (const reached of fields) {
    if (withoutCalls.has(reached)) continue;
    for (const queries of variantsOf(reached)) {
      const { parent, once } = queries;
      const before = callsOfParents.get(parent) ?? (await callsOf(`${operation} ${parent}`));
      callsOfParents.set(parent, before);
      if ((await callsOf(`${operation} ${once}`)) <= before) continue;
      reading.add(reached.coordinate);
      for (const query of new Set([once, queries.aliased, queries.rooted])) {
        const charge = await chargeOf(`${operation} ${query}`);
        if (!isCovered(charge)) uncovered.push(`${JSON.stringify(charge)} ${query.slice(0, 300)}`);
      }
    }
  }
  return { reading: [...reading], uncovered };
}

describe('a field that reads the chain', () => {
  it('pays for its calls, however often a query repeats it', { timeout: LONG }, async () => {
    const { reading, uncovered } = await examine('query');
    expect(reading).toEqual(
      expect.arrayContaining([
        'Query.node',
        'Query.nodes',
        'Query.obligation',
        'Query.obligations',
        'Query.preview',
        'Vault.position',
        'Wallet.netValue',
      ]),
    );
    expect(uncovered).toEqual([]);
  });

  it('pays for its calls, however often a mutation repeats it', { timeout: LONG }, async () => {
    const { reading, uncovered } = await examine('mutation');
    expect(reading).toEqual(
      expect.arrayContaining(['Mutation.buildLendingDeposit', 'TransactionPlan.simulation']),
    );
    expect(uncovered).toEqual([]);
  });

  it('pays for each node, of every type that has them', { timeout: LONG }, async () => {
    const node = schema.getType('Node');
    if (node === undefined) throw new Error('the schema has no nodes');
    const types = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && type.getInterfaces().some(({ name }) => name === node.name),
    );
    expect(types.length).toBeGreaterThan(5);
    for (const { name } of types) {
      const ids = Array.from({ length: MOST }, (_, i) =>
        name === 'VaultPosition'
          ? positionId(wallet(i), at(accounts.vault, i))
          : globalId(name, `${labelledAddress(name, i)}${name === 'ElevationGroup' ? ':1' : ''}`),
      );
      const charge = await chargeOf(`{ nodes(ids: ${JSON.stringify(ids)}) { id } }`);
      expect({ name, ...charge, covered: isCovered(charge) }).toMatchObject({ name, covered: true });
    }
  });
});

describe('positions', () => {
  const shares = '{ totalShares }';

  it('in many vaults of one wallet are one search, and one page of stakes', { timeout: LONG }, async () => {
    const all = `{ vaults(first: 100) { nodes { position(wallet: "${wallet(0)}") ${shares} } } }`;
    const ids = accounts.vault.map((vault) => positionId(wallet(0), vault)).slice(0, MOST);
    const nodes = `{ nodes(ids: ${JSON.stringify(ids)}) { ... on VaultPosition ${shares} } }`;
    for (const query of [all, nodes]) {
      const charge = await chargeOf(query);
      expect(world.proxy.calls.map(({ method }) => method).sort()).toEqual([
        'getMultipleAccounts',
        'getTokenAccountsByOwner',
        'getTokenAccountsByOwner',
      ]);
      // The search once, then for each of at most 100 positions its vault, itself and an account: 500 + 1 + 100 * 12.
      expect(charge.units).toBeLessThanOrEqual(18);
    }
  });

  it('in one vault of one wallet are read once for all aliases', { timeout: LONG }, async () => {
    const aliases = Array.from(
      { length: MOST },
      (_, i) => `a${i}: position(wallet: "${wallet(0)}") ${shares}`,
    );
    const query = `{ vault(address: "${at(accounts.vault, 0)}") { ${aliases.join(' ')} } }`;
    expect(await chargeOf(query)).toMatchObject({ calls: 3, unitsBefore: 17 });
  });

  it('of many wallets are a search each, with their stakes in pages', { timeout: LONG }, async () => {
    const aliases = Array.from(
      { length: MOST },
      (_, i) => `a${i}: position(wallet: "${wallet(i)}") ${shares}`,
    );
    const query = `{ vault(address: "${at(accounts.vault, 0)}") { ${aliases.join(' ')} } }`;
    // The document has over 8,192 characters, which cost two units.
    expect(await chargeOf(query)).toMatchObject({ calls: 202, unitsBefore: 512, units: 512 + 2 });
    expect(world.proxy.count('getMultipleAccounts')).toBe(2);
  });
});

describe('a wallet with more tokens than its search paid for', () => {
  const tokens = 900;
  const rich = labelledAddress('rich wallet', 0);

  it('pays for the pages of their mints', { timeout: LONG }, async () => {
    const many = await startChangingContractWorld(SETTINGS, (localChain) => {
      for (let i = 0; i < tokens; i += 1) {
        const mint = labelledAddress('unlisted mint', i);
        const facts = { mintAuthority: null, supply: 7n, decimals: 0, freezeAuthority: null, extensions: [] };
        const held = encodeTokenAccount({
          mint,
          owner: rich,
          amount: 1n,
          delegate: null,
          delegatedAmount: 0n,
          frozen: false,
          nativeRentLamports: null,
          closeAuthority: null,
          extensions: [],
        });
        localChain.place(mint, account(encodeMint(facts), TOKEN_PROGRAM));
        localChain.place(labelledAddress('token account', i), account(held, TOKEN_PROGRAM));
      }
    });
    try {
      const query = `{ wallet(address: "${rich}") { balances { amount } } }`;
      const { calls, unitsBefore, units } = await chargeOf(query, many);
      // The wallet and two searches, then ten pages of at most 98 mints.
      expect({ calls, unitsBefore }).toEqual({ calls: 3 + 10, unitsBefore: 6 });
      expect(units).toBe(calls);
    } finally {
      await many.stop();
    }
  });
});

describe('a REST operation', () => {
  it('pays for its calls', { timeout: LONG }, async () => {
    const uncovered: string[] = [];
    for (const operation of OPERATIONS) {
      const { params = {}, query = {}, body } = operation.example(world.localChain.addresses);
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      const before = await unitsSpent();
      world.proxy.reset();
      const url = `${path}?${search}`;
      await (operation.method === 'post' ? world.post(url, body ?? {}) : world.get(url));
      const [calls, units] = [world.proxy.calls.length, (await unitsSpent()) - before];
      if (calls > units) uncovered.push(`${operation.id}: ${calls} calls for ${units} units`);
    }
    expect(uncovered).toEqual([]);
  });
});
