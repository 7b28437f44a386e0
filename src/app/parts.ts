import type { Localnet } from '@sluice/localnet/localnet';
import type { AlertRegistry } from '../alerts/registry.ts';
import type { Chain } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import type { QueryLimits } from '../graphql/cost/limits.ts';
import { graphiqlFile } from '../graphql/graphiql/graphiql-files.ts';
import { graphqlHandler } from '../graphql/handler.ts';
import { knownOperations } from '../graphql/persisted/known-operations.ts';
import { createGraphQLServer, GRAPHQL_PATH } from '../graphql/server.ts';
import type { RequestKeys } from '../http/answer-cache/request-key.ts';
import type { Responder } from '../http/answer-cache/responder.ts';
import { asResponse } from '../http/encoded-answer.ts';
import type { Connection, Exchange } from '../http/exchange.ts';
import type { Live } from '../live/live.ts';
import { documentNames, documentText } from '../mcp/documents.ts';
import type { Platform } from '../services/platform/platform.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { AppDrift } from './drift.ts';
import { exampleAddresses } from './example-addresses.ts';
import { Explorer } from './explorer.ts';
import type { McpApp } from './mcp-app.ts';
import type { Part } from './mounts.ts';
import type { RestApp } from './rest-app.ts';

export interface PartsOptions {
  readonly config: Config;
  readonly chain: Chain;
  readonly platform: Platform;
  readonly embedded: Localnet | null;
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
  /** Without a trailing slash. */
  readonly publicUrl: string | null;
  /** Rewrites aliases in a path to the documented spelling. */
  readonly documentedPath: (path: string) => string;
  readonly keys: RequestKeys;
  readonly responder: Responder;
}

/** A request for a part, with its path as received. */
interface PartRequest {
  readonly request: Request;
  readonly exchange: Exchange;
  readonly connection: Connection | undefined;
  readonly pathname: string;
}

/** Undefined for a request that the part does not know; REST answers it. */
type PartHandler = (request: PartRequest) => Promise<Response | undefined>;

export interface Parts {
  answer(part: Part, request: PartRequest): Promise<Response>;
  stop(): Promise<void>;
}

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

/** The parts of the gateway that answer requests. REST and MCP are loaded later than the others. */
export async function createParts(options: PartsOptions): Promise<Parts> {
  const { config, chain, platform, embedded, live, logger, tracing, publicUrl, keys, responder } = options;
  const knownAddresses = () => ({ ...(embedded?.addresses ?? exampleAddresses(chain.views.newest)) });
  const yoga = createGraphQLServer({
    live,
    alerts: options.alerts,
    exampleValues: () => ({
      ...knownAddresses(),
      ...(embedded && { transaction: embedded.exampleTransaction }),
    }),
    platform,
    logger,
    localnet: config.SOLANA_CLUSTER === 'localnet',
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    publicUrl,
    maxBodyBytes: config.MAX_BODY_BYTES,
    introspection: config.INTROSPECTION === 'on',
    executor: config.GRAPHQL_EXECUTOR,
    persisted: await knownOperations(config, toolDocuments(config)),
    limits: queryLimitsOf(config),
  });
  const graphql = graphqlHandler({ yoga, responder, keys, tracing });
  const explorer = config.EXPLORER === 'on' ? new Explorer(options.explorerBuild) : null;
  let loading: Promise<RestApp> | undefined;
  const restApp = () => {
    loading ??= import('./rest-app.ts').then(({ createRestApp }) =>
      createRestApp({ ...options, exampleAddresses: knownAddresses }),
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

  const handlers: Readonly<Record<Exclude<Part, 'rest'>, PartHandler>> = {
    graphql: ({ request, exchange, connection }) => graphql(request, exchange, connection),
    async graphiql({ request, exchange, pathname }) {
      const file = await graphiqlFile(pathname.slice(GRAPHIQL_FILES.length));
      if (file === undefined) return undefined;
      exchange.trace.route = `${GRAPHIQL_FILES}{file}`;
      return asResponse(await file.answer(request));
    },
    async mcp({ request, exchange }) {
      if (config.MCP === 'off') return undefined;
      const mcp = await mcpApp();
      return await responder.respond(request, exchange, null, () => mcp(request, exchange));
    },
    async explorer({ request, exchange, pathname }) {
      const page = await explorer?.respond(request, pathname);
      if (page !== undefined) exchange.trace.route = page.route;
      return page?.response;
    },
  };
  return {
    async answer(part, asked) {
      const response = part === 'rest' ? undefined : await handlers[part](asked);
      return response ?? (await (await restApp()).fetch(asked.request, asked.exchange));
    },
    async stop() {
      stopped = true;
      await loading;
      await yoga.dispose();
    },
  };
}
