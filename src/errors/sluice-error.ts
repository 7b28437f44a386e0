import { ERROR_CODES, type ErrorCode } from './codes.ts';
import type { ErrorContext } from './context.ts';
import { ERROR_MESSAGES } from './messages.ts';

/** The only error type that Sluice throws on purpose: a code from the table and the context for its message. */
export class SluiceError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'SluiceError';
  readonly code: C;
  readonly context: ErrorContext[C];

  constructor(code: C, context: ErrorContext[C], options?: { cause?: unknown }) {
    super(ERROR_MESSAGES[code](context), options);
    this.code = code;
    this.context = context;
  }

  /** HTTP status of the code. A REST operation may define another one. */
  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable;
  }
}

/** Narrows an unknown error to a `SluiceError`, optionally with one given code. */
export function isSluiceError<C extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: C,
): error is SluiceError<C> {
  return error instanceof SluiceError && (code === undefined || error.code === code);
}
