import { z } from '@hono/zod-openapi';
import { builderShape, codeHeader, type ErrorShape, readShape } from './error-answers.ts';

/** How a family of operations tells what went wrong, and what it documents about that. */
export interface ErrorFamily {
  readonly shape: ErrorShape;
  readonly documented: Readonly<Record<number, DocumentedError>>;
}

export interface DocumentedError {
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: object;
}

const BuilderError = z
  .object({
    statusCode: z.number().openapi({ description: 'The HTTP status.' }),
    message: z.string().openapi({ description: 'What is wrong and what to do about it.' }),
    error: z.string().openapi({ description: 'The name of the status.' }),
    code: z.string().optional().openapi({ description: 'One of a growing list; codes are never renamed.' }),
  })
  .openapi('BuilderError');

const ReadError = z
  .object({
    error: z.string().openapi({ description: 'What is wrong and what to do about it.' }),
    details: z
      .array(
        z.object({
          code: z.string(),
          path: z.array(z.union([z.string(), z.number()])),
          message: z.string(),
        }),
      )
      .optional()
      .openapi({ description: 'What is wrong with the input, one by one; only for validation errors.' }),
  })
  .openapi('ReadError');

const Failed = z.object({ error: z.string() }).openapi('Failed');

const NotFound = z
  .object({ metadata: z.string().openapi({ description: 'Which account could not be found.' }) })
  .openapi('NotFound');

const INTERNAL = 'A failure of ours or upstream; with `Retry-After` when it will pass.';
const OTHER_METHOD = 'Another method; `Allow` names those that there are.';
const STARTING = 'The gateway is starting: the first View is being read. Try again in a few seconds.';
const ANY = 'DfJA4R4zd1sxAndK3Rktry25T1K3sxYbNM2NiVXjiPcw';

const NOT_LET_IN =
  'A key was sent and is unknown, malformed or revoked, or none was sent where one is required.';
const OVER_LIMIT =
  'You have spent what you may in a minute; `Retry-After` says in how many seconds to come back, `RateLimit` how you stand.';
const REVOKED = 'The key was revoked.';
const LATER = 'You may spend a cost of 3000 in a minute, and this request goes over it. Try again in 12 s.';

/** What is answered before any operation, on reads. */
const BEFORE_DOCUMENTED = {
  401: { description: NOT_LET_IN, schema: Failed, example: { error: REVOKED } },
  429: { description: OVER_LIMIT, schema: Failed, example: { error: LATER } },
};

const READ_DOCUMENTED = {
  ...BEFORE_DOCUMENTED,
  400: {
    description: 'The input is wrong; `details` says where.',
    schema: ReadError,
    example: {
      error: 'limit: must be a whole number from 1 to 1000',
      details: [{ code: 'invalid_type', path: ['limit'], message: 'must be a whole number from 1 to 1000' }],
    },
  },
  405: {
    description: OTHER_METHOD,
    schema: Failed,
    example: { error: '/kvaults/vaults does not answer POST; use GET.' },
  },
  500: { description: INTERNAL, schema: Failed, example: { error: STARTING } },
};

/** On reads. */
export const READ_ERRORS: ErrorFamily = { shape: readShape, documented: READ_DOCUMENTED };

/** An account of another kind is not the one that was looked for. */
const OF_ANOTHER_KIND: readonly (string | undefined)[] = [
  'ACCOUNT_WRONG_OWNER',
  'ACCOUNT_WRONG_DISCRIMINATOR',
];

/** The same, with 404 `{metadata}` for an account that is not there. */
export const LOOKUP_ERRORS: ErrorFamily = {
  shape: (failure) =>
    failure.status === 404 || OF_ANOTHER_KIND.includes(failure.code)
      ? { status: 404, body: { metadata: failure.message }, headers: codeHeader(failure.code) }
      : readShape(failure),
  documented: {
    ...READ_DOCUMENTED,
    404: {
      description: 'There is no such account.',
      schema: NotFound,
      example: { metadata: `There is no vault at ${ANY}.` },
    },
  },
};

/** What is answered before an operation keeps its status. */
const BEFORE_OPERATION: readonly number[] = [401, 405, 413, 429, 499];

/** Three operations are documented with 500 alone: bad input and an unknown account are 500 `{error}` too. */
export const ONLY_500_ERRORS: ErrorFamily = {
  shape: ({ status, message, code }) => ({
    status: BEFORE_OPERATION.includes(status) ? status : 500,
    body: { error: message },
    headers: codeHeader(code),
  }),
  documented: {
    ...BEFORE_DOCUMENTED,
    500: {
      description: 'Any failure, wrong input included; `X-Error-Code` tells which.',
      schema: Failed,
      example: { error: `There is no lending market at ${ANY}.` },
    },
  },
};

function builderError(status: number, description: string, message: string, code?: string): DocumentedError {
  const { body } = builderShape({ status, message, ...(code === undefined ? {} : { code }) });
  return { description, schema: BuilderError, example: body };
}

/** On `/ktx`. */
export const BUILDER_ERRORS: ErrorFamily = {
  shape: builderShape,
  documented: {
    400: builderError(
      400,
      'The request cannot be built; `code` says why.',
      'The amount is 0; give one greater than zero.',
      'AMOUNT_NOT_POSITIVE',
    ),
    401: builderError(401, NOT_LET_IN, REVOKED, 'UNAUTHENTICATED'),
    429: builderError(429, OVER_LIMIT, LATER, 'RATE_LIMITED'),
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
