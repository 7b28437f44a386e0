import { z } from '@hono/zod-openapi';
import type { Platform } from '../../services/platform/platform.ts';
import type { Session } from '../../services/request/session.ts';
import type { ErrorFamily } from './error-shapes.ts';
import { InvalidInput } from './invalid-input.ts';
import type { Tag } from './tags.ts';
import type { TextStream } from './text-stream.ts';
import type { AnswerOf } from './unknown-values.ts';

/** The context of one call of an operation. */
export interface Call {
  readonly session: Session;
  readonly platform: Platform;
  /** Public URL of this gateway, without a trailing slash. Absolute URLs in answers start with it. */
  readonly baseUrl: string;
  /** Runs a later part of a `TextStream` in a session of its own. */
  readonly part: <T>(run: (session: Session) => Promise<T>) => Promise<T>;
}

/** Input before validation. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Addresses of the localnet, for examples. */
export type ExampleAddresses = Readonly<
  Record<
    | 'wallet'
    | 'vault'
    | 'vaultAdmin'
    | 'market'
    | 'reserve'
    | 'obligation'
    | 'depositReserve'
    | 'borrowReserve'
    | 'sharesMint'
    | 'farm'
    | 'tokenMint'
    | 'stakedReserve'
    | 'stakedMint'
    | 'queuedReserve'
    | 'queuedMarket'
    | 'queuedTicket'
    | 'queuedWallet'
    | 'emptyWallet'
    | 'referrer'
    | 'referredReserve'
    | 'offeringWallet'
    | 'newOwner'
    | 'offeredObligation'
    | 'approvedObligation'
    | 'orderingWallet'
    | 'orderedObligation'
    | 'termWallet'
    | 'termObligation'
    | 'termMarket'
    | 'termReserve',
    string
  >
>;

/** Media types of a `TextStream`. */
export type StreamedMedia = 'text/csv' | 'application/jsonl';

interface Documented {
  /** Unique operation id. Client generators derive function names from it. */
  readonly id: string;
  readonly method: 'get' | 'post';
  /** Path with parameters in braces. */
  readonly path: `/${string}`;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** The GraphQL query for the same data. */
  readonly graph: string;
  readonly family: ErrorFamily;
  /**
   * Time for which an answer may be cached: while its View is the newest, for a day, or not at all. `positions`: with its
   * View if that has the positions of wallets, by the gateway alone. Decides the cost and whether the cache is asked; an
   * answer that turns out to depend on more than this allows is not cached all the same.
   */
  readonly holds: 'view' | 'day' | 'positions' | 'never';
  /** Whether the caller must send an API key of the operator. */
  readonly needsKey?: true;
  /** Media type of a text answer, which is streamed unless it is an image. Absent for JSON. */
  readonly media?: 'image/svg+xml' | StreamedMedia;
  /** Headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One row of the route table, the source of routing, validation, documentation and tests. */
export interface OperationRow<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodObject,
  R extends z.ZodType,
> extends Documented {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly response: R;
  /** Documented instead of a recorded answer, for an operation that changes the chain. */
  readonly exampleAnswer?: z.input<R>;
  /** Id of the View that a pagination token in the input continues; undefined on the first page. */
  readonly continues?: (input: { readonly query: z.output<Q> }) => string | undefined;
  readonly example: (addresses: ExampleAddresses) => {
    readonly params?: z.input<P>;
    readonly query?: z.input<Q>;
    readonly body?: z.input<B>;
  };
  readonly answer: (
    call: Call,
    input: { readonly params: z.output<P>; readonly query: z.output<Q>; readonly body: z.output<B> },
  ) => Promise<AnswerOf<R> | TextStream>;
}

/** A row of the route table with its type parameters erased. */
export interface Operation extends Documented {
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** Null for an operation without a body. */
  readonly body: z.ZodObject | null;
  readonly response: z.ZodType;
  readonly exampleAnswer?: unknown;
  readonly example: (addresses: ExampleAddresses) => ExampleInput;
  /** Validates the input and returns the call to run. Rejects invalid input before anything is read. */
  readonly accept: (raw: RawInput) => AcceptedCall;
}

/** A call with valid input. */
export interface AcceptedCall {
  /** Id of the View to read while it is retained; undefined for the newest one. */
  readonly continues: string | undefined;
  readonly run: (call: Call) => Promise<unknown>;
}

export interface ExampleInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

const NO_INPUT = z.object({});

export function operation<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodObject,
  R extends z.ZodType,
>(row: OperationRow<P, Q, B, R>): Operation {
  return {
    ...row,
    params: row.params ?? NO_INPUT,
    query: row.query ?? NO_INPUT,
    body: row.body ?? null,
    accept(raw) {
      const params = checked(row.params, raw.params);
      const query = checked(row.query, raw.query);
      const body = checked(row.body, raw.body);
      return {
        continues: row.continues?.({ query }),
        run: (call) => row.answer(call, { params, query, body }),
      };
    },
  };
}

function checked<S extends z.ZodObject>(schema: S | undefined, value: unknown): z.output<S> {
  const result = (schema ?? NO_INPUT).safeParse(value);
  if (result.success) return result.data as z.output<S>;
  throw new InvalidInput(
    result.error.issues.map(({ code = 'custom', path, message }) => ({
      code,
      path: path.map((step) => (typeof step === 'symbol' ? String(step) : step)),
      message,
    })),
  );
}
