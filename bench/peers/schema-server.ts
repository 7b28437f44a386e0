import { schema } from '../../src/graphql/schema.ts';
import { startApollo } from './apollo.ts';
import { startMercurius } from './mercurius.ts';
import { startPlainYoga } from './plain-yoga.ts';
import { startPlatform } from './schema-platform.ts';
import { serveParent } from './worker.ts';

/** Serves our executable schema with another server: `schema-server.js KIND RPC_URL`. */
const [kind = '', rpcUrl = ''] = process.argv.slice(2);
const SERVERS = {
  mercurius: (context: ReturnType<typeof startPlatform>) => startMercurius(schema, context, false),
  'mercurius-jit': (context: ReturnType<typeof startPlatform>) => startMercurius(schema, context, true),
  apollo: (context: ReturnType<typeof startPlatform>) => startApollo(schema, context),
  yoga: (context: ReturnType<typeof startPlatform>) => startPlainYoga(schema, context),
};
const start = SERVERS[kind as keyof typeof SERVERS];
if (start === undefined) throw new Error(`no server ${kind}: ${Object.keys(SERVERS).join(', ')}`);
serveParent(await start(startPlatform(rpcUrl)), {});
