import { STATUS_CODES } from 'node:http';
import type { SluiceError } from '../errors/sluice-error.ts';
import { InvalidInput } from './invalid-input.ts';

/** What goes wrong, before it has the shape of a family. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  /** Absent for failures of HTTP itself, which their status names. */
  readonly code?: string;
  /** Validation issues. */
  readonly details?: readonly object[];
}

export interface ErrorAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

/** How what goes wrong is told. */
export type ErrorShape = (failure: Failure) => ErrorAnswer;

/** Long enough for a View to be read or an endpoint to be tried again. */
const RETRY_AFTER_SECONDS = '2';

/** A coded error in a family's shape. */
export function errorAnswer(shape: ErrorShape, error: SluiceError): ErrorAnswer {
  const { status, message, code } = error;
  const details = error instanceof InvalidInput ? { details: error.issues } : {};
  const answer = shape({ status, message, code, ...details });
  return error.retryable
    ? { ...answer, headers: { ...answer.headers, 'retry-after': RETRY_AFTER_SECONDS } }
    : answer;
}

const reason = (status: number) => STATUS_CODES[status] ?? 'Client Closed Request';

/** A read's body has no room for a code. */
export const codeHeader = (code: string | undefined) => (code === undefined ? {} : { 'x-error-code': code });

/** `{error, details?}`, on reads. */
export function readShape({ status: given, message, code, details }: Failure): ErrorAnswer {
  // Where no 404 is documented, an account that is not there is the caller's mistake.
  const status = given === 404 ? 400 : given;
  const body = status === 400 && details !== undefined ? { error: message, details } : { error: message };
  return { status, body, headers: codeHeader(code) };
}

/** `{statusCode, message, error, code?}`, on `/ktx`. */
export function builderShape({ status: given, message, code }: Failure): ErrorAnswer {
  // An account that is not there is the caller's mistake here.
  const status = given === 404 ? 400 : given;
  const body = {
    statusCode: status,
    message,
    error: reason(status),
    ...(code === undefined ? {} : { code }),
  };
  return { status, body, headers: {} };
}
