import { defineCommand } from '../define-command.ts';

/** The parsed command line. */
export interface McpCommand {
  /** Base URL of the gateway, without a trailing slash; undefined for the one on this machine. */
  readonly url: string | undefined;
  /** API key; undefined for that of the settings. */
  readonly key: string | undefined;
}

export const MCP = defineCommand({
  usage: `npm run --silent mcp -- [--url https://gateway.example] [--key KEY]
                                     serves the MCP tools of a running gateway on stdin and stdout;
                                     by default of the one on this machine, with the key in MCP_KEY
`,
  options: { url: { type: 'string' }, key: { type: 'string' } },
  accept({ values: { url, key } }): McpCommand | null {
    const isValid = url === undefined || (URL.canParse(url) && isBaseUrl(new URL(url)));
    return isValid ? { url: url?.replace(/\/+$/, ''), key } : null;
  },
});

/** Credentials belong to `--key`. */
const isBaseUrl = ({ protocol, username, password, search }: URL): boolean =>
  /^https?:$/.test(protocol) && username === '' && password === '' && search === '';
