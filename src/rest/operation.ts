import { z } from '@hono/zod-openapi';
import type { Platform } from '../services/platform.ts';
import type { Session } from '../services/records.ts';
import type { ErrorFamily } from './error-shapes.ts';
import { InvalidInput } from './invalid-input.ts';

/** What an operation may read while it answers. */
export interface Call {
  readonly session: Session;
  readonly platform: Platform;
  /** Where clients reach this gateway, without a slash at the end; absolute URLs in answers begin with it. */
  readonly baseUrl: string;
}

/** Input as it came, before any schema has looked at it. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Addresses of the embedded chain that examples are made of. */
export type ExampleAddresses = Readonly<
  Record<
    | 'wallet'
    | 'vault'
    | 'market'
    | 'reserve'
    | 'obligation'
    | 'depositReserve'
    | 'borrowReserve'
    | 'sharesMint'
    | 'tokenMint',
    string
  >
>;

/** Answers are shown, not changed: what the services share need not be copied. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

interface Documented {
  /** Unique; client generators name functions by it. */
  readonly id: string;
  readonly method: 'get' | 'post';
  /** With parameters in braces, as documented. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** What to ask the graph for the same. */
  readonly graph: string;
  readonly family: ErrorFamily;
  /** How long an answer may be used again: as long as its View is the newest, for a day, or not at all. */
  readonly holds: 'view' | 'day' | 'never';
  /** JSON unless another type is named; then the answer is text of that type. */
  readonly media?: 'image/svg+xml';
  /** Headers that go with every answer of it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One row of the route table. Routing, validation, documentation and tests are made of it. */
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
  readonly example: (addresses: ExampleAddresses) => {
    readonly params?: z.input<P>;
    readonly query?: z.input<Q>;
    readonly body?: z.input<B>;
  };
  readonly answer: (
    call: Call,
    input: { readonly params: z.output<P>; readonly query: z.output<Q>; readonly body: z.output<B> },
  ) => Promise<Frozen<z.input<R>>>;
}

/** A row whose types have done their work. */
export interface Operation extends Documented {
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** Null for an operation without a body. */
  readonly body: z.ZodObject | null;
  readonly response: z.ZodType;
  readonly example: (addresses: ExampleAddresses) => ExampleInput;
  /** Checks the input and returns what is left to do; refuses before anything has been read. */
  readonly accept: (raw: RawInput) => (call: Call) => Promise<unknown>;
}

export interface ExampleInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

const NOTHING = z.object({});

export function operation<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodObject,
  R extends z.ZodType,
>(row: OperationRow<P, Q, B, R>): Operation {
  return {
    ...row,
    params: row.params ?? NOTHING,
    query: row.query ?? NOTHING,
    body: row.body ?? null,
    accept(raw) {
      const params = checked(row.params, raw.params);
      const query = checked(row.query, raw.query);
      const body = checked(row.body, raw.body);
      return (call) => row.answer(call, { params, query, body });
    },
  };
}

function checked<S extends z.ZodObject>(schema: S | undefined, value: unknown): z.output<S> {
  const result = (schema ?? NOTHING).safeParse(value);
  if (result.success) return result.data as z.output<S>;
  throw new InvalidInput(
    result.error.issues.map(({ code = 'custom', path, message }) => ({
      code,
      path: path.map((step) => (typeof step === 'symbol' ? String(step) : step)),
      message,
    })),
  );
}
