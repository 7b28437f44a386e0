import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import type { TransactionEvents } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activeBorrows, activeDeposits } from '../../src/domain/obligation.ts';
import { type LendingWorld, startLendingWorld } from '../support/apps/lending-history-app.ts';
import {
  writeFarmEvents,
  writeLendingEvents,
  writeQueueEvents,
  writeVaultEvents,
} from '../support/history/lending-events.ts';
import { eventsOf } from '../support/ingest/world-events.ts';

interface Entry {
  readonly __typename: string;
  readonly kind: string;
  readonly signature: string;
  readonly slot: string;
  readonly unknown: readonly string[];
  readonly vaultAddress?: string;
  readonly sharesChange?: string;
  readonly obligationAddress?: string;
  readonly reserveAddress?: string;
  readonly collateralChange?: string;
  readonly debtChange?: string;
  readonly farmAddress?: string;
  readonly stakeChange?: string | null;
}

interface Page {
  readonly complete: boolean;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly { readonly cursor: string; readonly node: Entry }[];
}

const QUERY = `query ($wallet: Address!, $first: Int, $after: String, $last: Int, $before: String, $filter: ActivityFilter) {
  wallet(address: $wallet) { activity(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
    complete pageInfo { hasNextPage endCursor } edges { cursor node { __typename kind signature slot unknown
      ... on VaultActivity { vaultAddress sharesChange }
      ... on LendingActivity { obligationAddress reserveAddress collateralChange debtChange }
      ... on FarmActivity { farmAddress stakeChange } } } } } }`;

let world: LendingWorld;
let events: TransactionEvents;
/** Those with the longest histories first, without curators. */
let wallets: Address[];
/** One with a ticket of a withdraw queue, if there is any. */
let queued: Address[];

beforeAll(async () => {
  world = await startLendingWorld();
  events = eventsOf(world.localChain.worldChain);
  const counts = new Map<Address, number>();
  const cranks = new Set(
    events.vaultEvents.flatMap(({ kind, wallet }) => (kind === 'invest' ? [wallet] : [])),
  );
  const count = (wallet: Address | null) => wallet && counts.set(wallet, (counts.get(wallet) ?? 0) + 1);
  for (const { wallet } of [...events.vaultEvents, ...events.farmEvents, ...events.queueEvents])
    count(wallet);
  for (const { owner } of events.lendingEvents) count(owner);
  wallets = [...counts]
    .filter(([wallet, own]) => own < 60 && !cranks.has(wallet))
    .sort(([, a], [, b]) => b - a)
    .map(([wallet]) => wallet);
  queued = events.queueEvents.map(({ wallet }) => wallet).slice(0, 1);
  const read = new Set<Address | null>([...wallets.slice(0, 12), ...queued]);
  const lending = events.lendingEvents.filter(({ owner }) => read.has(owner));
  const { db } = world.history;
  await writeVaultEvents(
    db,
    events.vaultEvents.filter(({ wallet }) => read.has(wallet)),
  );
  await writeLendingEvents(db, lending);
  await writeFarmEvents(
    db,
    events.farmEvents.filter(({ wallet }) => read.has(wallet)),
  );
  await writeQueueEvents(
    db,
    events.queueEvents.filter(({ wallet }) => read.has(wallet)),
  );
  const obligations = lending.map(({ obligation }) => obligation);
  await world.read([...new Set([...read, ...obligations])].filter((each) => each !== null));
});
afterAll(() => world?.stop());

async function pageOf(wallet: string, page: object, filter: object | null = null): Promise<Page> {
  const { data, errors } = await world.query<{ wallet: { activity: Page } }>(QUERY, {
    wallet,
    filter,
    ...page,
  });
  expect(errors).toEqual([]);
  return data.wallet.activity;
}

async function everything(wallet: string, size: number, filter: object | null = null): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page = await pageOf(wallet, { first: size, after }, filter);
    entries.push(...page.edges.map(({ node }) => node));
    ({ hasNextPage: more, endCursor: after } = page.pageInfo);
  }
  return entries;
}

const NOT_LISTED = ['stake', 'unstake'];

/** The events of a wallet on the chain, by product. */
function happened(wallet: string) {
  return {
    VaultActivity: events.vaultEvents.filter(
      (event) => event.wallet === wallet && !NOT_LISTED.includes(event.kind),
    ),
    LendingActivity: events.lendingEvents.filter(({ owner }) => owner === wallet),
    FarmActivity: events.farmEvents.filter((event) => event.wallet === wallet),
    WithdrawQueueActivity: events.queueEvents.filter((event) => event.wallet === wallet),
  };
}

