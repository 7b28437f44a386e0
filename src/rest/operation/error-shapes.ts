import { z } from '@hono/zod-openapi';
import { SluiceError } from '../../errors/sluice-error.ts';
import { builderShape, codeHeader, type ErrorShape, type Failure, readShape } from './error-answers.ts';

/** The error bodies of a family of operations, and their documentation. */
export interface ErrorFamily {
  readonly shape: ErrorShape;
  readonly documented: Readonly<Record<number, DocumentedError>>;
}

export interface DocumentedError {
  /** Name of the response component. Two different errors have two names. */
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: object;
}

const BuilderError = z
  .object({
    statusCode: z.number().openapi({ description: 'HTTP status.' }),
    message: z.string().openapi({ description: 'Cause of the error and its remedy.' }),
    error: z.string().openapi({ description: 'Name of the HTTP status.' }),
    code: z.string().optional().openapi({
      description: 'Stable error code. New codes may be added; existing ones are never renamed.',
    }),
    step: z.number().optional().openapi({
      description: 'The step of a plan that failed, counted from 0. Absent outside plans.',
    }),
  })
  .openapi('BuilderError');

const ReadError = z
  .object({
    error: z.string().openapi({ description: 'Cause of the error and its remedy.' }),
    details: z
      .array(
        z
          .object({
            code: z.string(),
            path: z.array(z.union([z.string(), z.number()])),
            message: z.string(),
          })
          .openapi('InputIssue'),
      )
      .optional()
      .openapi({ description: 'One entry per invalid input field. Only present for validation errors.' }),
  })
  .openapi('ReadError');

const Failed = z.object({ error: z.string() }).openapi('Failed');

const NotFound = z
  .object({ metadata: z.string().openapi({ description: 'Message that names the missing account.' }) })
  .openapi('NotFound');

const INTERNAL =
  'The gateway or an upstream service failed. `Retry-After` is present when a retry may succeed.';
const OTHER_METHOD = 'Method not allowed. `Allow` lists the allowed methods.';
const STARTING = new SluiceError('VIEW_NOT_READY', { reason: 'the first View is being read' });
const ANY_SIGNATURE =
  'eQAW8xr8W1L2YonmKzaBeiufksFmFvu74tGy9X7DEbS9feZWNS8e8dwccMjdTYSjZqTKTicdQw6hv8AiGoQhDMf';
const ANY = '6MnWgeWaE4htQputgpAP2A2SrqYgpUvfCErBYgE3gWnq';

const UNAUTHENTICATED = 'The API key is unknown, malformed or revoked, or is missing where one is required.';
const RATE_LIMITED =
  'The rate limit is exceeded. `Retry-After` gives the seconds to wait, `RateLimit` the remaining quota.';
const REVOKED = 'The key was revoked.';
const LIMITED = new SluiceError('RATE_LIMITED', { limit: 3000, retryAfter: 12 });

const BODY_TOO_LARGE = 'The request body is larger than the gateway accepts.';
const TOO_LARGE = new SluiceError('BODY_TOO_LARGE', { ceiling: 1_000_000 });
const OTHER_TYPE = 'The content type of the request is missing or not JSON.';
const NOT_JSON = new SluiceError('UNSUPPORTED_MEDIA_TYPE', {});

/** Errors of operations that need recorded history, which every family answers with `{error}`. */
const HISTORY_DOCUMENTED = {
  409: {
    name: 'HistoryDisabled',
    description:
      'The operation needs recorded history, and this deployment records none (`X-Error-Code: HISTORY_DISABLED`). A retry does not help.',
    schema: Failed,
    example: { error: new SluiceError('HISTORY_DISABLED', { what: 'Vault history' }).message },
  },
  503: {
    name: 'HistoryStarting',
    description:
      'The operation needs recorded history, which is starting (`X-Error-Code: HISTORY_STARTING`). `Retry-After` gives the seconds to wait.',
    schema: Failed,
    example: {
      error: new SluiceError('HISTORY_STARTING', { reason: 'the database is being opened', percent: null })
        .message,
    },
  },
};

/** Errors of reads that occur before the operation runs. */
const BEFORE_DOCUMENTED = {
  401: {
    name: 'Unauthenticated',
    description: UNAUTHENTICATED,
    schema: Failed,
    example: { error: REVOKED },
  },
  429: {
    name: 'RateLimited',
    description: RATE_LIMITED,
    schema: Failed,
    example: { error: LIMITED.message },
  },
};

const READ_DOCUMENTED = {
  ...BEFORE_DOCUMENTED,
  ...HISTORY_DOCUMENTED,
  400: {
    name: 'InvalidInput',
    description: 'Invalid input. `details` lists the invalid fields.',
    schema: ReadError,
    example: {
      error: 'limit: must be a whole number from 1 to 1000',
      details: [{ code: 'invalid_type', path: ['limit'], message: 'must be a whole number from 1 to 1000' }],
    },
  },
  405: {
    name: 'MethodNotAllowed',
    description: OTHER_METHOD,
    schema: Failed,
    example: { error: '/kvaults/vaults does not allow POST. Use GET.' },
  },
  413: {
    name: 'ReadBodyTooLarge',
    description: BODY_TOO_LARGE,
    schema: Failed,
    example: { error: TOO_LARGE.message },
  },
  415: {
    name: 'ReadBodyNotJson',
    description: OTHER_TYPE,
    schema: Failed,
    example: { error: NOT_JSON.message },
  },
  500: { name: 'Unavailable', description: INTERNAL, schema: Failed, example: { error: STARTING.message } },
};

