import { Hono } from 'hono';
import { routePath } from 'hono/route';
import { getPath } from 'hono/utils/url';
import { type ChainHooks, catalogueFor, startChain } from './app-chain.ts';
import { startHistory } from './app-history.ts';
import type { Chain } from './chain/chain.ts';
import type { Config } from './config.ts';
import { type EmbeddedChain, startEmbeddedChain } from './demo/embedded-chain.ts';
import { createGraphQLServer, GRAPHQL_PATH } from './graphql/server.ts';
import { Cors } from './rest/cors.ts';
import { docsRoutes } from './rest/docs-routes.ts';
import { KeptAnswers } from './rest/kept-answers.ts';
import { type KeptDoor, keptDoor } from './rest/kept-door.ts';
import { compressedJson, withManners } from './rest/manners.ts';
import { documentedSpelling } from './rest/market-segment.ts';
import { restRoutes, unknownPath } from './rest/rest-routes.ts';
import { statusRoutes } from './rest/status-routes.ts';
import { exampleAddresses } from './services/example-addresses.ts';
import { Platform } from './services/platform.ts';
import { type Logger, SILENT } from './telemetry/logger.ts';
import { Metrics } from './telemetry/metrics.ts';
import { internalErrorResponse, observeRequests, RequestGate } from './telemetry/observe-requests.ts';
import { type RequestTrace, UNKNOWN_ROUTE } from './telemetry/request-trace.ts';

/** A whole gateway: one fetch-style handler, and what runs behind it. */
export interface App {
  /** Answers any request; needs no socket. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Answers from a socket what needs no work; a server tries it first and hands everything else to `fetch`. */
  readonly answerKept: KeptDoor;
  /** The chain that the gateway brought along, when no RPC is configured. */
  readonly embedded: EmbeddedChain | null;
  readonly chain: Chain;
  stop(): Promise<void>;
}

export interface AppHooks extends ChainHooks {
  /** Nothing is logged without one. */
  readonly logger?: Logger;
}

const PREFLIGHT_ROUTE = 'preflight';
const GRAPHQL_ALLOW = { allow: 'GET, POST' };

/** Builds everything and starts reading the chain. It answers at once; `/ready` tells when it can answer well. */
export async function createApp(config: Config, hooks: AppHooks = {}): Promise<App> {
  const embedded = config.embedded ? await startEmbeddedChain({ scale: config.DEMO_SCALE }) : null;
  const catalogue = await catalogueFor(config, embedded);
  const logger = hooks.logger ?? SILENT;
  const metrics = new Metrics();
  const chain = startChain(config, catalogue, embedded, metrics, hooks);
  const history = startHistory({ config, chain, catalogue, embedded, logger, metrics });
  const platform = new Platform(chain, catalogue, history.source, {
    // Half of a request's time is for reading; what is not read by then goes on behind it.
    ensure: async (address, kind, signal) =>
      await history
        .transactions('What happened in the past')
        .ensureIngested(address, kind, { deadlineMs: config.REQUEST_TIMEOUT_MS / 2, signal }),
  });
  // Paths are put behind it.
  const publicUrl = config.PUBLIC_URL?.replace(/\/+$/, '') ?? null;
  const yoga = createGraphQLServer({
    exampleAddresses: () => ({ ...(embedded?.addresses ?? exampleAddresses(chain.views.newest)) }),
    platform,
    logger,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    publicUrl,
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
  const spelling = documentedSpelling(config.MARKET_SEGMENT_ALIAS);
  const others = new Hono<{ Bindings: { trace: RequestTrace } }>({
    getPath: (request) => spelling(getPath(request)),
  });
  others.use(async (c, next) => {
    await next();
    const pattern = routePath(c, -1);
    c.env.trace.route = pattern.endsWith('*') ? UNKNOWN_ROUTE : pattern;
  });
  others.onError((error, c) => internalErrorResponse(error, c.env.trace, logger));
  others.route('/', statusRoutes(platform, metrics));
  const { REQUEST_TIMEOUT_MS: requestTimeoutMs, MAX_BODY_BYTES: maxBodyBytes } = config;
  const { VIEW_REFRESH_MS: viewRefreshMs } = config;
  const kept = new KeptAnswers();
  const rest = { platform, logger, requestTimeoutMs, maxBodyBytes, viewRefreshMs, publicUrl, kept };
  others.route('/', docsRoutes());
  others.route('/', restRoutes(rest));
  others.get('/', (c) => c.redirect(GRAPHQL_PATH));
  if (embedded !== null) others.get('/demo.json', (c) => c.json(embedded.addresses));
  others.notFound((c) => c.json(unknownPath(c.req.path), 404));
  const cors = new Cors(config.CORS_ORIGINS);
  const gate = new RequestGate(logger, metrics);
  const answer = async (request: Request, trace: RequestTrace): Promise<Response> => {
    if (Cors.isPreflight(request)) {
      trace.route = PREFLIGHT_ROUTE;
      return cors.preflight(request);
    }
    if (new URL(request.url).pathname !== GRAPHQL_PATH) return await others.fetch(request, { trace });
    trace.route = GRAPHQL_PATH;
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: GRAPHQL_ALLOW });
    return await compressedJson(request, await yoga.fetch(request, { trace }));
  };
  return {
    fetch: withManners(observeRequests(answer, gate, logger), cors),
    answerKept: keptDoor({ kept, newestView: () => chain.views.newest, gate, cors, publicUrl, spelling }),
    embedded,
    chain,
    async stop() {
      await yoga.dispose();
      await history.stop();
      await chain.stop();
      await embedded?.stop();
    },
  };
}