describe('the activity of a wallet', () => {
  it('has every event of all programs once, newest first, in pages of any size', async () => {
    const types = new Set<string>();
    for (const wallet of [...wallets.slice(0, 4), ...queued]) {
      const entries = await everything(wallet, 7);
      for (const [type, own] of Object.entries(happened(wallet))) {
        const listed = entries.filter(({ __typename }) => __typename === type);
        expect(listed.map(({ signature }) => signature).sort()).toEqual(
          own.map(({ signature }) => signature).sort(),
        );
        if (own.length > 0) types.add(type);
      }
      const slots = entries.map(({ slot }) => BigInt(slot));
      expect(slots).toEqual([...slots].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
      expect(await everything(wallet, 100)).toEqual(entries);
    }
    expect([...types].sort()).toEqual([
      'FarmActivity',
      'LendingActivity',
      'VaultActivity',
      ...(queued.length === 0 ? [] : ['WithdrawQueueActivity']),
    ]);
  });

  it('is the same from the other end', async () => {
    const [wallet = ''] = wallets;
    const forwards = await pageOf(wallet, { first: 100 });
    const last = await pageOf(wallet, { last: 4 });
    expect(last.edges).toEqual(forwards.edges.slice(-4));
    const before = await pageOf(wallet, { last: 4, before: last.edges[0]?.cursor });
    expect(before.edges).toEqual(forwards.edges.slice(-8, -4));
  });

  it('neither repeats nor skips an entry when transactions arrive between two pages', async () => {
    const [wallet = '' as Address] = wallets;
    const all = await everything(wallet, 100);
    const first = await pageOf(wallet, { first: 3 });
    const [some] = events.farmEvents;
    if (some === undefined) throw new Error('the world has no farm events');
    const newer = { ...some, wallet, slot: some.slot + 900_000_000n, signature: 'newer'.padEnd(60, 'x') };
    await writeFarmEvents(world.history.db, [newer]);
    const rest = await pageOf(wallet, { first: 100, after: first.pageInfo.endCursor });
    expect([...first.edges, ...rest.edges].map(({ node }) => node)).toEqual(all);
    await world.history.db.run('DELETE FROM farm_event WHERE signature = $1', [newer.signature]);
  });

  it('reads as many rows for a page at the end of the history as for the first', async () => {
    const [wallet = ''] = wallets;
    const count = async (page: object) => {
      await world.nextView();
      world.statements.length = 0;
      await pageOf(wallet, { first: 2, ...page });
      return world.statements.filter((each) => each.includes('event') && each.includes('LIMIT')).length;
    };
    const { edges } = await pageOf(wallet, { first: 100 });
    expect(await count({ after: edges.at(-4)?.cursor })).toBe(await count({}));
  });

  it('passes what meets every condition', async () => {
    const [wallet = ''] = wallets;
    const all = await everything(wallet, 100);
    const kinds = ['VAULT_DEPOSIT', 'BORROW'];
    expect(await everything(wallet, 3, { kinds })).toEqual(all.filter(({ kind }) => kinds.includes(kind)));
    expect(await everything(wallet, 3, { products: ['FARM'] })).toEqual(
      all.filter(({ __typename }) => __typename === 'FarmActivity'),
    );
    const vault = all.find(({ vaultAddress }) => vaultAddress !== undefined)?.vaultAddress as Address;
    const { vaultFarm, tokenMint } = world.view.get('vault', vault)?.value ?? {};
    expect(await everything(wallet, 3, { vaults: [vault] })).toEqual(
      all.filter((each) => each.vaultAddress === vault || each.farmAddress === vaultFarm),
    );
    const mintOf = ({ vaultAddress, reserveAddress }: Entry) =>
      vaultAddress === undefined
        ? world.view.get('reserve', reserveAddress as Address)?.value.liquidity.mintPubkey
        : world.view.get('vault', vaultAddress as Address)?.value.tokenMint;
    const ofToken = all.filter((each) => each.farmAddress === undefined && mintOf(each) === tokenMint);
    expect(ofToken.length).toBeGreaterThan(1);
    expect(await everything(wallet, 3, { tokens: [tokenMint], products: ['VAULT', 'LENDING'] })).toEqual(
      ofToken,
    );
  });

  it('refuses a cursor of another filter', async () => {
    const [wallet = ''] = wallets;
    const { pageInfo } = await pageOf(wallet, { first: 1 });
    const variables = { wallet, first: 1, after: pageInfo.endCursor, filter: { products: ['VAULT'] } };
    const { errors } = await world.query(QUERY, variables);
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['CURSOR_INVALID']);
  });

  it('has an entry for a transaction that could not be read, and is then incomplete', async () => {
    const [wallet = ''] = wallets;
    const { db } = world.history;
    const { edges } = await pageOf(wallet, { first: 3 });
    const slot = BigInt(edges[1]?.node.slot ?? 0) + 1n;
    const signature = 'unread'.padEnd(60, 'x');
    await db.run(
      `INSERT INTO ingest_missing (address_id, signature, slot, reason, asked_at)
       SELECT id, $2::text, $3::bigint, 'pruned', now() FROM subject WHERE address = $1::text`,
      [wallet, signature, slot],
    );
    const with1 = await pageOf(wallet, { first: 4 }, { range: { start: '2020-01-01T00:00:00Z' } });
    await db.run('DELETE FROM ingest_missing', []);
    expect(with1.complete).toBe(false);
    expect(with1.edges.map(({ node }) => node.signature)).toEqual([
      edges[0]?.node.signature,
      signature,
      edges[1]?.node.signature,
      edges[2]?.node.signature,
    ]);
    expect(with1.edges[1]?.node).toMatchObject({ kind: 'UNREAD', unknown: ['TRANSACTION'] });
  });
});

