import { Hono } from 'hono';
import { Chain } from './chain/chain.ts';
import type { RpcCall } from './chain/rpc/endpoint-pool.ts';
import type { Config } from './config.ts';
import { type EmbeddedChain, startEmbeddedChain } from './demo/embedded-chain.ts';
import { createGraphQLServer, GRAPHQL_PATH } from './graphql/server.ts';
import { statusRoutes } from './rest/status-routes.ts';
import { Platform } from './services/platform.ts';
import {
  type Catalogue,
  EMPTY_CATALOGUE,
  parseCatalogue,
  readCatalogue,
} from './store/catalogue/catalogue.ts';
import type { CatalogueInput } from './store/catalogue/format.ts';

/** A whole gateway: one fetch-style handler, and what runs behind it. */
export interface App {
  /** Answers any request; needs no socket. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The chain that the gateway brought along, when no RPC is configured. */
  readonly embedded: EmbeddedChain | null;
  readonly chain: Chain;
  stop(): Promise<void>;
}

export interface AppHooks {
  readonly onRpcCall?: (call: RpcCall) => void;
  readonly onRefreshFailure?: (error: unknown) => void;
}

/** The configured file; the embedded chain has one of its own; otherwise nothing is known off chain. */
async function catalogueFor(config: Config, embedded: EmbeddedChain | null): Promise<Catalogue> {
  if (config.CATALOGUE_FILE !== '') return await readCatalogue(config.CATALOGUE_FILE);
  if (embedded === null) return EMPTY_CATALOGUE;
  return parseCatalogue(embedded.catalogue as CatalogueInput, 'the embedded catalogue');
}

/** Builds everything and starts reading the chain. It answers at once; `/ready` tells when it can answer well. */
export async function createApp(config: Config, hooks: AppHooks = {}): Promise<App> {
  const embedded = config.embedded ? await startEmbeddedChain({ scale: config.DEMO_SCALE }) : null;
  const chain = new Chain({
    rpcUrls: embedded === null ? config.SOLANA_RPC_URLS : [embedded.rpc.url],
    wsUrls: embedded === null ? config.SOLANA_WS_URLS : [embedded.rpc.wsUrl],
    programs: config.programs,
    cluster: config.SOLANA_CLUSTER,
    commitment: config.SOLANA_COMMITMENT,
    viewRefreshMs: config.VIEW_REFRESH_MS,
    vaultRefreshMs: config.VAULT_REFRESH_MS,
    discoveryIntervalMs: config.DISCOVERY_INTERVAL_MS,
    viewsKept: config.VIEWS_KEPT,
    rpcTimeoutMs: config.RPC_TIMEOUT_MS,
    rpcMaxAttempts: config.RPC_MAX_ATTEMPTS,
    rpcConcurrency: config.RPC_CONCURRENCY,
    ...hooks,
  });
  chain.start();
  const platform = new Platform(chain, await catalogueFor(config, embedded));
  const yoga = createGraphQLServer({ platform, requestTimeoutMs: config.REQUEST_TIMEOUT_MS });
  const others = new Hono();
  others.route('/', statusRoutes(platform));
  others.get('/', (c) => c.redirect(GRAPHQL_PATH));
  if (embedded !== null) others.get('/demo.json', (c) => c.json(embedded.addresses));
  others.notFound((c) => c.json({ error: `There is nothing at ${c.req.path}.` }, 404));
  return {
    fetch: async (request) =>
      new URL(request.url).pathname === GRAPHQL_PATH
        ? await yoga.fetch(request)
        : await others.fetch(request),
    embedded,
    chain,
    async stop() {
      await yoga.dispose();
      await chain.stop();
      await embedded?.stop();
    },
  };
}
