import type { ErrorCode } from './error-codes.ts';

/** Codes of this package, for failures that the gateway did not report. */
export type ClientCode =
  /** The gateway could not be reached. */
  | 'NETWORK'
  /** No answer within `timeoutMs`, or a stream that was silent for `silenceMs`. */
  | 'TIMEOUT'
  /** The answer is not one of a gateway; a proxy in front of it may have sent it. */
  | 'BAD_ANSWER'
  /** A block has the transaction, and it failed. `context` has the program's error: `name`, `programAddress`, `logs`. */
  | 'TRANSACTION_FAILED'
  /** The simulation of the transaction failed, so it was not sent. `context` as above. */
  | 'TRANSACTION_REJECTED'
  /** The blockhash of the transaction has expired: it cannot land any more. */
  | 'TRANSACTION_EXPIRED'
  /** The user refused to sign, or the wallet failed. `cause` is its error. */
  | 'SIGNING_FAILED'
  /** The action belongs to another wallet than the signer. */
  | 'SIGNER_MISMATCH'
  /** The wallet has no `solana:signTransaction`. */
  | 'WALLET_UNSUPPORTED';

export interface ErrorDetails {
  readonly code: ErrorCode | ClientCode;
  /** Whether the same request can succeed later. */
  readonly retryable: boolean;
  /** Path of the field that could not be read. Empty when the whole request failed. */
  readonly path?: readonly (string | number)[];
  /** Names and numbers of the message, such as `retryAfter` (seconds) or `percent`. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Id of the request, as in the gateway's log. Null for an error that is not about one. */
  readonly requestId?: string | null;
  readonly cause?: unknown;
}

/**
 * The one error class of this package. `code` is for programs, `message` for people.
 *
 * @example
 * if (error instanceof SluiceError && error.retryable) await delay((error.retryAfter ?? 1) * 1_000);
 */
export class SluiceError extends Error {
  override readonly name = 'SluiceError';
  readonly code: ErrorCode | ClientCode;
  readonly retryable: boolean;
  readonly path: readonly (string | number)[];
  readonly context: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;

  constructor(message: string, { code, retryable, path, context, requestId, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = retryable;
    this.path = path ?? [];
    this.context = context ?? {};
    this.requestId = requestId ?? null;
  }

  /** Seconds to wait before a retry. Null when the gateway gave none. */
  get retryAfter(): number | null {
    const { retryAfter } = this.context;
    return typeof retryAfter === 'number' ? retryAfter : null;
  }
}

/** Whether an error has one of these codes: `hasCode(error, 'VIEW_GONE')`. */
export function hasCode<Code extends ErrorCode | ClientCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is SluiceError & { readonly code: Code } {
  return error instanceof SluiceError && (codes as readonly string[]).includes(error.code);
}
