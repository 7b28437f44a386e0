import type { Rpc, SolanaRpcApi } from '@solana/kit';
import { Chain } from '../chain/chain.ts';
import { createEndpointPool } from '../chain/rpc/endpoint-pool.ts';
import { loadConfig } from '../config.ts';
import { Platform } from '../services/platform.ts';
import { EMPTY_CATALOGUE, readCatalogue } from '../store/catalogue/catalogue.ts';
import { actionsFor, subjectOf } from './actions.ts';
import type { CheckArguments } from './arguments.ts';
import { refuseMainnet } from './send.ts';
import { type Say, walk } from './walk.ts';

/** Walks all six actions; true when every step went well. Programs, time limits and catalogue are the settings'. */
export async function checkPrograms(args: CheckArguments, say: Say): Promise<boolean> {
  const config = loadConfig({ ...process.env, SOLANA_RPC_URLS: args.rpcUrl, SOLANA_WS_URLS: '' });
  const pool = createEndpointPool({
    urls: [args.rpcUrl],
    timeoutMs: config.RPC_TIMEOUT_MS,
    maxAttempts: config.RPC_MAX_ATTEMPTS,
    maxConcurrencyPerEndpoint: config.RPC_CONCURRENCY,
  });
  const chain = new Chain({
    rpcUrls: [args.rpcUrl],
    wsUrls: [],
    programs: config.programs,
    cluster: config.SOLANA_CLUSTER,
    commitment: config.SOLANA_COMMITMENT,
    viewRefreshMs: config.VIEW_REFRESH_MS,
    vaultRefreshMs: config.VAULT_REFRESH_MS,
    discoveryIntervalMs: config.DISCOVERY_INTERVAL_MS,
    viewsKept: 1,
    rpcTimeoutMs: config.RPC_TIMEOUT_MS,
    rpcMaxAttempts: config.RPC_MAX_ATTEMPTS,
    rpcConcurrency: config.RPC_CONCURRENCY,
  });
  try {
    const rpc: Rpc<SolanaRpcApi> = pool.rpc;
    if (args.send) await refuseMainnet(rpc);
    const file = config.CATALOGUE_FILE;
    const platform = new Platform(chain, file === '' ? EMPTY_CATALOGUE : await readCatalogue(file));
    await firstView(chain, config.RPC_TIMEOUT_MS * config.RPC_MAX_ATTEMPTS);
    const session = await platform.openSession({ signal: AbortSignal.timeout(config.REQUEST_TIMEOUT_MS) });
    const subject = subjectOf(session, args);
    say(
      `wallet ${args.wallet}, vault ${subject.vault}, market ${subject.market}, reserves ${subject.reserve} and ${subject.borrowReserve}`,
    );
    const context = { platform, rpc, say, timeoutMs: config.REQUEST_TIMEOUT_MS };
    return await walk(actionsFor(subject, args), args.send ? args.signer : null, context);
  } finally {
    await chain.stop();
    await pool.close();
  }
}

/** Starts reading; gives up with the reason of the last failure when no View comes in time. */
async function firstView(chain: Chain, timeoutMs: number): Promise<void> {
  const came = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    chain.views.onView(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
  chain.start();
  // Without a View this throws what a request would be told.
  if (!(await came)) chain.views.current();
}
