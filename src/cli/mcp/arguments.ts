import { parseArgs } from 'node:util';

/** The parsed command line. */
export interface McpCommand {
  /** Base URL of the gateway, without a trailing slash; undefined for the one on this machine. */
  readonly url: string | undefined;
  /** API key; undefined for that of the settings. */
  readonly key: string | undefined;
}

export const USAGE = `npm run --silent mcp -- [--url https://gateway.example] [--key KEY]
                                     serves the MCP tools of a running gateway on stdin and stdout;
                                     by default of the one on this machine, with the key in MCP_KEY
`;

/** Null when the arguments are invalid. */
export function readArguments(args: readonly string[]): McpCommand | null {
  try {
    const options = { url: { type: 'string' }, key: { type: 'string' } } as const;
    const { url, key } = parseArgs({ args: [...args], options }).values;
    return url !== undefined && !isBaseUrl(new URL(url)) ? null : { url: url?.replace(/\/+$/, ''), key };
  } catch {
    return null;
  }
}

/** Credentials belong to `--key`. */
const isBaseUrl = ({ protocol, username, password, search }: URL): boolean =>
  /^https?:$/.test(protocol) && username === '' && password === '' && search === '';