/** Errors of reads. */
export const READ_ERRORS: ErrorFamily = { shape: readShape, documented: READ_DOCUMENTED };

/** Codes for an account of another kind, which counts as not found. */
const OF_ANOTHER_KIND: readonly (string | undefined)[] = [
  'ACCOUNT_WRONG_OWNER',
  'ACCOUNT_WRONG_DISCRIMINATOR',
];

/** Errors of reads that answer 404 `{metadata}` for a missing account. */
export const LOOKUP_ERRORS: ErrorFamily = {
  shape: (failure) =>
    failure.status === 404 || OF_ANOTHER_KIND.includes(failure.code)
      ? { status: 404, body: { metadata: failure.message }, headers: codeHeader(failure.code) }
      : readShape(failure),
  documented: {
    ...READ_DOCUMENTED,
    404: {
      name: 'AccountNotFound',
      description: 'The account or the season does not exist.',
      schema: NotFound,
      example: { metadata: new SluiceError('KVAULT_NOT_FOUND', { vault: ANY }).message },
    },
  },
};

/** Errors of registering a lookup table, which is always refused. */
export const REGISTER_TABLE_ERRORS: ErrorFamily = {
  shape: LOOKUP_ERRORS.shape,
  documented: {
    ...LOOKUP_ERRORS.documented,
    501: {
      name: 'LookupTablesReadOnly',
      description: 'This gateway has no registry of lookup tables: it reads them from the chain.',
      schema: Failed,
      example: { error: new SluiceError('LOOKUP_TABLES_READ_ONLY', { vault: ANY, table: null }).message },
    },
  },
};

/** Errors that occur before the operation runs, and those of history, on which clients decide whether to retry. */
const OWN_STATUS: readonly number[] = [401, 405, 409, 413, 415, 429, 499, 503];

/** Three operations document only 500, so invalid input and a missing account are 500 `{error}` too. */
export const ONLY_500_ERRORS: ErrorFamily = {
  shape: ({ status, message, code }) => ({
    status: OWN_STATUS.includes(status) ? status : 500,
    body: { error: message },
    headers: codeHeader(code),
  }),
  documented: {
    ...BEFORE_DOCUMENTED,
    ...HISTORY_DOCUMENTED,
    500: {
      name: 'AnyFailure',
      description: 'Any failure, including invalid input. `X-Error-Code` has the error code.',
      schema: Failed,
      example: { error: new SluiceError('KLEND_MARKET_NOT_FOUND', { market: ANY }).message },
    },
  },
};

function builderError(
  name: string,
  status: number,
  description: string,
  { message, code }: Pick<Failure, 'message' | 'code'>,
): DocumentedError {
  const { body } = builderShape({ status, message, ...(code === undefined ? {} : { code }) });
  return { name, description, schema: BuilderError, example: body };
}

/** Errors of `/ktx`. */
export const BUILDER_ERRORS: ErrorFamily = {
  shape: builderShape,
  documented: {
    400: builderError(
      'BuildRefused',
      400,
      'The transaction cannot be built. `code` says why.',
      new SluiceError('AMOUNT_NOT_POSITIVE', { amount: '0' }),
    ),
    401: builderError('BuilderUnauthenticated', 401, UNAUTHENTICATED, {
      message: REVOKED,
      code: 'UNAUTHENTICATED',
    }),
    429: builderError('BuilderRateLimited', 429, RATE_LIMITED, LIMITED),
    405: builderError('BuilderMethodNotAllowed', 405, OTHER_METHOD, {
      message: '/ktx/klend/deposit does not allow GET. Use POST.',
    }),
    413: builderError('BodyTooLarge', 413, BODY_TOO_LARGE, TOO_LARGE),
    415: builderError('BodyNotJson', 415, OTHER_TYPE, NOT_JSON),
    500: builderError('BuilderUnavailable', 500, INTERNAL, STARTING),
  },
};

/** Errors of `/transactions`. */
export const SEND_ERRORS: ErrorFamily = {
  shape: builderShape,
  documented: {
    ...BUILDER_ERRORS.documented,
    400: builderError(
      'SendRefused',
      400,
      'The transaction is malformed, too large, or not signed by all of its signers. `code` says which.',
      new SluiceError('TRANSACTION_UNSIGNED', { signers: [ANY] }),
    ),
    403: builderError(
      'SendingDisabled',
      403,
      'This deployment does not send transactions.',
      new SluiceError('SENDING_DISABLED', {}),
    ),
    409: builderError(
      'DurableNonceBusy',
      409,
      'Another transaction with the same durable nonce is being sent. Only one of them can land.',
      new SluiceError('DURABLE_NONCE_BUSY', { account: ANY, signature: ANY_SIGNATURE, retryAfter: 5 }),
    ),
  },
};
