import type { DocumentNode } from 'graphql';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import type { Platform } from '../services/platform.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { GraphQLContext, ServerContext } from './context.ts';
import type { QueryLimits } from './cost/limits.ts';
import { DocumentCache } from './document-cache.ts';
import { GraphiQLPage } from './graphiql-page.ts';
import { maskError } from './mask-error.ts';
import { useBodyLimit } from './plugins/use-body-limit.ts';
import { useChainSession } from './plugins/use-chain-session.ts';
import { useErrorReport } from './plugins/use-error-report.ts';
import { useNodeBudget } from './plugins/use-node-budget.ts';
import { useQueryLimits } from './plugins/use-query-limits.ts';
import { useRequestTrace } from './plugins/use-request-trace.ts';
import { useTokenLimit } from './plugins/use-token-limit.ts';
import { schema } from './schema.ts';

export interface GraphQLServerOptions {
  readonly platform: Platform;
  readonly logger: Logger;
  readonly limits: QueryLimits;
  readonly maxBodyBytes: number;
  readonly requestTimeoutMs: number;
}

export const GRAPHQL_PATH = '/graphql';

const FIRST_QUERY = `# The most valuable vaults, where their tokens are lent, and at what price.
{
  vaults(first: 3) {
    nodes {
      name
      token { symbol price { usd } }
      totalValue { amount usd }
      apy { total base farmRewards }
      allocations {
        actualShare
        invested { amount usd }
        reserve { token { symbol } market { name } supplyApy { total } utilization }
      }
    }
  }
  chain { slot cluster viewAgeMs }
}
`;

/** The graph over HTTP, with GraphiQL for browsers. */
export function createGraphQLServer(
  options: GraphQLServerOptions,
): YogaServerInstance<ServerContext, GraphQLContext> {
  const page = new GraphiQLPage({
    title: 'Sluice',
    defaultQuery: FIRST_QUERY,
    defaultEditorToolsVisibility: true,
  });
  return createYoga<ServerContext, GraphQLContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    // Counted by a plugin of ours.
    maxRequestBodySize: false,
    parserAndValidationCache: {
      documentCache: new DocumentCache<DocumentNode>(),
      // What is wrong is not asked often, and anybody could fill a cache of it.
      errorCache: { get: () => undefined, set: () => undefined },
    },
    maskedErrors: { maskError },
    plugins: [
      {
        async onRequest({ request, endResponse }) {
          if (GraphiQLPage.isWanted(request)) endResponse(await page.respond(request));
        },
      },
      useRequestTrace(),
      useErrorReport(options.logger),
      useBodyLimit(options.maxBodyBytes),
      useTokenLimit(options.limits.tokens),
      useQueryLimits(options.limits),
      useNodeBudget(),
      useChainSession(options.platform, options.requestTimeoutMs),
    ],
  });
}
