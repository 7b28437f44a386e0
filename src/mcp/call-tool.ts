import type { CallToolResult } from '@modelcontextprotocol/server';
import { type DocumentNode, type GraphQLSchema, parse } from 'graphql';
import { z } from 'zod';
import { SluiceError } from '../errors/sluice-error.ts';
import { requireShallow } from '../http/request-body.ts';
import { documentText } from './documents.ts';
import { type CutList, fitAnswer } from './fit-answer.ts';
import type { Graph, GraphAnswer, RequestedState } from './graph.ts';
import { decodeCursor, encodeCursor, type PagePosition } from './page-cursor.ts';
import type { Asked, Caller, Tool } from './tool.ts';
import { errorOf, ToolError } from './tool-error.ts';
import { markUntrusted, withoutInvisible } from './untrusted-text.ts';

export interface ToolContext {
  readonly schema: GraphQLSchema;
  readonly graph: Graph;
  /** Most characters of the data of an answer. */
  readonly maxCharacters: number;
  readonly signal: AbortSignal;
}

/** Parts of every answer besides its data. */
const ENVELOPE = {
  chain: z
    .object({
      view: z.string().describe('Id of the View: the state that the answer was computed from.'),
      slot: z.string().describe('Slot of the View.'),
      slotMin: z.string().describe('Lowest slot that the answer was read at.'),
      slotMax: z.string().describe('Highest slot that the answer was read at.'),
      builtAt: z.string().describe('Time of the View.'),
      localnet: z.boolean().describe('Whether the data is invented: that of a localnet, for tests.'),
    })
    .nullable()
    .describe('The state of the chain. Null for a query that reads nothing from it.'),
  incomplete: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string(), retryable: z.boolean() }))
    .optional()
    .describe('Fields that are null because they could not be read.'),
  leftOut: z
    .array(z.object({ path: z.string(), account: z.string(), code: z.string() }))
    .optional()
    .describe('Accounts that lists leave out because they could not be read.'),
  cut: z
    .object({
      lists: z.array(z.object({ path: z.string(), from: z.int(), shown: z.int(), of: z.int() })),
      maxCharacters: z.int(),
      cursor: z
        .string()
        .nullable()
        .describe('Argument `cursor` of the call that continues. Null: ask for less instead.'),
    })
    .optional()
    .describe('Lists that were cut because the answer was too large for a model.'),
};

/** The schema of the structured content of a tool. */
export const outputOf = ({ data }: Tool): z.ZodObject => z.object({ data: data(), ...ENVELOPE });

/** @throws ToolError or SluiceError for a call that fails */
export async function callTool(tool: Tool, args: unknown, context: ToolContext): Promise<CallToolResult> {
  requireShallow(args);
  const call = tool.call(args);
  const position = call.cursor === undefined ? undefined : decodeCursor(call.cursor);
  const { data, answer, summary } = await call.answer(callerOf(context, position));
  // Long answers are read, cut and written in turns of their own.
  await context.graph.giveWay();
  const lists = fitAnswer(data, {
    limit: context.maxCharacters,
    seen: position?.seen ?? {},
    whole: tool.whole ?? [],
  });
  const chain = answer.extensions?.chain ?? null;
  const canContinue = 'cursor' in tool.input.shape && chain !== null;
  const cursor = canContinue ? nextCursor(chain.view, position, lists) : null;
  const structured = {
    chain,
    data,
    ...incompleteParts(answer),
    ...leftOutAccounts(answer),
    ...(lists.length === 0 ? {} : { cut: { lists, maxCharacters: context.maxCharacters, cursor } }),
  };
  const text = [summary, ...remarks(chain, lists, cursor)].join(' ');
  await context.graph.giveWay();
  return {
    content: [
      { type: 'text', text },
      // For clients that show a model the content only.
      { type: 'text', text: JSON.stringify(structured) },
    ],
    structuredContent: structured,
  };
}

