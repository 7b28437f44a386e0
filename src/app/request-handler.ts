import type { Chain } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import type { EmbeddedChain } from '../demo/embedded-chain.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import type { QueryLimits } from '../graphql/cost/limits.ts';
import { isForged } from '../graphql/cross-site.ts';
import { GraphiQLPage } from '../graphql/graphiql/graphiql-page.ts';
import { knownOperations } from '../graphql/persisted/known-operations.ts';
import { createGraphQLServer, GRAPHQL_PATH } from '../graphql/server.ts';
import { type GraphDoor, graphDoor } from '../http/answer-cache/graph-door.ts';
import { HotQuestions } from '../http/answer-cache/hot-questions.ts';
import { notedPassage } from '../http/answer-cache/noted-passage.ts';
import { type KeptDoor, keptDoor } from '../http/answer-cache/rest-lookup.ts';
import { KeptAnswers } from '../http/answer-cache/view-answers.ts';
import type { AnswerNote } from '../http/answer-note.ts';
import { Cors } from '../http/cors.ts';
import { asResponse } from '../http/encoded-answer.ts';
import { type Connection, observeRequests, type Passage, RequestGate } from '../http/pipeline.ts';
import { isFree, PLAIN_COST, refusedPlainly } from '../http/refusals.ts';
import { compressedJson, Manners } from '../http/response-headers.ts';
import type { Live } from '../live/live.ts';
import { documentedSpelling } from '../rest/market-segment.ts';
import { exampleAddresses } from '../services/example-addresses.ts';
import type { Platform } from '../services/platform.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { AppAccess } from './access.ts';
import type { AppDrift } from './drift.ts';
import type { OtherPaths } from './rest-app.ts';

/** What runs behind the faces. */
export interface AppFacesOptions {
  readonly config: Config;
  readonly chain: Chain;
  readonly platform: Platform;
  readonly embedded: EmbeddedChain | null;
  readonly access: AppAccess;
  readonly drift: AppDrift;
  readonly live: Live;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing | null;
  /** What goes before loading what nobody has asked for yet. */
  readonly after: Promise<void>;
}

/** The graph, and what is beside it as soon as somebody asks for that, as one handler. */
export interface AppFaces {
  /** Answers any request; needs no socket. A server hands over where the request came in. */
  readonly fetch: (request: Request, connection?: Connection) => Promise<Response>;
  /** Answers from a socket what needs no work; a server tries it first and hands everything else to `fetch`. */
  readonly answerKept: KeptDoor;
  /** Takes questions to the graph from a socket, and hands on what has not just been asked. */
  readonly answerHot: GraphDoor;
  stop(): Promise<void>;
}

const PREFLIGHT_ROUTE = 'preflight';
const GRAPHQL_ALLOW = { allow: 'GET, POST' };

/** What a query may ask for, as it is set. */
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

/** Builds what answers. It is much code, so whoever starts a gateway lets the chain be read before loading this. */
export async function createFaces(options: AppFacesOptions): Promise<AppFaces> {
  const { config, chain, platform, embedded, access, live, logger, metrics, tracing } = options;
  // Paths are put behind it.
  const publicUrl = config.PUBLIC_URL?.replace(/\/+$/, '') ?? null;
  const yoga = createGraphQLServer({
    live,
    exampleAddresses: () => ({ ...(embedded?.addresses ?? exampleAddresses(chain.views.newest)) }),
    platform,
    logger,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    publicUrl,
    maxBodyBytes: config.MAX_BODY_BYTES,
    introspection: config.INTROSPECTION === 'on',
    executor: config.GRAPHQL_EXECUTOR,
    persisted: await knownOperations(config),
    limits: queryLimitsOf(config),
  });
  const spelling = documentedSpelling(config.MARKET_SEGMENT_ALIAS);
  const kept = new KeptAnswers();
  let loading: Promise<OtherPaths> | undefined;
  const others = () => {
    loading ??= import('./rest-app.ts').then(({ otherPaths }) =>
      otherPaths({ ...options, publicUrl, spelling, kept }),
    );
    return loading;
  };
  let stopped = false;
  void options.after.then(() => (stopped ? undefined : others()));
  const cors = new Cors(config.CORS_ORIGINS);
  const manners = new Manners({
    cors,
    https: publicUrl?.startsWith('https:') ?? false,
    private: config.REQUIRE_KEY === 'on',
  });
  const gate = new RequestGate(logger, metrics, access.admission);
  const questions = new HotQuestions();
  const answer = async (request: Request, passage: Passage): Promise<Response> => {
    const { trace } = passage;
    if (Cors.isPreflight(request)) {
      trace.route = PREFLIGHT_ROUTE;
      return cors.preflight(request);
    }
    const { pathname } = new URL(request.url);
    const isGraph = pathname === GRAPHQL_PATH;
    if (isGraph) trace.route = GRAPHQL_PATH;
    const isPage = isFree(pathname) || (isGraph && GraphiQLPage.isWanted(request));
    const refusal =
      (isGraph && !isPage && isForged(request, cors) ? new SluiceError('CROSS_SITE_REQUEST', {}) : null) ??
      (isPage ? null : await passage.allowance.spend(PLAIN_COST));
    if (refusal !== null) return asResponse(refusedPlainly(pathname, refusal, trace));
    if (!isGraph) return await (await others()).fetch(request, passage);
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: GRAPHQL_ALLOW });
    // Not by its `fetch`: that races each answer against its caller's leaving, in a form that V8 lets go of only with the
    // next whole collection. Who leaves is heard by the plugins.
    const operate = async (note: AnswerNote) =>
      await yoga.handleRequest(request, notedPassage(passage, note));
    const answered = async () => await questions.answered(request, passage, operate);
    return await compressedJson(request, await (tracing?.operation(trace, answered) ?? answered()));
  };
  const traced: typeof answer =
    tracing === null
      ? answer
      : (request, passage) => tracing.request(request, passage.trace, () => answer(request, passage));
  const observed = manners.around(observeRequests(traced, gate, logger));
  const newestView = () => chain.views.newest;
  return {
    fetch: async (request, connection) => {
      questions.carryOver(request, connection);
      return await observed(request, connection);
    },
    // What has a span goes the usual way.
    answerKept:
      tracing !== null ? () => false : keptDoor({ kept, newestView, gate, manners, publicUrl, spelling }),
    answerHot:
      tracing !== null
        ? () => false
        : graphDoor({
            path: GRAPHQL_PATH,
            questions,
            newestView: () => newestView()?.moment.number,
            gate,
            manners,
            publicUrl,
          }),
    async stop() {
      stopped = true;
      await loading;
      await yoga.dispose();
    },
  };
}
