import { type LocalnetRpc, startRpcServer } from '@sluice/localnet/rpc/server';
import { createWorldChain, type WorldChain } from '@sluice/localnet/world/world-chain';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterEvent, NO_SHARES } from '../../src/domain/pnl/share-balance.ts';
import { Ingestion } from '../../src/ingest/ingestion.ts';
import {
  countLendingEvents,
  obligationsOfWallet,
  readLendingEvents,
} from '../../src/store/transactions/read-lending-events.ts';
import {
  countVaultEvents,
  POSITION_KINDS,
  readVaultEvents,
  vaultsOfWallet,
} from '../../src/store/transactions/read-vault-events.ts';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import {
  bare,
  byName,
  eventsOf,
  nameOf,
  ownersOf,
  platformOf,
  sourceOver,
  type TestSource,
} from '../support/ingest/world-events.ts';

const START = Date.UTC(2026, 5, 15, 13, 20);
const ALL = { order: 'oldestFirst', limit: null } as const;
const NEWEST = { order: 'newestFirst', limit: null } as const;

describe.each(databases())('the generated world in $name', (kind) => {
  let nowMs = START;
  let localChain: WorldChain;
  let rpc: LocalnetRpc;
  let history: HistoryDatabase;
  let source: TestSource;
  let ingestion: Ingestion;
  let happened: ReturnType<typeof eventsOf>;
  const failures: unknown[] = [];

  beforeAll(async () => {
    localChain = createWorldChain({ now: () => nowMs });
    rpc = await startRpcServer(localChain);
    history = await openHistory(kind);
    const { world } = localChain;
    source = sourceOver(rpc.url, history.db, { platform: platformOf(world), owners: ownersOf(world) });
    ingestion = new Ingestion({ source, onFailure: (_, error) => failures.push(error) });
    happened = eventsOf(localChain);
  }, 120_000);

  afterAll(async () => {
    await ingestion.stop();
    await source.pool.close();
    await history.drop();
    await rpc.close();
  });

  const ensure = (addresses: readonly Address[]) =>
    ingestion.ensure(addresses, { caller: 'test', deadlineMs: 100_000 });
  const vaultAddresses = () =>
    localChain.world.vaults.flatMap(({ address, sharesMint, farm }) => [
      address,
      sharesMint.address,
      ...(farm === null ? [] : [farm.address]),
    ]);

  it('has every vault by its own addresses', async () => {
    const status = await ensure(vaultAddresses());
    expect(status).toMatchObject({ complete: true, missing: 0, problems: 0, gap: false, failure: null });
    for (const { address } of localChain.world.vaults) {
      const stored = await readVaultEvents(history.db, { vault: address }, {}, ALL);
      const expected = happened.vaultEvents.filter(({ vault }) => vault === address);
      expect(byName(stored)).toEqual(byName(expected));
      expect(await countVaultEvents(history.db, { vault: address }, {})).toBe(expected.length);
    }
  }, 120_000);

  it('has every wallet, and lists its events in chain order', async () => {
    const wallets = localChain.world.wallets.map(({ address }) => address);
    const obligations = localChain.world.wallets.flatMap((each) =>
      each.obligations.map(({ address }) => address),
    );
    // At most the size of the queue.
    const all = [...wallets, ...obligations];
    for (let i = 0; i < all.length; i += 400) {
      const whole = { complete: true, missing: 0, problems: 0, failure: null };
      expect(await ensure(all.slice(i, i + 400))).toMatchObject(whole);
    }
    expect(failures).toEqual([]);
    for (const wallet of wallets) {
      const vaultEvents = await readVaultEvents(history.db, { wallet }, {}, ALL);
      expect(byName(vaultEvents)).toEqual(
        byName(happened.vaultEvents.filter((each) => each.wallet === wallet)),
      );
      const lendingEvents = await readLendingEvents(history.db, { owner: wallet }, {}, ALL);
      expect(byName(lendingEvents)).toEqual(
        byName(happened.lendingEvents.filter((each) => each.owner === wallet)),
      );
      const positions = await readVaultEvents(history.db, { wallet }, { kinds: POSITION_KINDS }, NEWEST);
      expect(signatures(positions)).toEqual(
        localChain
          .transactionsOf(wallet)
          .map(({ signature }) => signature)
          .filter((signature) => positions.some((each) => each.signature === signature)),
      );
    }
  }, 240_000);

  it('contains each event exactly once', async () => {
    const rows = await history.db.rows(
      `SELECT (SELECT count(*)::integer FROM vault_event) AS vault, (SELECT count(*)::integer FROM lending_event) AS lending,
        (SELECT count(*)::integer FROM vault_event WHERE tail_of IS NOT NULL) AS tails`,
    );
    expect(rows).toEqual([
      { vault: happened.vaultEvents.length, lending: happened.lendingEvents.length, tails: 0 },
    ]);
  });

  it('sums to the shares of every wallet in every vault', async () => {
    let held = 0;
    for (const wallet of localChain.world.wallets) {
      const vaults = await vaultsOfWallet(history.db, wallet.address);
      for (const vault of localChain.world.vaults) {
        const scope = { wallet: wallet.address, vault: vault.address };
        const events = await readVaultEvents(history.db, scope, { kinds: POSITION_KINDS }, ALL);
        let balance = NO_SHARES;
        for (const event of events) {
          balance = afterEvent(balance, event);
          expect(balance.staked >= 0n && balance.unstaked >= 0n, event.signature).toBe(true);
        }
        expect(vaults.includes(vault.address)).toBe(events.length > 0);
        const stake = vault.farm === null ? 0n : (wallet.stakes.get(vault.farm.address)?.stake ?? 0n);
        const amount = wallet.holdings.get(vault.sharesMint.address)?.amount ?? 0n;
        expect([balance.staked, balance.unstaked]).toEqual([stake, amount]);
        if (stake + amount > 0n) held += 1;
      }
    }
    expect(held).toBeGreaterThan(300);
  }, 120_000);

  it('reads by obligation, by market, by kind and by time', async () => {
    const owner = busiestOwner(happened.lendingEvents);
    const mine = happened.lendingEvents.filter((each) => each.owner === owner);
    expect(await obligationsOfWallet(history.db, owner)).toEqual(
      [...new Set(mine.map(({ obligation }) => obligation))].sort(),
    );
    for (const obligation of new Set(mine.map((each) => each.obligation))) {
      const stored = await readLendingEvents(history.db, { obligation }, {}, ALL);
      expect(byName(stored)).toEqual(
        byName(happened.lendingEvents.filter((e) => e.obligation === obligation)),
      );
    }
    for (const market of new Set(mine.map((each) => each.market))) {
      const filter = { kinds: ['borrow', 'repay'] } as const;
      const expected = mine.filter((e) => e.market === market && (e.kind === 'borrow' || e.kind === 'repay'));
      expect(byName(await readLendingEvents(history.db, { owner, market }, filter, ALL))).toEqual(
        byName(expected),
      );
      expect(await countLendingEvents(history.db, { owner, market }, filter)).toBe(expected.length);
    }
    const [start, end] = [mine[2]?.time ?? 0, mine[mine.length - 2]?.time ?? 0];
    const between = { start: new Date(start * 1_000), end: new Date(end * 1_000) };
    expect(byName(await readLendingEvents(history.db, { owner }, between, ALL))).toEqual(
      byName(mine.filter(({ time }) => time >= start && time < end)),
    );
  });

  it('pages without duplicates or gaps in both directions', async () => {
    const vault = busiestVault(happened.vaultEvents);
    const whole = await readVaultEvents(history.db, { vault }, {}, NEWEST);
    for (const order of ['newestFirst', 'oldestFirst'] as const) {
      const seen = [];
      for (let after = null; ; after = seen.at(-1) ?? null) {
        const page = await readVaultEvents(history.db, { vault }, {}, { order, limit: 7, after });
        seen.push(...page);
        if (page.length < 7) break;
      }
      expect(seen.map(nameOf)).toEqual((order === 'newestFirst' ? whole : whole.toReversed()).map(nameOf));
    }
    const [first, , , fourth] = whole;
    const inside = { order: 'newestFirst', limit: 10, after: first, before: fourth } as const;
    expect(await readVaultEvents(history.db, { vault }, {}, inside)).toEqual(whole.slice(1, 3));
  });

  it('answers again without reading transactions, and shows new ones', async () => {
    source.calls.length = 0;
    const vault = busiestVault(happened.vaultEvents);
    const before = await readVaultEvents(history.db, { vault }, {}, NEWEST);
    await ingestion.ensure(vaultAddresses(), { caller: 'test', deadlineMs: 60_000, maxAgeMs: 0 });
    expect(source.calls.filter(({ method }) => method === 'getTransaction')).toEqual([]);
    for (let i = 0; i < 3_000; i += 1) {
      nowMs += 400;
      localChain.tick();
    }
    happened = eventsOf(localChain);
    await ingestion.ensure(vaultAddresses(), { caller: 'test', deadlineMs: 60_000, maxAgeMs: 0 });
    const after = await readVaultEvents(history.db, { vault }, {}, NEWEST);
    expect(byName(after)).toEqual(byName(happened.vaultEvents.filter((each) => each.vault === vault)));
    expect(after.length).toBeGreaterThan(before.length);
    expect(after.slice(after.length - before.length).map(bare)).toEqual(before.map(bare));
    expect(after.every(({ final }) => final)).toBe(true);
  }, 120_000);
});

function signatures(events: readonly { readonly signature: string }[]): string[] {
  return [...new Set(events.map(({ signature }) => signature))];
}

function mostFrequent(names: readonly Address[]): Address {
  const counts = new Map<Address, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [top] = [...counts].sort(([, a], [, b]) => b - a);
  if (top === undefined) throw new Error('nothing happened');
  return top[0];
}

const busiestVault = (events: readonly { readonly vault: Address }[]) =>
  mostFrequent(events.map(({ vault }) => vault));

const busiestOwner = (events: readonly { readonly owner: Address | null }[]) =>
  mostFrequent(events.map(({ owner }) => owner).filter((owner) => owner !== null));
