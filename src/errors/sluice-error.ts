import { ProtocolError, type ProtocolErrorCode } from '@sluice/protocol/protocol-error';
import { RpcError, type RpcErrorCode } from '@sluice/rpc-pool/rpc-error';
import { ERROR_CODES, type ErrorCode } from './codes.ts';
import type { ErrorContext } from './context.ts';
import { ERROR_MESSAGES } from './messages.ts';

/** The only error type that the gateway throws on purpose: a code from the table and the context for its message. */
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
}

/** An error with a code of the table: our own, or one of a package. */
export type CodedError<C extends ErrorCode = ErrorCode> =
  | SluiceError<C>
  | ProtocolError<C & ProtocolErrorCode>
  | RpcError<C & RpcErrorCode>;

/** Narrows an unknown error to one with a code, optionally to one given code. */
export function isCodedError<C extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: C,
): error is CodedError<C> {
  const hasCode = error instanceof SluiceError || error instanceof ProtocolError || error instanceof RpcError;
  if (!hasCode) return false;
  return code === undefined || error.code === code;
}

/** HTTP status of the code. A REST operation may define another one. */
export function httpStatusOf({ code }: Pick<CodedError, 'code'>): number {
  return ERROR_CODES[code].status;
}

/** Whether the same request may succeed later. */
export function isRetryable({ code }: Pick<CodedError, 'code'>): boolean {
  return ERROR_CODES[code].retryable;
}

/** The step of a plan that failed, counted from 0; null outside plans. */
export function planStepOf(error: CodedError): number | null {
  return error instanceof SluiceError ? error.step : null;
}

/** Runs a step of a plan. A coded error that it throws names the step. */
export function atStep<T>(step: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!isCodedError(error) || planStepOf(error) !== null) throw error;
    throw new SluiceError<ErrorCode>(error.code, error.context, { cause: error, step });
  }
}
