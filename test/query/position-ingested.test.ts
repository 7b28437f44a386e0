import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  serveChain,
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { Chain } from '../../src/chain/chain.ts';
import { EMPTY_CATALOGUE } from '../../src/config/catalogue/empty-catalogue.ts';
import { loadConfig } from '../../src/config/config.ts';
import { PlatformIngestion } from '../../src/ingest/platform-ingestion.ts';
import { positionPnl } from '../../src/services/history/vault-positions/position-pnl.ts';
import { vaultTransactionPage } from '../../src/services/history/vault-positions/transaction-pages.ts';
import { Platform } from '../../src/services/platform/platform.ts';
import { vaultPositions } from '../../src/services/wallets/wallets.ts';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';

const NEVER_MS = 2_000_000_000;

let localChain: UnchangedChain;
let rpc: Awaited<ReturnType<typeof serveChain>>;
let history: HistoryDatabase;
let chain: Chain;
let ingestion: PlatformIngestion;
let platform: Platform;
const failures: unknown[] = [];

beforeAll(async () => {
  const [kind] = databases();
  if (kind === undefined) throw new Error('there is no database to test with');
  localChain = unchangedChain();
  [rpc, history] = await Promise.all([serveChain(localChain), openHistory(kind)]);
  chain = new Chain({
    rpcUrls: [rpc.url],
    wsUrls: [],
    programs: loadConfig({}).programs,
    cluster: 'localnet',
    commitment: 'confirmed',
    viewRefreshMs: NEVER_MS,
    vaultRefreshMs: NEVER_MS,
    discoveryIntervalMs: NEVER_MS,
    viewsKept: 3,
    rpcTimeoutMs: 20_000,
    rpcMaxAttempts: 1,
    rpcConcurrency: 4,
  });
  const first = new Promise((resolve) => chain.views.onView(resolve));
  chain.start();
  await first;
  ingestion = new PlatformIngestion({
    chain,
    db: history.db,
    wholeChain: true,
    requestsPerSecond: 1_000,
    onFailure: (_, error) => failures.push(error),
  });
  platform = new Platform({
    chain,
    catalogue: EMPTY_CATALOGUE,
    history: {
      database: () => history.db,
      state: () => ({ status: 'ready', doing: null, percent: null, leading: null, lagMs: null }),
    },
    transactions: {
      ensure: (address, kind, request) =>
        ingestion.ensureIngested(address, kind, { ...request, deadlineMs: 60_000 }),
    },
  });
});

afterAll(async () => {
  await ingestion?.stop();
  await chain?.stop();
  await rpc?.close();
  await history?.drop();
});

it('reads the chain on the first request, and the transactions add up to the current position', async () => {
  const { wallet } = localChain.addresses;
  const session = await platform.openSession({ signal: AbortSignal.timeout(100_000) });
  const page = await vaultTransactionPage(platform, session, { wallet }, {}, { first: 100 });
  expect([page.complete, page.items.length > 1, failures]).toEqual([true, true, []]);
  const positions = await vaultPositions(session, wallet);
  expect(positions.length).toBeGreaterThan(0);
  for (const { vault, totalShares } of positions) {
    const pnl = await positionPnl(platform, session, wallet, vault);
    expect(pnl?.complete).toBe(true);
    const held = pnl?.rows.at(-1)?.position;
    expect(held && toDecimalString(held)).toBe(toDecimalString(totalShares));
  }
});
