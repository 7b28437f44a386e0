import { ERROR_CODES, type ErrorCode } from './codes.ts';
import type { ErrorContext } from './context.ts';
import { ERROR_MESSAGES } from './messages.ts';

/** The one error type of the product: a code of the table with the context that its message needs. */
export class SluiceError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'SluiceError';
  readonly code: C;
  readonly context: ErrorContext[C];

  constructor(code: C, context: ErrorContext[C], options?: { cause?: unknown }) {
    super(ERROR_MESSAGES[code](context), options);
    this.code = code;
    this.context = context;
  }

  /** HTTP status of the code where an operation defines none of its own. */
  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** Whether the same request may succeed later, unchanged. */
  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable;
  }
}

/** Narrows an unknown failure to a coded one, optionally to one code. */
export function isSluiceError<C extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: C,
): error is SluiceError<C> {
  return error instanceof SluiceError && (code === undefined || error.code === code);
}
