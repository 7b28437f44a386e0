import type { ErrorCode } from './error-codes.ts';
import { SluiceError } from './errors.ts';
import { badAnswer, type HttpAnswer } from './transport.ts';

/** The state of the chain behind an answer. */
export interface ChainState {
  /** Id of the View that the answer was read from, for `client.at(view)`. */
  readonly view: string;
  readonly slot: string;
  /** When the View was built, in ISO 8601. */
  readonly builtAt: string;
  /** Whether the data is invented: that of a localnet. Absent from a gateway before version 0.5. */
  readonly localnet?: boolean;
}

/** An account that a list leaves out because it cannot be read. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly account: string;
  readonly path: readonly (string | number)[];
}

/** An answer with data. Fields that could not be read are null and have an error at their path. */
export interface Answer<Data> {
  readonly data: Data;
  readonly errors: readonly SluiceError[];
  readonly warnings: readonly Warning[];
  /** Null when the operation reads nothing from the chain. */
  readonly chain: ChainState | null;
}

interface WireError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>> & { code?: ErrorCode; retryable?: boolean };
}

/** A GraphQL answer as it is sent. */
interface WireAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly WireError[];
  readonly extensions?: { readonly chain?: ChainState; readonly warnings?: readonly Warning[] };
}

/** The answer to an operation. Throws the first error when nothing could be answered. */
export function graphqlAnswer<Data>(http: HttpAnswer): Answer<Data> {
  const { json, retryAfter, requestId } = http;
  if (!isWireAnswer<Data>(json)) throw badAnswer(http);
  const errors = (json.errors ?? []).map((error) => errorOf(error, retryAfter, requestId));
  if (json.data === undefined || json.data === null) throw errors[0] ?? badAnswer(http);
  return {
    data: json.data,
    errors,
    warnings: json.extensions?.warnings ?? [],
    chain: json.extensions?.chain ?? null,
  };
}

function isWireAnswer<Data>(json: unknown): json is WireAnswer<Data> {
  return typeof json === 'object' && json !== null && ('data' in json || 'errors' in json);
}

function errorOf(
  { message, path = [], extensions = {} }: WireError,
  retryAfter: number | null,
  requestId: string,
): SluiceError {
  const { code = 'BAD_ANSWER', retryable = false, ...numbers } = extensions;
  const context = retryAfter === null ? numbers : { retryAfter, ...numbers };
  return new SluiceError(message, { code, retryable, path, context, requestId });
}
