import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { type DocumentNode, type GraphQLSchema, parse } from 'graphql';
import { z } from 'zod';
import { SluiceError } from '../errors/sluice-error.ts';
import { documentText } from './documents.ts';
import type { GraphAnswer, RequestedState } from './graph.ts';
import { answerSchema } from './schemas/answer-schema.ts';

/** Executes a document of a tool for its caller. */
export interface Caller {
  /**
   * @param document name of the file
   * @throws ToolError when the answer has no data, or is a failure of a builder
   */
  ask(document: string, variables: Readonly<Record<string, unknown>>, state: RequestedState): Promise<Asked>;
  /** Executes a document without judging its answer. */
  look(
    document: string,
    variables: Readonly<Record<string, unknown>>,
    state: RequestedState,
  ): Promise<GraphAnswer>;
  /** Executes a document of the caller. */
  askText(
    text: string,
    document: DocumentNode,
    variables: Readonly<Record<string, unknown>>,
    operationName: string | undefined,
    state: RequestedState,
  ): Promise<Asked>;
}

/** The data of an answer, its untrusted texts marked, and what is known about it. */
export interface Asked {
  readonly data: Record<string, unknown>;
  readonly answer: GraphAnswer;
}

export interface ToolAnswer extends Asked {
  /** One or two sentences. They contain no text of third parties. */
  readonly summary: string;
}

export interface ToolDefinition<I extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** With a field `cursor` if a cut answer can be continued. */
  readonly input: I;
  /** Schema of `data`, for the list of tools. */
  readonly data: () => z.ZodType;
  /** Names of lists that are never cut. */
  readonly whole?: readonly string[];
  readonly answer: (args: z.output<I>, caller: Caller) => Promise<ToolAnswer>;
}

/** A tool call whose arguments are valid. */
export interface ToolCall {
  /** Undefined for the first part of an answer. */
  readonly cursor: string | undefined;
  answer(caller: Caller): Promise<ToolAnswer>;
}

export interface Tool extends Omit<ToolDefinition<z.ZodObject>, 'answer'> {
  /** @throws SluiceError BAD_REQUEST, which names every invalid argument */
  call(args: unknown): ToolCall;
}

export function tool<I extends z.ZodObject>({ answer, ...definition }: ToolDefinition<I>): Tool {
  return {
    ...definition,
    call(args) {
      const read = definition.input.safeParse(args);
      if (!read.success)
        throw new SluiceError('BAD_REQUEST', { reason: complaints(read.error, definition.input) });
      const { cursor } = read.data;
      return {
        cursor: typeof cursor === 'string' ? cursor : undefined,
        answer: async (caller) => await answer(read.data, caller),
      };
    },
  };
}

/** Names every invalid argument, and those that the tool has where one is unknown. */
function complaints({ issues }: z.ZodError, { shape }: z.ZodObject): string {
  const sentences = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  const isUnknown = issues.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0);
  return [...sentences, ...(isUnknown ? [`arguments: ${Object.keys(shape).join(', ')}`] : [])].join('; ');
}

/** Reads the chain and changes nothing. The world is open: accounts are written by anyone. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Input that all tools have, except those that always read the newest state. */
export const STATE = {
  view: z
    .string()
    .optional()
    .describe('Read the state of this View, an id from `chain.view` of an earlier answer. Views expire.'),
  minSlot: z
    .string()
    .regex(/^\d{1,20}$/, 'A slot has digits only.')
    .optional()
    .describe('Read a state that is at least as new as this slot, for example that of a transaction.'),
};

export const CURSOR = z
  .string()
  .max(4_000)
  .optional()
  .describe('Continue a cut answer: `cut.cursor` of it, with the same other arguments.');

/** The data of a tool that executes one of several documents: the root fields of each, all optional. */
export function dataOf(schema: GraphQLSchema, documents: readonly string[]): z.ZodType {
  const fields = new Map<string, z.ZodType[]>();
  for (const name of documents) {
    for (const [key, type] of Object.entries(answerSchema(schema, parse(documentText(name)))))
      fields.set(key, [...(fields.get(key) ?? []), type]);
  }
  const shape = [...fields].map(([key, [only, ...more]]) => {
    if (only === undefined) throw new RangeError('a root field without a type');
    return [key, (more.length === 0 ? only : z.union([only, ...more])).optional()] as const;
  });
  return z.object(Object.fromEntries(shape));
}
