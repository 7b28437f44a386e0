import { ERROR_CODES, type ErrorCode } from './codes.ts';
import type { ErrorContext } from './context.ts';
import { ERROR_MESSAGES } from './messages.ts';

/** The only error type that Sluice throws on purpose: a code from the table and the context for its message. */
export class SluiceError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'SluiceError';
  readonly code: C;
  readonly context: ErrorContext[C];
  /** The step of a plan that failed, counted from 0; null outside plans. */
  readonly step: number | null;

  constructor(code: C, context: ErrorContext[C], options: { cause?: unknown; step?: number } = {}) {
    const { step, ...rest } = options;
    const message = ERROR_MESSAGES[code](context);
    super(step === undefined ? message : `Step ${step}, counted from 0: ${message}`, rest);
    this.code = code;
    this.context = context;
    this.step = step ?? null;
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

/** Runs a step of a plan. A coded error that it throws names the step. */
export function atStep<T>(step: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!isSluiceError(error) || error.step !== null) throw error;
    throw new SluiceError(error.code, error.context, { cause: error, step });
  }
}

/** Narrows an unknown error to a `SluiceError`, optionally with one given code. */
export function isSluiceError<C extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: C,
): error is SluiceError<C> {
  return error instanceof SluiceError && (code === undefined || error.code === code);
}
