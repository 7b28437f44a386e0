import { type DocumentNode, GraphQLError, getOperationAST, OperationTypeNode, parse } from 'graphql';
import { z } from 'zod';
import { SluiceError } from '../../errors/sluice-error.ts';
import { requireShallowDocument } from '../../http/document-depth.ts';
import { CURSOR, READS, STATE, type Tool, tool } from '../tool.ts';

export interface GraphqlToolOptions {
  /** Most tokens of a document. */
  readonly maxTokens: number;
  /** URI of the schema; null where it is not shown. */
  readonly schemaUri: string | null;
}

/** Queries of the caller. */
export function graphqlTool({ maxTokens, schemaUri }: GraphqlToolOptions): Tool {
  const input = z.strictObject({
    query: z
      .string()
      .describe('A GraphQL document with one query, or several of which `operationName` names one.'),
    variables: z.record(z.string(), z.unknown()).default({}).describe('Values of its variables.'),
    operationName: z.string().optional().describe('Name of the query to execute.'),
    ...STATE,
    cursor: CURSOR,
  });
  return tool({
    name: 'graphql',
    title: 'Query the GraphQL API',
    description: `Executes a read-only GraphQL query, for what the other tools do not show. Mutations and subscriptions are refused; build with \`prepare\`. Texts of third parties come as {"untrusted": "..."}.${schemaUri === null ? '' : ` The schema is the resource ${schemaUri}.`}`,
    annotations: READS,
    input,
    data: () => z.record(z.string(), z.unknown()),
    async answer({ query, variables, operationName, view, minSlot }, caller) {
      const document = readQuery(query, operationName, maxTokens);
      const asked = await caller.askText(query, document, variables, operationName, { view, minSlot });
      return { ...asked, summary: `Answer to the query: ${Object.keys(asked.data).length} root fields.` };
    },
  });
}

/** @throws SluiceError for a document that cannot be parsed, or whose operation is not a query */
function readQuery(text: string, operationName: string | undefined, maxTokens: number): DocumentNode {
  const document = parsed(text, maxTokens);
  const operation = getOperationAST(document, operationName);
  // An unknown or ambiguous name is explained by the executor.
  const isRead = operation == null ? !hasOther(document) : operation.operation === OperationTypeNode.QUERY;
  if (isRead) return document;
  const reason =
    'This tool executes queries only. Build transactions with the tool "prepare"; nothing here sends them.';
  throw new SluiceError('BAD_REQUEST', { reason });
}

const hasOther = ({ definitions }: DocumentNode): boolean =>
  definitions.some((each) => 'operation' in each && each.operation !== OperationTypeNode.QUERY);

function parsed(text: string, maxTokens: number): DocumentNode {
  requireShallowDocument(text);
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw new SluiceError('GRAPHQL_PARSE_FAILED', { reason: error.message });
  }
}
