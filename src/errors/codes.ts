/**
 * Every error code that GraphQL and REST can return. Callers depend on codes: add new ones, never rename or reuse one.
 *
 * `status` is the HTTP status, unless a REST operation defines another error shape. `retryable` is true when the same
 * request may succeed later.
 */
export const ERROR_CODES = {
  CONFIG_INVALID: { status: 500, retryable: false },
  CATALOGUE_INVALID: { status: 500, retryable: false },
  INTERNAL: { status: 500, retryable: false },

  ADDRESS_INVALID: { status: 400, retryable: false },
  DECIMAL_INVALID: { status: 400, retryable: false },
  NUMBER_OUT_OF_RANGE: { status: 400, retryable: false },

  ACCOUNT_WRONG_OWNER: { status: 400, retryable: false },
  ACCOUNT_WRONG_DISCRIMINATOR: { status: 400, retryable: false },
  ACCOUNT_TOO_SHORT: { status: 400, retryable: false },
  ACCOUNT_MALFORMED: { status: 400, retryable: false },
  ACCOUNT_NOT_FOUND: { status: 404, retryable: false },
  INSTRUCTION_UNKNOWN: { status: 400, retryable: false },
  INSTRUCTION_MALFORMED: { status: 400, retryable: false },

  RPC_UNAVAILABLE: { status: 500, retryable: true },
  RPC_RATE_LIMITED: { status: 500, retryable: true },
  RPC_TIMEOUT: { status: 500, retryable: true },
  RPC_BAD_RESPONSE: { status: 500, retryable: true },
  RPC_REFUSED: { status: 500, retryable: false },
  DEADLINE_EXCEEDED: { status: 500, retryable: true },
  REQUEST_CANCELLED: { status: 499, retryable: false },
  VIEW_NOT_READY: { status: 500, retryable: true },
  HISTORY_DISABLED: { status: 500, retryable: false },
  HISTORY_STARTING: { status: 500, retryable: true },
  RECORDER_NOT_LEADER: { status: 500, retryable: false },
  HISTORY_UNAVAILABLE: { status: 500, retryable: true },
  HISTORY_SCHEMA_UNKNOWN: { status: 500, retryable: false },
  TRANSACTIONS_BUSY: { status: 429, retryable: true },
  TRANSACTIONS_UNREAD: { status: 500, retryable: true },
  CURSOR_INVALID: { status: 400, retryable: false },
  VIEW_GONE: { status: 400, retryable: false },
  MIN_SLOT_NOT_REACHED: { status: 500, retryable: true },

  UNAUTHENTICATED: { status: 401, retryable: false },
  KEYS_UNAVAILABLE: { status: 500, retryable: true },
  RATE_LIMITED: { status: 429, retryable: true },
  CROSS_SITE_REQUEST: { status: 403, retryable: false },
  PERSISTED_QUERY_NOT_FOUND: { status: 200, retryable: false },
  PERSISTED_QUERY_MISMATCH: { status: 400, retryable: false },
  PERSISTED_OPERATION_UNKNOWN: { status: 400, retryable: false },
  PERSISTED_OPERATIONS_ONLY: { status: 400, retryable: false },

  BAD_REQUEST: { status: 400, retryable: false },
  CLUSTER_NOT_SERVED: { status: 400, retryable: false },
  BODY_TOO_LARGE: { status: 413, retryable: false },
  GRAPHQL_PARSE_FAILED: { status: 400, retryable: false },
  GRAPHQL_VALIDATION_FAILED: { status: 400, retryable: false },
  OPERATION_RESOLUTION_FAILURE: { status: 400, retryable: false },
  QUERY_TOO_LONG: { status: 400, retryable: false },
  QUERY_TOO_DEEP: { status: 400, retryable: false },
  QUERY_TOO_EXPENSIVE: { status: 400, retryable: false },
  TOO_MANY_ALIASES: { status: 400, retryable: false },
  TOO_MANY_DIRECTIVES: { status: 400, retryable: false },
  TOO_MANY_OVERLAPS: { status: 400, retryable: false },
  LIST_TOO_LONG: { status: 400, retryable: false },
  NODE_BUDGET_EXCEEDED: { status: 400, retryable: false },
  TOO_MANY_STREAMS: { status: 429, retryable: true },
  STREAM_NOT_ACCEPTED: { status: 406, retryable: false },

  AMOUNT_NOT_POSITIVE: { status: 400, retryable: false },
  AMOUNT_TOO_MANY_DECIMALS: { status: 400, retryable: false },
  DECIMAL_TO_LAMPORTS_OVERFLOW: { status: 400, retryable: false },
  KLEND_MARKET_NOT_FOUND: { status: 404, retryable: false },
  KLEND_RESERVE_NOT_FOUND: { status: 404, retryable: false },
  RESERVE_NOT_IN_MARKET: { status: 400, retryable: false },
  KLEND_OBLIGATION_NOT_FOUND: { status: 404, retryable: false },
  KLEND_POSITION_NOT_FOUND: { status: 400, retryable: false },
  KVAULT_NOT_FOUND: { status: 400, retryable: false },
  KVAULT_POSITION_NOT_FOUND: { status: 400, retryable: false },
  TRANSACTION_SIZE_ERROR: { status: 400, retryable: false },
  BUILD_REFUSED: { status: 400, retryable: false },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type ErrorCode = keyof typeof ERROR_CODES;
