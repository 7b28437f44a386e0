import { onTestFinished, vi } from 'vitest';
import { AccountReader } from '../../../src/chain/account-reader.ts';
import { createEndpointPool } from '../../../src/chain/rpc/endpoint-pool.ts';
import type { View } from '../../../src/chain/view.ts';
import { ViewKeeper } from '../../../src/chain/view-keeper.ts';
import { ViewStore } from '../../../src/chain/view-store.ts';
import type { Ledger } from '../../../src/demo/ledger.ts';
import type { RequestLog } from '../../../src/demo/rpc/request-log.ts';
import { startDemoRpc } from '../../../src/demo/rpc/server.ts';
import { MAINNET_PROGRAMS } from '../../../src/programs/program-ids.ts';

export const VIEW_REFRESH_MS = 2_000;
export const VAULT_REFRESH_MS = 16_000;

export interface LedgerKeeper {
  readonly keeper: ViewKeeper;
  /** What the RPC was asked since the last refresh began. */
  readonly requests: RequestLog;
  /** Lets time pass and refreshes the View. */
  refreshAfter(ms: number): Promise<View>;
}

/** A keeper over the RPC server of a ledger. It has read everything once. The test advances its timers. */
export async function keeperOverLedger(ledger: Ledger): Promise<LedgerKeeper> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await startDemoRpc(ledger);
  onTestFinished(() => server.close());
  const pool = createEndpointPool({
    urls: [server.url],
    timeoutMs: 60_000,
    maxAttempts: 4,
    maxConcurrencyPerEndpoint: 16,
    allowsWarp: true,
  });
  onTestFinished(() => pool.close());
  const keeper = new ViewKeeper({
    rpc: pool.rpc,
    reader: new AccountReader(pool.rpc, { commitment: 'confirmed' }),
    store: new ViewStore(1),
    programs: MAINNET_PROGRAMS,
    commitment: 'confirmed',
    viewRefreshMs: VIEW_REFRESH_MS,
    vaultRefreshMs: VAULT_REFRESH_MS,
    discoveryIntervalMs: 3_600_000,
    refreshTimeoutMs: 60_000,
  });
  await keeper.refresh();
  return {
    keeper,
    requests: server.requests,
    async refreshAfter(ms) {
      vi.advanceTimersByTime(ms);
      server.requests.reset();
      return await keeper.refresh();
    },
  };
}
