import type { AlertRegistry } from '../alerts/registry.ts';
import type { Chain } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import type { EmbeddedChain } from '../demo/embedded-chain.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import type { QueryLimits } from '../graphql/cost/limits.ts';
import { isForged } from '../graphql/cross-site.ts';
import { graphiqlFile } from '../graphql/graphiql/graphiql-files.ts';
import { GraphiQLPage } from '../graphql/graphiql/graphiql-page.ts';
import { graphqlError, graphqlHandler } from '../graphql/handler.ts';
import { knownOperations } from '../graphql/persisted/known-operations.ts';
import { createGraphQLServer, GRAPHQL_PATH } from '../graphql/server.ts';
import { REQUEST_COST } from '../http/allowance.ts';
import { AnswerCache } from '../http/answer-cache/answer-cache.ts';
import { RequestKeys } from '../http/answer-cache/request-key.ts';
import { Responder } from '../http/answer-cache/responder.ts';
import { serveCached } from '../http/answer-cache/serve-cached.ts';
import { Cors } from '../http/cors.ts';
import { hasDotSegment } from '../http/dot-segments.ts';
import { asResponse } from '../http/encoded-answer.ts';
import { type ExchangeHandler, RequestPipeline } from '../http/pipeline.ts';
import { type RefusalShape, refusalAnswer } from '../http/refusals.ts';
import { ResponseHeaders } from '../http/response-headers.ts';
import type { HttpApp } from '../http/server.ts';
import type { Live } from '../live/live.ts';
import { isAllowedOrigin } from '../mcp/allowed-origin.ts';
import { documentNames, documentText } from '../mcp/documents.ts';
import { MCP_PATH, mcpError } from '../mcp/mcp-error.ts';
import { builderShape, errorAnswer, readShape } from '../rest/error-answers.ts';
import { documentedSpelling } from '../rest/path-spelling.ts';
import { exampleAddresses } from '../services/example-addresses.ts';
import type { Platform } from '../services/platform.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { AppAccess } from './access.ts';
import type { AppDrift } from './drift.ts';
import { Explorer } from './explorer.ts';
import { isPage, isProbe, servePage } from './free-paths.ts';
import type { McpApp } from './mcp-app.ts';
import type { RestApp } from './rest-app.ts';

export interface RequestHandlerOptions {
  readonly config: Config;
  readonly chain: Chain;
  readonly platform: Platform;
  readonly embedded: EmbeddedChain | null;
  readonly access: AppAccess;
  readonly alerts: AlertRegistry;
  readonly drift: AppDrift;
  readonly live: Live;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing | null;
  /** The REST app is loaded after this, or with the first request for it. */
  readonly firstViewServed: Promise<void>;
  /** Folder of the built explorer. Defaults to that of this package. */
  readonly explorerBuild?: URL | undefined;
}

/** All APIs, the documentation pages and the status paths behind one fetch-style handler. */
export interface RequestHandler extends HttpApp {
  stop(): Promise<void>;
}

const PREFLIGHT_ROUTE = 'preflight';
const GRAPHIQL_FILES = `${GRAPHQL_PATH}/`;

export function queryLimitsOf(config: Config): QueryLimits {
  return {
    tokens: config.MAX_QUERY_TOKENS,
    depth: config.MAX_QUERY_DEPTH,
    aliases: config.MAX_QUERY_ALIASES,
    directives: config.MAX_QUERY_DIRECTIVES,
    listItems: config.MAX_LIST_ITEMS,
    cost: config.MAX_QUERY_COST,
    nodes: config.MAX_QUERY_NODES,
  };
}

/** The documents of the MCP tools, where only known documents are executed. */
const toolDocuments = ({ MCP, PERSISTED_ONLY }: Config): string[] =>
  MCP === 'on' && PERSISTED_ONLY === 'on' ? documentNames().map(documentText) : [];

/** Errors before an API has seen the request, in the format of the API that the path belongs to. */
const refusalShape: RefusalShape = (target) => {
  if (/^\/graphql(?:[/?]|$)/.test(target)) return graphqlError;
  if (/^\/mcp(?:\?|$)/.test(target)) return mcpError;
  const shape = /^\/(?:ktx\/|transactions(?:[/?]|$))/.test(target) ? builderShape : readShape;
  return (error) => errorAnswer(shape, error);
};