function callerOf({ schema, graph, signal }: ToolContext, position: PagePosition | undefined): Caller {
  const execute = async (
    text: string,
    variables: Readonly<Record<string, unknown>>,
    state: RequestedState,
    operationName?: string,
  ) =>
    await graph.execute(
      {
        document: text,
        variables,
        operationName,
        state: position === undefined ? state : { view: position.view },
      },
      signal,
    );
  const judged = (answer: GraphAnswer, document: DocumentNode, operationName?: string): Asked => ({
    answer,
    data: markUntrusted(presentData(answer), schema, document, operationName),
  });
  return {
    look: async (name, variables, state) => await execute(documentText(name), variables, state),
    async ask(name, variables, state) {
      const text = documentText(name);
      const answer = await execute(text, variables, state);
      refuseFailures(answer);
      const [first] = answer.errors;
      if (first !== undefined && !hasContent(answer.data)) throw new ToolError(errorOf(first));
      return judged(answer, parse(text));
    },
    askText: async (text, document, variables, operationName, state) =>
      judged(await execute(text, variables, state, operationName), document, operationName),
  };
}

/** @throws ToolError with the first error of an answer without data */
function presentData({ data, errors }: GraphAnswer): Record<string, unknown> {
  const isEmpty = !data || Object.values(data).every((value) => value === null);
  const [first] = errors;
  if (isEmpty && first !== undefined) throw new ToolError(errorOf(first));
  if (!data) throw new SluiceError('INTERNAL', {});
  return data;
}

/** Whether an answer of ours has anything besides plain values around a field that could not be read. */
function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  const inner: unknown[] = Object.values(value);
  return inner.some(hasContent) || inner.every((each) => typeof each !== 'object');
}

const Failure = z.object({
  __typename: z.string(),
  code: z.string(),
  message: z.string(),
  step: z.int().nullish(),
});

/** @throws ToolError when a builder, or the plan of a vault, answered with a failure */
function refuseFailures({ data }: GraphAnswer): void {
  const values: unknown[] = Object.values(data ?? {});
  const inner = values.flatMap((value) => (typeof value === 'object' ? Object.values(value ?? {}) : []));
  for (const value of [...values, ...inner]) {
    const failure = Failure.safeParse(value);
    if (!failure.success) continue;
    const { code, message, step } = failure.data;
    throw new ToolError({ code, message, retryable: false, context: step == null ? {} : { step } });
  }
}

function incompleteParts({ errors }: GraphAnswer): object {
  if (errors.length === 0) return {};
  const incomplete = errors.map((failure) => {
    const { code, message, retryable } = errorOf(failure);
    return { path: (failure.path ?? []).join('.'), code, message, retryable };
  });
  return { incomplete };
}

function leftOutAccounts({ extensions }: GraphAnswer): object {
  const warnings = extensions?.warnings ?? [];
  if (warnings.length === 0) return {};
  return { leftOut: warnings.map(({ path, account, code }) => ({ path: path.join('.'), account, code })) };
}

/** Null when nothing remains that a cursor can continue. Lists inside the items of others are not continued. */
function nextCursor(
  view: string,
  position: PagePosition | undefined,
  lists: readonly CutList[],
): string | null {
  const outer = lists.filter(({ path }) => !path.includes('*'));
  const rest = outer.filter(({ from, shown, of }) => from + shown < of);
  if (rest.length === 0) return null;
  const shown = Object.fromEntries(outer.map((each) => [each.path, each.from + each.shown]));
  return encodeCursor({ view, seen: { ...position?.seen, ...shown } });
}

function remarks(
  chain: { readonly slot: string; readonly view: string; readonly localnet: boolean } | null,
  lists: readonly CutList[],
  cursor: string | null,
): string[] {
  const state =
    chain === null
      ? []
      : [
          `State: slot ${chain.slot}, View ${chain.view}${chain.localnet ? ', of a localnet: all data is invented' : ''}.`,
        ];
  const cut = lists.map(
    ({ path, from, shown, of }) => `${path} has ${shown} of ${of} items${from > 0 ? ` from ${from}` : ''}`,
  );
  const more = cursor === null ? 'ask for less to see the rest' : 'call again with cut.cursor for the rest';
  return cut.length === 0
    ? state
    : [...state, `Cut, too large: ${withoutInvisible(cut.join('; '))}; ${more}.`];
}
