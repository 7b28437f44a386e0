import type { YogaServerInstance } from 'graphql-yoga';
import type { Config } from '../config/config.ts';
import type { GraphQLContext, ServerContext } from '../graphql/context.ts';
import { schema } from '../graphql/schema.ts';
import { GRAPHQL_PATH } from '../graphql/server.ts';
import { REQUEST_COST } from '../http/allowance.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Graph, readAnswer, requestBody } from '../mcp/graph.ts';
import { mcpHandler } from '../mcp/http-handler.ts';
import { McpTools } from '../mcp/mcp-server.ts';
import { packageVersion } from '../node/package-version.ts';
import type { Logger } from '../telemetry/logger.ts';

export interface McpAppOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly yoga: YogaServerInstance<ServerContext, GraphQLContext>;
}

export type McpApp = (request: Request, exchange: Exchange) => Promise<Response>;

/** The MCP server, whose tools execute documents on the GraphQL server. */
export async function createMcpApp({ config, logger, yoga }: McpAppOptions): Promise<McpApp> {
  const tools = new McpTools({
    schema,
    version: await packageVersion(),
    takesQueries: config.PERSISTED_ONLY === 'off',
    showsSchema: config.INTROSPECTION === 'on',
    maxQueryTokens: config.MAX_QUERY_TOKENS,
    maxCharacters: config.MCP_MAX_CHARACTERS,
    onFault: (error) => logger.error({ err: error }, 'tool call failed'),
  });
  return mcpHandler({
    maxBodyBytes: config.MAX_BODY_BYTES,
    serverFor: (request, exchange) =>
      tools.serverFor(graphFor(yoga, request, exchange), (code) => {
        exchange.trace.codes = [code];
      }),
  });
}

/** The GraphQL server for the caller of one request, who pays for each document as for a request of its own. */
function graphFor(
  yoga: YogaServerInstance<ServerContext, GraphQLContext>,
  { url, signal: left }: Request,
  exchange: Exchange,
): Graph {
  const { trace, allowance, work } = exchange;
  let executed = 0;
  let cost = 0;
  return {
    async execute(request, cancelled) {
      executed += 1;
      // The first one was paid for with the request itself.
      const refusal = executed === 1 ? null : await allowance.spend(REQUEST_COST);
      if (refusal !== null) throw refusal;
      if (executed > 1) work.pay(REQUEST_COST);
      const target = new Request(new URL(GRAPHQL_PATH, url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: requestBody(request),
      });
      const signal = AbortSignal.any([left, cancelled]);
      const response = await yoga.handleRequest(target, { ...exchange, signal });
      await work.giveWay();
      const body: unknown = await response.json();
      await work.giveWay();
      const answer = readAnswer(body);
      cost += trace.cost ?? 0;
      trace.cost = cost;
      return answer;
    },
    giveWay: () => work.giveWay(),
  };
}