describe('balances', () => {
  const added = (sums: Map<string, bigint>, key: string, change: string | null | undefined) =>
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(change ?? 0));

  it('are the sums of the changes, to the base unit', async () => {
    let positions = 0;
    for (const wallet of wallets.slice(0, 12)) {
      const entries = await everything(wallet, 100);
      const [shares, stakes] = [new Map<string, bigint>(), new Map<string, bigint>()];
      const [collateral, debts] = [new Map<string, bigint>(), new Map<string, bigint>()];
      for (const each of entries.reverse()) {
        if (each.vaultAddress !== undefined) added(shares, each.vaultAddress, each.sharesChange);
        // The end of a whole stake does not name its amount.
        if (each.stakeChange === null) stakes.delete(each.farmAddress ?? '');
        else if (each.farmAddress !== undefined) added(stakes, each.farmAddress, each.stakeChange);
        if (each.obligationAddress === undefined) continue;
        const key = `${each.obligationAddress} ${each.reserveAddress}`;
        added(collateral, key, each.collateralChange);
        added(debts, key, each.debtChange);
      }
      const held = await heldBy(wallet);
      expect(nonZero(shares)).toEqual(held.shares);
      expect(nonZero(collateral)).toEqual(held.collateral);
      expect(nonZero(stakes)).toEqual(held.stakes);
      // Debts grow by interest: an open one has a change, and those paid back were paid with interest.
      for (const key of held.debts) expect(debts.get(key)).toBeGreaterThan(0n);
      for (const [key, sum] of debts) if (!held.debts.has(key)) expect(sum).toBeLessThanOrEqual(0n);
      positions += held.shares.size + held.collateral.size;
    }
    expect(positions).toBeGreaterThan(20);
  });

  const nonZero = (sums: ReadonlyMap<string, bigint>) => new Map([...sums].filter(([, sum]) => sum !== 0n));

  async function heldBy(wallet: string) {
    const { data } = await world.query<{
      wallet: {
        vaultPositions: { nodes: { vault: { address: Address }; totalShares: string }[] };
        obligations: { nodes: { address: Address }[] };
        stakes: { delegatee: string; farm: { address: string }; amount: { baseUnits: string } | null }[];
      };
    }>(
      `query ($wallet: Address!) { wallet(address: $wallet) {
        vaultPositions(first: 100) { nodes { vault { address } totalShares } }
        obligations(first: 100) { nodes { address } }
        stakes { farm { address } delegatee activeStake amount { baseUnits } } } }`,
      { wallet },
    );
    const shares = new Map<string, bigint>();
    for (const { vault, totalShares } of data.wallet.vaultPositions.nodes) {
      const decimals = world.view.get('vault', vault.address)?.value.sharesMintDecimals ?? 0n;
      shares.set(
        vault.address,
        parseDecimal(totalShares)
          .mul(parseDecimal(String(10n ** decimals)))
          .floor(),
      );
    }
    const stakes = new Map(
      data.wallet.stakes
        .filter(({ delegatee }) => delegatee === wallet)
        .map(({ farm, amount }) => [farm.address, BigInt(amount?.baseUnits ?? 0)]),
    );
    const collateral = new Map<string, bigint>();
    const debts = new Set<string>();
    const session = await world.platform.openSession({ signal: AbortSignal.timeout(60_000) });
    for (const { address } of data.wallet.obligations.nodes) {
      const { value } = await session.load('obligation', address);
      for (const { depositReserve, depositedAmount } of activeDeposits(value))
        collateral.set(`${address} ${depositReserve}`, depositedAmount);
      for (const { borrowReserve } of activeBorrows(value)) debts.add(`${address} ${borrowReserve}`);
    }
    return { shares, stakes: nonZero(stakes), collateral, debts };
  }
});
