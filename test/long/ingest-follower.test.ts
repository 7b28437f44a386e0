import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { Chain } from '../../src/chain/chain.ts';
import { PlatformIngestion } from '../../src/ingest/platform-ingestion.ts';
import { TransactionFollower } from '../../src/ingest/transaction-follower.ts';
import { DatabaseLease } from '../../src/store/leases/leadership.ts';
import { readLendingEvents } from '../../src/store/transactions/read-lending-events.ts';
import { countVaultEvents, readVaultEvents } from '../../src/store/transactions/read-vault-events.ts';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { byName, eventsOf } from '../support/ingest/world-events.ts';

const ALL = { order: 'oldestFirst', limit: null } as const;

describe.each(databases())('following every vault on $name', (kind) => {
  let localChain: TestChain;
  let rpc: LocalnetRpc;
  let chain: Chain;
  let history: HistoryDatabase;
  let platform: PlatformIngestion;
  let follower: TransactionFollower;
  const failures: unknown[] = [];
  const onFailure = (_: string, error: unknown) => failures.push(error);

  beforeAll(async () => {
    localChain = new TestChain();
    rpc = await serveChain(localChain);
    history = await openHistory(kind);
    chain = new Chain({
      rpcUrls: [rpc.url],
      wsUrls: [],
      programs: MAINNET_PROGRAMS,
      cluster: 'localnet',
      commitment: 'confirmed',
      viewRefreshMs: 100,
      vaultRefreshMs: 300,
      discoveryIntervalMs: 60_000,
      viewsKept: 4,
      rpcTimeoutMs: 60_000,
      rpcMaxAttempts: 3,
      rpcConcurrency: 16,
    });
    chain.start();
    platform = new PlatformIngestion({
      chain,
      db: history.db,
      wholeChain: true,
      requestsPerSecond: 100_000,
      onFailure,
    });
    follower = new TransactionFollower({
      ingestion: platform.ingestion,
      chain,
      leadership: new DatabaseLease({ db: history.db, holder: 'test' }),
      onFailure,
      pollMs: 100,
    });
    follower.start();
  }, 120_000);

  afterAll(async () => {
    await platform.stop();
    await follower.stop();
    await chain.stop();
    await history.drop();
    await rpc.close();
  });

  const storedEvents = async () => {
    const [row] = await history.db.rows('SELECT count(*)::integer AS count FROM vault_event');
    return Number(row?.count);
  };
  const reached = async (wanted: number) => {
    while ((await storedEvents()) < wanted) {
      expect(failures).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  it('reads the whole past of every vault', async () => {
    const happened = eventsOf(localChain.worldChain);
    await reached(happened.vaultEvents.length);
    for (const { address: vault } of localChain.worldChain.world.vaults) {
      const stored = await readVaultEvents(history.db, { vault }, {}, ALL);
      expect(byName(stored)).toEqual(byName(happened.vaultEvents.filter((each) => each.vault === vault)));
    }
  }, 900_000);

  it('shows new transactions within seconds', async () => {
    const before = await storedEvents();
    let happened = eventsOf(localChain.worldChain);
    while (happened.vaultEvents.length < before + 5) {
      localChain.advance(50);
      await new Promise((resolve) => setTimeout(resolve, 5));
      happened = eventsOf(localChain.worldChain);
    }
    await reached(happened.vaultEvents.length);
    expect(await storedEvents()).toBe(happened.vaultEvents.length);
  }, 120_000);

  it('reads a wallet and an obligation on request', async () => {
    const happened = eventsOf(localChain.worldChain);
    const wallet = localChain.worldChain.world.wallets.find(({ obligations }) => obligations.length > 1);
    if (wallet === undefined) throw new Error('a wallet with obligations');
    const options = { caller: 'test', deadlineMs: 30_000 };
    const { address: owner } = wallet;
    const vaults = await platform.ensureIngested(owner, 'walletVaults', options);
    expect(vaults).toMatchObject({ complete: true, running: false, failure: null });
    expect(await countVaultEvents(history.db, { wallet: owner }, {})).toBe(
      happened.vaultEvents.filter((each) => each.wallet === owner).length,
    );
    expect(await platform.ensureIngested(owner, 'walletLending', options)).toMatchObject({ complete: true });
    expect(byName(await readLendingEvents(history.db, { owner }, {}, ALL))).toEqual(
      byName(happened.lendingEvents.filter((each) => each.owner === owner)),
    );
    const { address: obligation } = wallet.obligations[0] ?? { address: owner };
    expect(await platform.ensureIngested(obligation, 'obligation', options)).toMatchObject({
      complete: true,
    });
    const { address: vault } = localChain.worldChain.world.vaults[0] ?? { address: owner };
    expect(await platform.ensureIngested(vault, 'vault', options)).toMatchObject({ complete: true });
  }, 120_000);
});
