import type { LocalChain } from '@sluice/localnet/chain';
import type { RequestLog } from '@sluice/localnet/rpc/request-log';
import { startRpcServer } from '@sluice/localnet/rpc/server';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createEndpointPool } from '@sluice/rpc-pool';
import { onTestFinished, vi } from 'vitest';
import { AccountReader } from '../../../src/chain/accounts/account-reader.ts';
import type { View } from '../../../src/chain/view/view.ts';
import { ViewKeeper } from '../../../src/chain/view/view-keeper.ts';
import { ViewStore } from '../../../src/chain/view/view-store.ts';

export const VIEW_REFRESH_MS = 2_000;
export const VAULT_REFRESH_MS = 16_000;

export interface ChainKeeper {
  readonly keeper: ViewKeeper;
  /** Calls of the RPC since the last refresh began. */
  readonly requests: RequestLog;
  /** Lets time pass and refreshes the View. */
  refreshAfter(ms: number): Promise<View>;
}

/** A keeper over the RPC server of a chain. It has read everything once. The test advances its timers. */
export async function keeperOverChain(localChain: LocalChain): Promise<ChainKeeper> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await startRpcServer(localChain);
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
  });
  await keeper.read();
  return {
    keeper,
    requests: server.requests,
    async refreshAfter(ms) {
      vi.advanceTimersByTime(ms);
      server.requests.reset();
      return await keeper.read();
    },
  };
}
