import {
  type CallToolResult,
  type JSONObject,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool as ToolListing,
} from '@modelcontextprotocol/server';
import { type GraphQLSchema, printSchema } from 'graphql';
import { z } from 'zod';
import { scheduler } from '../node/cooperative-scheduler.ts';
import { callTool, outputOf } from './call-tool.ts';
import type { Graph } from './graph.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { withDefinitions } from './schemas/shared-definitions.ts';
import type { Tool } from './tool.ts';
import { codedError, failedResult } from './tool-error.ts';
import { discover } from './tools/discover.ts';
import { explainTransaction } from './tools/explain-transaction.ts';
import { graphqlTool } from './tools/graphql.ts';
import { history } from './tools/history.ts';
import { inspect } from './tools/inspect.ts';
import { prepare } from './tools/prepare.ts';
import { simulate } from './tools/simulate.ts';

const SCHEMA_URI = 'sluice://schema.graphql';

export interface McpOptions {
  readonly schema: GraphQLSchema;
  readonly version: string;
  /** Whether callers may execute queries of their own. */
  readonly takesQueries: boolean;
  /** Whether the schema is a resource. */
  readonly showsSchema: boolean;
  readonly maxQueryTokens: number;
  /** Most characters of the data of an answer. */
  readonly maxCharacters: number;
  /** Called with an internal error, whose details the caller does not see. */
  readonly onFault: (error: unknown) => void;
}

/** The tools and resources of this gateway. Makes a server for each caller. */
export class McpTools {
  readonly #options: McpOptions;
  readonly #tools: ReadonlyMap<string, Tool>;
  #listing: Promise<ToolListing[]> | undefined;
  #schemaText: string | undefined;

  constructor(options: McpOptions) {
    const { schema, maxQueryTokens: maxTokens, showsSchema, takesQueries } = options;
    const schemaUri = showsSchema ? SCHEMA_URI : null;
    const tools = [
      ...[discover, inspect, history, simulate, prepare, explainTransaction].map((make) => make(schema)),
      ...(takesQueries ? [graphqlTool({ maxTokens, schemaUri })] : []),
    ];
    this.#options = options;
    this.#tools = new Map(tools.map((each) => [each.name, each]));
  }

  /**
   * @param graph the GraphQL API for this caller
   * @param onFailed called with the code of a call that failed
   */
  serverFor(graph: Graph, onFailed: (code: string) => void = () => undefined): Server {
    const { version, showsSchema } = this.#options;
    const server = new Server(
      { name: 'sluice', title: 'Sluice', version },
      { capabilities: { tools: {}, ...(showsSchema ? { resources: {} } : {}) }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler('tools/list', async () => ({ tools: await this.#list() }));
    server.setRequestHandler(
      'tools/call',
      async ({ params }, { mcpReq }) =>
        await this.#call(params.name, params.arguments ?? {}, { graph, onFailed, signal: mcpReq.signal }),
    );
    if (showsSchema) this.#addSchema(server);
    return server;
  }

  /** Written on first request, in turns: the schemas of answers take longer than all else at the start of a server. */
  #list(): Promise<ToolListing[]> {
    this.#listing ??= scheduler.map([...this.#tools.values()], listed);
    return this.#listing;
  }

  async #call(
    name: string,
    args: unknown,
    { graph, onFailed, signal }: CallContext,
  ): Promise<CallToolResult> {
    const { schema, maxCharacters, onFault } = this.#options;
    const tool = this.#tools.get(name);
    if (tool === undefined) {
      onFailed('BAD_REQUEST');
      const known = [...this.#tools.keys()].join(', ');
      throw refusal(`There is no such tool. Tools: ${known}.`);
    }
    try {
      return await callTool(tool, args, { schema, graph, maxCharacters, signal });
    } catch (error) {
      const coded = codedError(error);
      if (coded.code === 'INTERNAL') onFault(error);
      onFailed(coded.code);
      return failedResult(coded);
    }
  }

  #addSchema(server: Server): void {
    const about = {
      uri: SCHEMA_URI,
      name: 'schema.graphql',
      title: 'GraphQL schema',
      description:
        'Every type, field and argument for the tool "graphql". Long: search it for the type you need.',
      mimeType: 'application/graphql',
    };
    server.setRequestHandler('resources/list', () => ({ resources: [about] }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
      if (uri !== SCHEMA_URI) {
        throw refusal(`There is no such resource. The only one is ${SCHEMA_URI}.`);
      }
      this.#schemaText ??= printSchema(this.#options.schema);
      return { contents: [{ uri, mimeType: about.mimeType, text: this.#schemaText }] };
    });
  }
}

interface CallContext {
  readonly graph: Graph;
  readonly onFailed: (code: string) => void;
  readonly signal: AbortSignal;
}

const refusal = (message: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code: 'BAD_REQUEST', retryable: false });

function listed(tool: Tool): ToolListing {
  const { name, title, description, annotations, input } = tool;
  return {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: objectSchema(input, 'input'),
    outputSchema: objectSchema(outputOf(tool), 'output'),
  };
}

/** The default dialect of the protocol needs no `$schema`, and older clients only know another one. */
function objectSchema(schema: z.ZodObject, io: 'input' | 'output'): ToolListing['inputSchema'] {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io });
  return { ...withDefinitions(JSON.parse(JSON.stringify(json)) as JSONObject), type: 'object' };
}
