import { STATUS_CODES } from 'node:http';
import { z } from '@hono/zod-openapi';
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

/** How a family of operations tells what went wrong, and what it documents about that. */
export interface ErrorFamily {
  shape(failure: Failure): ErrorAnswer;
  readonly documented: Readonly<Record<number, DocumentedError>>;
}

export interface DocumentedError {
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: object;
}

/** Long enough for a View to be read or an endpoint to be tried again. */
const RETRY_AFTER_SECONDS = '2';

/** A coded error in a family's shape. */
export function errorAnswer(family: ErrorFamily, error: SluiceError): ErrorAnswer {
  const { status, message, code } = error;
  const details = error instanceof InvalidInput ? { details: error.issues } : {};
  const answer = family.shape({ status, message, code, ...details });
  return error.retryable
    ? { ...answer, headers: { ...answer.headers, 'retry-after': RETRY_AFTER_SECONDS } }
    : answer;
}

const reason = (status: number) => STATUS_CODES[status] ?? 'Client Closed Request';

const BuilderError = z
  .object({
    statusCode: z.number().openapi({ description: 'The HTTP status.' }),
    message: z.string().openapi({ description: 'What is wrong and what to do about it.' }),
    error: z.string().openapi({ description: 'The name of the status.' }),
    code: z.string().optional().openapi({ description: 'One of a growing list; codes are never renamed.' }),
  })
  .openapi('BuilderError');

const INTERNAL = 'A failure of ours or upstream; with `Retry-After` when it will pass.';
const OTHER_METHOD = 'Another method; `Allow` names those that there are.';
const STARTING = 'The gateway is starting: the first View is being read. Try again in a few seconds.';

function builderShape({ status: given, message, code }: Failure): ErrorAnswer {
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

function builderError(status: number, description: string, message: string, code?: string): DocumentedError {
  const { body } = builderShape({ status, message, ...(code === undefined ? {} : { code }) });
  return { description, schema: BuilderError, example: body };
}

/** `{statusCode, message, error, code?}`, on `/ktx`. */
export const BUILDER_ERRORS: ErrorFamily = {
  shape: builderShape,
  documented: {
    400: builderError(
      400,
      'The request cannot be built; `code` says why.',
      'The amount is 0; give one greater than zero.',
      'AMOUNT_NOT_POSITIVE',
    ),
    405: builderError(405, OTHER_METHOD, '/ktx/klend/deposit does not answer GET; use POST.'),
    413: builderError(
      413,
      'The body is larger than the gateway accepts.',
      'The body of the request is larger than 1000000 bytes. Send less.',
      'BODY_TOO_LARGE',
    ),
    500: builderError(500, INTERNAL, STARTING, 'VIEW_NOT_READY'),
  },
};
