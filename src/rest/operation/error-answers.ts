import { STATUS_CODES } from 'node:http';
import { type CodedError, httpStatusOf, isRetryable, planStepOf } from '../../errors/sluice-error.ts';
import { InvalidInput } from './invalid-input.ts';

/** A failure before it is converted to the error body of its family. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  /** Absent for plain HTTP failures, which have only a status. */
  readonly code?: string;
  /** Validation issues. */
  readonly details?: readonly object[];
  /** The step of a plan that failed, counted from 0. */
  readonly step?: number;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

/** Converts a failure to an error response. */
export type ErrorShape = (failure: Failure) => ErrorAnswer;

/** Long enough to read a View or to retry an endpoint. */
const RETRY_AFTER_SECONDS = '2';

/** Converts a coded error to the error response of a family. */
export function errorAnswer(shape: ErrorShape, error: CodedError): ErrorAnswer {
  const { message, code } = error;
  const status = httpStatusOf(error);
  const planStep = planStepOf(error);
  const details = error instanceof InvalidInput ? { details: error.issues } : {};
  const step = planStep === null ? {} : { step: planStep };
  const answer = shape({ status, message, code, ...details, ...step });
  return isRetryable(error)
    ? { ...answer, headers: { ...answer.headers, 'retry-after': retryAfterOf(error) } }
    : answer;
}

/** Seconds: those of the error, where it has some. */
const retryAfterOf = ({ context }: CodedError): string =>
  'retryAfter' in context ? String(context.retryAfter) : RETRY_AFTER_SECONDS;

const reason = (status: number) => STATUS_CODES[status] ?? 'Client Closed Request';

/** Error bodies of reads have no field for the code, so it is a header. */
export const codeHeader = (code: string | undefined) => (code === undefined ? {} : { 'x-error-code': code });

/** Error body of reads: `{error, details?}`. */
export function readShape({ status: given, message, code, details }: Failure): ErrorAnswer {
  // Where no 404 is documented, a missing account is a 400.
  const status = given === 404 ? 400 : given;
  const body = status === 400 && details !== undefined ? { error: message, details } : { error: message };
  return { status, body, headers: codeHeader(code) };
}

/** Error body of `/ktx`: `{statusCode, message, error, code?, step?}`. */
export function builderShape({ status: given, message, code, step }: Failure): ErrorAnswer {
  // The builders document no 404, so a missing account is a 400.
  const status = given === 404 ? 400 : given;
  const body = {
    statusCode: status,
    message,
    error: reason(status),
    ...(code === undefined ? {} : { code }),
    ...(step === undefined ? {} : { step }),
  };
  return { status, body, headers: {} };
}
