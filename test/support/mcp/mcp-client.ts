import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';
import type { App } from '../../../src/app/app.ts';
import { OUTPUT_SCHEMAS } from './output-schemas.ts';

/** The revision of 2026, which needs no handshake, or those of 2025, which start with `initialize`. */
export type Era = 'modern' | 'legacy';

export interface ChainState {
  readonly view: string;
  readonly slot: string;
}

/** The structured content of a tool; the test names the shape of its data. */
export interface Structured<T> {
  readonly chain: ChainState;
  readonly data: T;
  readonly incomplete?: readonly { readonly path: string; readonly code: string }[];
  readonly cut?: {
    readonly lists: readonly { path: string; from: number; shown: number; of: number }[];
    readonly maxCharacters: number;
    readonly cursor: string | null;
  };
}

export interface CodedFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly context: Readonly<Record<string, unknown>>;
}

/** The official client, connected to a gateway. */
export interface McpSession {
  readonly client: Client;
  readonly tools: readonly Tool[];
  /** Calls a tool and checks its answer against the schema that the server lists. @throws when the call fails */
  call<T>(name: string, args: Readonly<Record<string, unknown>>): Promise<Structured<T>>;
  /** Calls a tool that must fail. */
  failure(name: string, args: Readonly<Record<string, unknown>>): Promise<CodedFailure>;
  /** The raw result. */
  result(name: string, args: Readonly<Record<string, unknown>>): Promise<CallToolResult>;
  close(): Promise<void>;
}

const ORIGIN = 'http://sluice.test';
/** Bounds hangs only: a busy machine may take longer than the minute that clients wait by default. */
const PATIENT = { timeout: 240_000 };

/** A client of a gateway in this process. */
export async function connectMcp(
  app: App,
  era: Era = 'modern',
  headers: Readonly<Record<string, string>> = {},
): Promise<McpSession> {
  const client = newClient(era);
  const transport = new StreamableHTTPClientTransport(new URL(`${ORIGIN}/mcp`), {
    requestInit: { headers },
    fetch: (url, init) => app.fetch(new Request(url, init)),
  });
  await client.connect(transport, PATIENT);
  return await sessionOf(client);
}

export function newClient(era: Era): Client {
  const mode = era === 'modern' ? ('auto' as const) : ('legacy' as const);
  return new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode }, jsonSchemaValidator: OUTPUT_SCHEMAS },
  );
}

/** A connected client, with its tools listed. */
export async function sessionOf(client: Client): Promise<McpSession> {
  const { tools } = await client.listTools(undefined, PATIENT);
  const checks = new Map(
    tools.map(({ name, outputSchema }) => {
      const { $schema: _dialect, ...output } = outputSchema ?? {};
      return [name, OUTPUT_SCHEMAS.getValidator(output)];
    }),
  );
  const result: McpSession['result'] = async (name, args) =>
    await client.callTool({ name, arguments: { ...args } }, PATIENT);
  return {
    client,
    tools,
    result,
    async call<T>(name: string, args: Readonly<Record<string, unknown>>) {
      const answer = await result(name, args);
      if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
      const checked = checks.get(name)?.(answer.structuredContent);
      if (!checked?.valid)
        throw new Error(`${name}: ${checked?.errorMessage} in ${JSON.stringify(answer.structuredContent)}`);
      return answer.structuredContent as unknown as Structured<T>;
    },
    async failure(name, args) {
      const answer = await result(name, args);
      const [first] = answer.content;
      if (!answer.isError || first?.type !== 'text') throw new Error(`${name} did not fail`);
      return (JSON.parse(first.text) as { error: CodedFailure }).error;
    },
    close: () => client.close(),
  };
}
