import type { GraphQLSchema } from 'graphql';
import { contenderPackage } from './contender-package.ts';
import type { PlainContext } from './schema-platform.ts';

type Apollo = new (options: object) => object;
interface Standalone {
  startStandaloneServer(server: object, options: object): Promise<{ url: string }>;
}

/** Starts Apollo as its documentation shows, without introspection and CSRF checks. */
export async function startApollo(
  schema: GraphQLSchema,
  context: () => Promise<PlainContext>,
): Promise<{ readonly name: string; readonly url: string }> {
  const { ApolloServer } = contenderPackage<{ ApolloServer: Apollo }>('@apollo/server');
  const { startStandaloneServer } = contenderPackage<Standalone>('@apollo/server/standalone');
  const server = new ApolloServer({ schema, introspection: false, csrfPrevention: false });
  const { url } = await startStandaloneServer(server, { context, listen: { port: 0, host: '127.0.0.1' } });
  return { name: 'Apollo Server', url };
}
