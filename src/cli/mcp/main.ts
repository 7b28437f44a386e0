import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Config, loadConfig } from '../../config/config.ts';
import { schema } from '../../graphql/schema.ts';
import { McpTools } from '../../mcp/mcp-server.ts';
import { packageVersion } from '../../node/package-version.ts';
import { MCP } from './arguments.ts';
import { remoteGraph } from './remote-graph.ts';

/** Stdout belongs to the protocol. */
const complain = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};

/** The address of the gateway on this machine. */
function localUrl({ HOST, PORT }: Config): string {
  const isWildcard = HOST === '0.0.0.0' || HOST === '::';
  return `http://${isWildcard ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}

await MCP.run(async (command) => {
  const config = loadConfig();
  const graph = remoteGraph({ url: command.url ?? localUrl(config), key: command.key ?? config.MCP_KEY });
  const tools = new McpTools({
    schema,
    version: await packageVersion(),
    takesQueries: true,
    showsSchema: true,
    maxQueryTokens: config.MAX_QUERY_TOKENS,
    maxCharacters: config.MCP_MAX_CHARACTERS,
    onFault: complain,
  });
  // Ends with stdin.
  serveStdio(() => tools.serverFor(graph), { onerror: complain });
});
