import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import type { Platform } from '../services/platform.ts';
import type { GraphQLContext } from './context.ts';
import { GraphiQLPage } from './graphiql-page.ts';
import { maskError } from './mask-error.ts';
import { useChainSession } from './plugins/use-chain-session.ts';
import { schema } from './schema.ts';

export interface GraphQLServerOptions {
  readonly platform: Platform;
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
): YogaServerInstance<object, GraphQLContext> {
  const page = new GraphiQLPage({
    title: 'Sluice',
    defaultQuery: FIRST_QUERY,
    defaultEditorToolsVisibility: true,
  });
  return createYoga<object, GraphQLContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    graphiql: false,
    landingPage: false,
    logging: false,
    maskedErrors: { maskError },
    plugins: [
      {
        async onRequest({ request, endResponse }) {
          if (GraphiQLPage.isWanted(request)) endResponse(await page.respond(request));
        },
      },
      useChainSession(options.platform, options.requestTimeoutMs),
    ],
  });
}