export async function createRequestHandler(options: RequestHandlerOptions): Promise<RequestHandler> {
  const { config, chain, platform, embedded, access, live, logger, metrics, tracing } = options;
  // Paths are appended to it.
  const publicUrl = config.PUBLIC_URL?.replace(/\/+$/, '') ?? null;
  const documentedPath = documentedSpelling(config.MARKET_SEGMENT_ALIAS);
  const keys = new RequestKeys({ publicUrl, bodyPath: GRAPHQL_PATH, documentedPath });
  const newestView = () => chain.views.newest?.moment.id;
  const isReadable = (view: string) => chain.views.find(view) !== undefined;
  const cache = new AnswerCache();
  const stopPruning = chain.views.onView(() => cache.prune(isReadable));
  const responder = new Responder(cache, { newest: newestView, isReadable });
  const knownAddresses = () => ({ ...(embedded?.addresses ?? exampleAddresses(chain.views.newest)) });
  const exampleValues = () => ({
    ...knownAddresses(),
    ...(embedded && { transaction: embedded.exampleTransaction }),
  });
  const yoga = createGraphQLServer({
    live,
    alerts: options.alerts,
    exampleValues,
    platform,
    logger,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    publicUrl,
    maxBodyBytes: config.MAX_BODY_BYTES,
    introspection: config.INTROSPECTION === 'on',
    executor: config.GRAPHQL_EXECUTOR,
    persisted: await knownOperations(config, toolDocuments(config)),
    limits: queryLimitsOf(config),
  });
  const graphql = graphqlHandler({ yoga, responder, keys, tracing });
  let loading: Promise<RestApp> | undefined;
  const restApp = () => {
    loading ??= import('./rest-app.ts').then(({ createRestApp }) =>
      createRestApp({ ...options, publicUrl, documentedPath, responder, exampleAddresses: knownAddresses }),
    );
    return loading;
  };
  let loadingMcp: Promise<McpApp> | undefined;
  const mcpApp = () => {
    loadingMcp ??= import('./mcp-app.ts').then(({ createMcpApp }) => createMcpApp({ config, logger, yoga }));
    return loadingMcp;
  };
  let stopped = false;
  void options.firstViewServed.then(() => (stopped ? undefined : restApp()));

  const explorer = config.EXPLORER === 'on' ? new Explorer(options.explorerBuild) : null;
  const cors = new Cors(config.CORS_ORIGINS);
  const origins = { corsOrigins: config.CORS_ORIGINS, publicUrl };
  const responseHeaders = new ResponseHeaders({
    cors,
    https: publicUrl?.startsWith('https:') ?? false,
    private: config.REQUIRE_KEY === 'on',
  });
  const pipeline = new RequestPipeline(logger, metrics, access.admission);
  const handle: ExchangeHandler = async (request, exchange, connection) => {
    const { trace, allowance } = exchange;
    if (Cors.isPreflight(request)) {
      trace.route = PREFLIGHT_ROUTE;
      return cors.preflight(request);
    }
    const received = connection?.incoming?.url ?? '';
    if (hasDotSegment(received)) {
      const refusal = await allowance.spend(REQUEST_COST);
      if (refusal !== null) return asResponse(refusalAnswer(refusalShape(received), refusal, trace));
      return Response.json({ error: `There is nothing at ${received.slice(0, 200)}.` }, { status: 404 });
    }
    const { pathname } = new URL(request.url);
    const path = documentedPath(pathname);
    const isGraphQL = pathname === GRAPHQL_PATH;
    const isMcp = pathname === MCP_PATH && config.MCP === 'on';
    if (isGraphQL) trace.route = GRAPHQL_PATH;
    if (isMcp) trace.route = MCP_PATH;
    const answer = async () => {
      if (isGraphQL) return await graphql(request, exchange, connection);
      if (isMcp) {
        const mcp = await mcpApp();
        return await responder.respond(request, exchange, null, () => mcp(request, exchange));
      }
      const page = await explorer?.respond(request, pathname);
      if (page !== undefined) {
        trace.route = page.route;
        return page.response;
      }
      if (!pathname.startsWith(GRAPHIQL_FILES)) return await (await restApp()).fetch(request, exchange);
      const file = await graphiqlFile(pathname.slice(GRAPHIQL_FILES.length));
      if (file === undefined) return await (await restApp()).fetch(request, exchange);
      trace.route = `${GRAPHIQL_FILES}{file}`;
      return asResponse(await file.answer(request));
    };
    const refused = (refusal: SluiceError) => asResponse(refusalAnswer(refusalShape(path), refusal, trace));
    if (isProbe(path)) return await answer();
    if (isPage(path) || (isGraphQL && GraphiQLPage.isWanted(request)))
      return await servePage(access.pages, request, connection, { answer, refused });
    // Not charged: a page of another site must not spend the budget of its visitors.
    if (isGraphQL && isForged(request, cors)) return refused(new SluiceError('CROSS_SITE_REQUEST', {}));
    if (isMcp && !isAllowedOrigin(request.headers.get('origin'), origins))
      return refused(new SluiceError('ORIGIN_NOT_ALLOWED', {}));
    const refusal = await allowance.spend(REQUEST_COST);
    if (refusal !== null) return refused(refusal);
    await exchange.turn();
    return await answer();
  };
  const traced: ExchangeHandler =
    tracing === null
      ? handle
      : (request, exchange, connection) =>
          tracing.request(request, exchange.trace, () => handle(request, exchange, connection));
  return {
    fetch: responseHeaders.around(pipeline.around(traced)),
    // A traced request needs a span, so it takes the full path.
    serveCached: (next) =>
      tracing === null
        ? serveCached({ cache, newestView, keys, pipeline, responseHeaders, refusalShape }, next)
        : next,
    async stop() {
      stopped = true;
      stopPruning();
      await loading;
      await yoga.dispose();
    },
  };
}
