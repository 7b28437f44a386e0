import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { PlainContext } from './schema-platform.ts';

/** graphql-yoga without any of our plugins. */
export async function startPlainYoga(
  schema: GraphQLSchema,
  context: () => Promise<PlainContext>,
): Promise<{ readonly name: string; readonly url: string }> {
  const yoga = createYoga({ schema, context, graphiql: false, logging: false, landingPage: false });
  const server = createServer(yoga);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { name: 'graphql-yoga', url: `http://127.0.0.1:${port}/graphql` };
}
