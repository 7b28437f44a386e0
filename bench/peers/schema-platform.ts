import { startChain } from '../../src/app/chain.ts';
import { EMPTY_CATALOGUE } from '../../src/config/catalogue/empty-catalogue.ts';
import { loadConfig } from '../../src/config/config.ts';
import { Warnings } from '../../src/graphql/warnings.ts';
import { Platform } from '../../src/services/platform/platform.ts';
import type { Session } from '../../src/services/request/session.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';

/** The context our resolvers need, without limits, metrics or logging. */
export interface PlainContext {
  readonly platform: Platform;
  readonly session: Session;
  readonly baseUrl: string;
  readonly warnings: Warnings;
}

const MAX_WAIT_MS = 60_000;

/** Starts our chain reader for other servers. Each request gets its own session. */
export function startPlatform(rpcUrl: string): () => Promise<PlainContext> {
  const config = loadConfig({
    SOLANA_RPC_URLS: rpcUrl,
    SOLANA_CLUSTER: 'localnet',
    VIEW_REFRESH_MS: '600000',
  });
  const chain = startChain(config, EMPTY_CATALOGUE, null, new Metrics(), {});
  const platform = new Platform({ chain, catalogue: EMPTY_CATALOGUE });
  const never = new AbortController().signal;
  return async () => {
    const signal = chain.views.newest === undefined ? AbortSignal.timeout(MAX_WAIT_MS) : never;
    return {
      platform,
      session: await platform.openSession({ signal }),
      baseUrl: '',
      warnings: new Warnings(),
    };
  };
}
