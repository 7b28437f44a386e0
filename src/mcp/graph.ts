import { z } from 'zod';
import { SluiceError } from '../errors/sluice-error.ts';

/** The state that a caller asks for. */
export interface RequestedState {
  readonly view?: string | undefined;
  readonly minSlot?: string | undefined;
}

export interface GraphRequest {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName?: string | undefined;
  readonly state: RequestedState;
}

/** An answer of the GraphQL API, as far as tools read it. */
const Answer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        path: z.array(z.union([z.string(), z.number()])).optional(),
        extensions: z.looseObject({ code: z.string(), retryable: z.boolean() }).optional(),
      }),
    )
    .default([]),
  extensions: z
    .object({
      chain: z
        .object({
          view: z.string(),
          slot: z.string(),
          slotMin: z.string(),
          slotMax: z.string(),
          builtAt: z.string(),
          // Absent from a gateway of another version.
          localnet: z.boolean().default(false),
        })
        .optional(),
      warnings: z
        .array(
          z.object({
            code: z.string(),
            message: z.string(),
            account: z.string(),
            path: z.array(z.union([z.string(), z.number()])),
          }),
        )
        .optional(),
    })
    .optional(),
});

export type GraphAnswer = z.infer<typeof Answer>;
export type GraphFailure = GraphAnswer['errors'][number];

/** Executes documents of the GraphQL API on behalf of one caller, who pays for them. */
export interface Graph {
  execute(request: GraphRequest, signal: AbortSignal): Promise<GraphAnswer>;
  /** Lets other requests of the process continue if this turn is over. Null to go on at once. */
  giveWay(): Promise<void> | null;
}

/** The body of a POST to the GraphQL API. */
export function requestBody({ document, variables, operationName, state }: GraphRequest): string {
  const chain = Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
  return JSON.stringify({ query: document, variables, operationName, extensions: { chain } });
}

/** @throws SluiceError INTERNAL for anything but an answer of the GraphQL API */
export function readAnswer(body: unknown): GraphAnswer {
  const read = Answer.safeParse(body);
  if (!read.success) throw new SluiceError('INTERNAL', {}, { cause: read.error });
  return read.data;
}
