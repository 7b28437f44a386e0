import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { QueryLimits } from '../../src/graphql/cost/limits.ts';
import type { Cast } from './cast.ts';
import { nth } from './cast.ts';
import { documentOf } from './documents.ts';
import { type JsonSchema, JsonValues } from './json-values.ts';
import type { Knobs } from './knobs.ts';
import { fitting, refusalOf } from './permitted.ts';
import { type SchemaField, schemaFields } from './schema-fields.ts';
import type { Attack, Target } from './targets.ts';

/** A tool as the gateway lists it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: JsonSchema & { readonly $defs?: Readonly<Record<string, JsonSchema>> };
}

const OPTIONAL_PERCENT = 50;
const QUERY_TOOL = 'graphql';
const ACCEPT = 'application/json, text/event-stream';

/** The message of a call of a method, in the revision that needs no session. */
export const mcpMessage = (method: string, params: object, id = 1): Attack => ({
  method: 'POST',
  target: '/mcp',
  body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  accept: ACCEPT,
});

/** Every tool. The tool that takes documents is given those of the fields of the schema, one field for each draw. */
export function mcpTargets(
  tools: readonly ListedTool[],
  {
    schema,
    cast,
    limits,
  }: { readonly schema: GraphQLSchema; readonly cast: Cast; readonly limits: QueryLimits },
): Target[] {
  const definitions = Object.assign({}, ...tools.map(({ inputSchema }) => inputSchema.$defs ?? {}));
  const fields = schemaFields(schema, [OperationTypeNode.QUERY]).filter(({ isPlain }) => !isPlain);
  const document = (knobs: Knobs, number: number) =>
    documentOf({ schema, cast }, nth<SchemaField>(fields, knobs.draw), knobs, number);
  const call = (name: string, input: unknown, number: number) =>
    mcpMessage('tools/call', { name, arguments: input }, number);
  return tools.map(({ name, inputSchema }): Target => {
    const shared = { name: `MCP ${name}`, isStream: false, isPlain: false };
    if (name === QUERY_TOOL) {
      const isPermitted = (knobs: Knobs) => refusalOf(schema, limits, document(knobs, 1)) === null;
      return {
        ...shared,
        permissible: (knobs) => fitting(knobs, isPermitted),
        attack: (knobs, number) => call(name, { query: document(knobs, number) }, number),
      };
    }
    return {
      ...shared,
      permissible: (knobs) => knobs,
      attack(knobs, number) {
        const options = { cast, knobs, number, definitions, optionalPercent: OPTIONAL_PERCENT };
        return call(name, new JsonValues(options, name).of(inputSchema, []), number);
      },
    };
  });
}
