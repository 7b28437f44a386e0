import { type CodedError, SluiceError } from '../errors/sluice-error.ts';
import { isForged } from '../graphql/cross-site.ts';
import { GraphiQLPage } from '../graphql/graphiql/graphiql-page.ts';
import { GRAPHQL_PATH } from '../graphql/server.ts';
import { REQUEST_COST } from '../http/allowance.ts';
import { refuseAmbiguousHost } from '../http/ambiguous-host.ts';
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
import { isAllowedOrigin } from '../mcp/allowed-origin.ts';
import { MCP_PATH } from '../mcp/mcp-error.ts';
import { documentedSpelling, marketSegments } from '../rest/operation/path-spelling.ts';
import type { AppAccess } from './access.ts';
import { mountOf } from './mounts.ts';
import { servePage } from './pages.ts';
import { createParts, type PartsOptions } from './parts.ts';

export interface RequestHandlerOptions
  extends Omit<PartsOptions, 'publicUrl' | 'documentedPath' | 'keys' | 'responder'> {
  readonly access: AppAccess;
}

/** All APIs, the documentation pages and the status paths behind one fetch-style handler. */
export interface RequestHandler extends HttpApp {
  stop(): Promise<void>;
}

const PREFLIGHT_ROUTE = 'preflight';

/** Errors before an API has seen the request, in the format of the API that the path belongs to. */
const refusalShape: RefusalShape = (target) => mountOf(target).refusal;

export async function createRequestHandler(options: RequestHandlerOptions): Promise<RequestHandler> {
  const { config, chain, access, logger, metrics, tracing } = options;
  // Paths are appended to it.
  const publicUrl = config.PUBLIC_URL?.replace(/\/+$/, '') ?? null;
  const documentedPath = documentedSpelling(
    marketSegments(config.MARKET_SEGMENT_ALIAS, config.SOLANA_CLUSTER),
  );
  const keys = new RequestKeys({ publicUrl, bodyPath: GRAPHQL_PATH, documentedPath });
  const newestView = () => chain.views.newest?.moment.id;
  const isReadable = (view: string) => chain.views.find(view) !== undefined;
  const cache = new AnswerCache();
  const stopPruning = chain.views.onView(() => cache.prune(isReadable));
  const responder = new Responder(cache, { newest: newestView, isReadable });
  const parts = await createParts({ ...options, publicUrl, documentedPath, keys, responder });
  const cors = new Cors(config.CORS_ORIGINS);
  const responseHeaders = new ResponseHeaders({
    cors,
    https: publicUrl?.startsWith('https:') ?? false,
    private: config.REQUIRE_KEY === 'on',
    localnet: config.SOLANA_CLUSTER === 'localnet',
  });
  const origins = { corsOrigins: config.CORS_ORIGINS, publicUrl };
  /** Not charged: a page of another site must not spend the budget of its visitors. */
  const crossSiteError = (request: Request, pathname: string): CodedError | null => {
    if (pathname === GRAPHQL_PATH && isForged(request, cors))
      return new SluiceError('CROSS_SITE_REQUEST', {});
    const isMcp = pathname === MCP_PATH && config.MCP === 'on';
    return isMcp && !isAllowedOrigin(request.headers.get('origin'), origins)
      ? new SluiceError('ORIGIN_NOT_ALLOWED', {})
      : null;
  };
  const pipeline = new RequestPipeline(logger, metrics, access.admission, config.MAX_QUERY_NODES);
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
    // Only REST has other spellings, so the part follows from the path as received.
    const { part } = mountOf(pathname);
    const mount = mountOf(documentedPath(pathname));
    if (part === 'graphql' || (part === 'mcp' && config.MCP === 'on')) trace.route = pathname;
    const answer = () => parts.answer(part, { request, exchange, connection, pathname });
    const refused = (refusal: CodedError) => asResponse(refusalAnswer(mount.refusal, refusal, trace));
    if (mount.access === 'free') return await answer();
    if (mount.access === 'page' || (part === 'graphql' && GraphiQLPage.isWanted(request)))
      return await servePage(access.pages, request, connection, { answer, refused });
    const forged = crossSiteError(request, pathname);
    if (forged !== null) return refused(forged);
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
      refuseAmbiguousHost(
        { pipeline, responseHeaders, refusalShape },
        tracing === null
          ? serveCached({ cache, newestView, keys, pipeline, responseHeaders, refusalShape }, next)
          : next,
      ),
    async stop() {
      stopPruning();
      await parts.stop();
    },
  };
}
