import type { GraphQLSchema } from 'graphql';
import { contenderPackage } from './contender-package.ts';
import type { PlainContext } from './schema-platform.ts';

interface FastifyServer {
  register(plugin: unknown, options: object): Promise<unknown>;
  listen(options: { port: number; host: string }): Promise<string>;
}

/** Executions of a document before it is compiled. */
const EXECUTIONS_BEFORE_JIT = 1;

export async function startMercurius(
  schema: GraphQLSchema,
  context: () => Promise<PlainContext>,
  jit: boolean,
): Promise<{ readonly name: string; readonly url: string }> {
  const fastify = contenderPackage<(options: object) => FastifyServer>('fastify');
  const mercurius = contenderPackage<unknown>('mercurius');
  const server = fastify({ logger: false });
  await server.register(mercurius, {
    schema,
    context,
    subscription: false,
    ...(jit ? { jit: EXECUTIONS_BEFORE_JIT } : {}),
  });
  const origin = await server.listen({ port: 0, host: '127.0.0.1' });
  return { name: jit ? 'mercurius + jit' : 'mercurius', url: `${origin}/graphql` };
}
