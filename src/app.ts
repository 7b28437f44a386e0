import { Hono } from 'hono';
import { routePath } from 'hono/route';
import type { ExtraAccount } from './chain/catalogue.ts';
import { Chain } from './chain/chain.ts';
import type { RpcCall } from './chain/rpc/endpoint-pool.ts';
import type { Config } from './config.ts';
import { type EmbeddedChain, startEmbeddedChain } from './demo/embedded-chain.ts';
import { createGraphQLServer, GRAPHQL_PATH } from './graphql/server.ts';
import { restRoutes, unknownPath } from './rest/rest-routes.ts';
import { statusRoutes } from './rest/status-routes.ts';
import { exampleAddresses } from './services/example-addresses.ts';
import { Platform } from './services/platform.ts';
import {
  type Catalogue,
  EMPTY_CATALOGUE,
  parseCatalogue,
  readCatalogue,
} from './store/catalogue/catalogue.ts';
import type { CatalogueInput } from './store/catalogue/format.ts';
import { type Logger, SILENT } from './telemetry/logger.ts';
import { Metrics } from './telemetry/metrics.ts';
import { internalErrorResponse, observeRequests } from './telemetry/observe-requests.ts';
import { type RequestTrace, UNKNOWN_ROUTE } from './telemetry/request-trace.ts';

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
  /** Nothing is logged without one. */
  readonly logger?: Logger;
  readonly onRpcCall?: (call: RpcCall) => void;
  readonly onRefreshFailure?: (error: unknown) => void;
}

/** The configured file; the embedded chain has one of its own; otherwise nothing is known off chain. */
async function catalogueFor(config: Config, embedded: EmbeddedChain | null): Promise<Catalogue> {
  if (config.CATALOGUE_FILE !== '') return await readCatalogue(config.CATALOGUE_FILE);
  if (embedded === null) return EMPTY_CATALOGUE;
  return parseCatalogue(embedded.catalogue as CatalogueInput, 'the embedded catalogue');
}

/** What only the catalogue names but the View should hold: the mints of its tokens, the tables of its markets. */
function accountsNamedBy({ tokens, markets }: Catalogue): ExtraAccount[] {
  const mints = [...tokens.keys()].map((address) => ({ kind: 'mint', address }) as const);
  const tables = [...markets.values()].flatMap(({ lookupTable }) =>
    lookupTable === null ? [] : [{ kind: 'table', address: lookupTable } as const],
  );
  return [...mints, ...tables];
}

/** Builds everything and starts reading the chain. It answers at once; `/ready` tells when it can answer well. */
export async function createApp(config: Config, hooks: AppHooks = {}): Promise<App> {
  const embedded = config.embedded ? await startEmbeddedChain({ scale: config.DEMO_SCALE }) : null;
  const catalogue = await catalogueFor(config, embedded);
  const logger = hooks.logger ?? SILENT;
  const metrics = new Metrics();
  const chain = new Chain({
    extra: accountsNamedBy(catalogue),
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
    onRpcCall: (call) => {
      metrics.rpcCalled(call);
      hooks.onRpcCall?.(call);
    },
    onRefreshFailure: (error) => {
      metrics.refreshFailed();
      hooks.onRefreshFailure?.(error);
    },
  });
  metrics.watchView(() => chain.views.newest?.moment);
  chain.start();
  const platform = new Platform(chain, catalogue);
  const yoga = createGraphQLServer({
    exampleAddresses: () => ({ ...(embedded?.addresses ?? exampleAddresses(chain.views.newest)) }),
    platform,
    logger,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    maxBodyBytes: config.MAX_BODY_BYTES,
    limits: {
      tokens: config.MAX_QUERY_TOKENS,
      depth: config.MAX_QUERY_DEPTH,
      aliases: config.MAX_QUERY_ALIASES,
      directives: config.MAX_QUERY_DIRECTIVES,
      listItems: config.MAX_LIST_ITEMS,
      cost: config.MAX_QUERY_COST,
      nodes: config.MAX_QUERY_NODES,
    },
  });
  const others = new Hono<{ Bindings: { trace: RequestTrace } }>();
  others.use(async (c, next) => {
    await next();
    const pattern = routePath(c, -1);
    c.env.trace.route = pattern.endsWith('*') ? UNKNOWN_ROUTE : pattern;
  });
  others.onError((error, c) => internalErrorResponse(error, c.env.trace, logger));
  others.route('/', statusRoutes(platform, metrics));
  const { REQUEST_TIMEOUT_MS: requestTimeoutMs, MAX_BODY_BYTES: maxBodyBytes } = config;
  const { PUBLIC_URL: publicUrl } = config;
  others.route('/', restRoutes({ platform, logger, requestTimeoutMs, maxBodyBytes, publicUrl }));
  others.get('/', (c) => c.redirect(GRAPHQL_PATH));
  if (embedded !== null) others.get('/demo.json', (c) => c.json(embedded.addresses));
  others.notFound((c) => c.json(unknownPath(c.req.path), 404));
  const answer = async (request: Request, trace: RequestTrace): Promise<Response> => {
    if (new URL(request.url).pathname !== GRAPHQL_PATH) return await others.fetch(request, { trace });
    trace.route = GRAPHQL_PATH;
    return await yoga.fetch(request, { trace });
  };
  return {
    fetch: observeRequests(answer, logger, metrics),
    embedded,
    chain,
    async stop() {
      await yoga.dispose();
      await chain.stop();
      await embedded?.stop();
    },
  };
}
