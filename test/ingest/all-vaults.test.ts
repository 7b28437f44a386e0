import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Chain } from '../../src/chain/chain.ts';
import { PlatformIngestion } from '../../src/ingest/platform-ingestion.ts';
import { addressIds } from '../../src/store/history/address-ids.ts';
import { moveCursor, NEW_CURSOR } from '../../src/store/transactions/cursors.ts';
import { addRange, scopeOf } from '../../src/store/transactions/slot-ranges.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { StreamWorld } from '../support/ingest/stream-world.ts';

const SCOPE = scopeOf(MAINNET_PROGRAMS);
const SYNCED = 1_000n;

describe.each(postgres())('the transactions of all vaults on $name', (kind) => {
  let world: StreamWorld;
  let chain: Chain;
  let history: HistoryDatabase;
  let lists = 0;

  beforeAll(async () => {
    world = await StreamWorld.open();
    history = await openHistory(kind);
    chain = new Chain({
      rpcUrls: [world.rpcUrl],
      wsUrls: [],
      programs: MAINNET_PROGRAMS,
      cluster: 'localnet',
      commitment: 'confirmed',
      viewRefreshMs: 1_000,
      vaultRefreshMs: 1_000,
      discoveryIntervalMs: 60_000,
      viewsKept: 2,
      rpcTimeoutMs: 60_000,
      rpcMaxAttempts: 3,
      rpcConcurrency: 16,
      onRpcCall: ({ method }) => {
        if (method === 'getSignaturesForAddress') lists += 1;
      },
    });
    chain.start();
    while (chain.views.newest === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  }, 300_000);
  afterAll(async () => {
    await chain.stop();
    await history.drop();
    await world.close();
  });

  /** Every list was read completely up to the slot. */
  beforeEach(async () => {
    lists = 0;
    await history.db.run('DELETE FROM ingest_slots');
    await history.db.run('DELETE FROM ingest_cursor');
    const vaults = world.chain.world.vaults.map(({ address }) => address);
    const ids = await addressIds(history.db, vaults);
    const whole = { ...NEW_CURSOR, reachedStart: true, syncedSlot: SYNCED, seenSlot: SYNCED };
    for (const vault of vaults) await moveCursor(history.db, ids.get(vault) ?? 0, NEW_CURSOR, whole);
  });

  async function ensure() {
    const platform = new PlatformIngestion({
      chain,
      db: history.db,
      wholeChain: true,
      requestsPerSecond: 100_000,
      onFailure: (_, error) => {
        throw error;
      },
    });
    const options = { caller: 'test', deadlineMs: 120_000, enough: async () => true };
    const status = await platform.ensureIngested(MAINNET_PROGRAMS.kvault, 'allVaults', options);
    await platform.stop();
    return status;
  }

  it('are complete without a list while a stream continues them', async () => {
    await addRange(history.db, SCOPE, { from: SYNCED + 1n, to: SYNCED + 50n });
    expect(await ensure()).toMatchObject({ complete: true, unread: false });
    expect(lists).toBe(0);
  }, 300_000);

  it.each([
    [
      'has not been written lately',
      async () => {
        await addRange(history.db, SCOPE, { from: SYNCED + 1n, to: SYNCED + 50n });
        await history.db.run("UPDATE ingest_slots SET written_at = written_at - interval '2 minutes'");
      },
    ],
    [
      'began after the lists were read',
      () => addRange(history.db, SCOPE, { from: SYNCED + 2n, to: SYNCED + 50n }),
    ],
  ])(
    'are listed when a stream %s',
    async (_, prepare) => {
      await prepare();
      await ensure();
      expect(lists).toBeGreaterThanOrEqual(world.chain.world.vaults.length);
    },
    300_000,
  );
});
