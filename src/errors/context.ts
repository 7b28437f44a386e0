import type { ProtocolErrorContext } from '@sluice/protocol/protocol-error';
import type { RpcErrorContext } from '@sluice/rpc-pool/rpc-error';
import type { ErrorCode } from './codes.ts';

/** The values that each message needs. Never put a secret here, such as an RPC URL or an API key. */
export type ErrorContext = ProtocolErrorContext &
  RpcErrorContext & {
    /** `more`: the other settings that are wrong, so that all are reported at once. */
    CONFIG_INVALID: {
      variable: string;
      allowed: string;
      more?: readonly { variable: string; allowed: string }[];
    };
    /** `kind` of the file; a catalogue by default. */
    CATALOGUE_INVALID: { source: string; problems: readonly string[]; kind?: 'file of seasons' };
    INTERNAL: Record<never, never>;

    ACCOUNT_NOT_FOUND: { account: string; address: string };

    DEADLINE_EXCEEDED: { what: string };
    VIEW_NOT_READY: { reason: string };
    HISTORY_DISABLED: { what: string };
    /** `percent` is how much of the localnet's past has been generated; null on other chains. */
    HISTORY_STARTING: { reason: string; percent: number | null };
    /** A history writer used an outdated fencing token. `current` is null when no recorder has ever held the lease. */
    NOT_LEADER: { fence: string; current: string | null };
    /** `reason` is an error code of the database or the system, never its message: that may name hosts and users. */
    HISTORY_UNAVAILABLE: { reason: string };
    HISTORY_SCHEMA_UNKNOWN: { migration: string; reason: string };
    /** Too many addresses are being read from the chain, for the caller or in all. */
    TRANSACTIONS_BUSY: { whose: 'caller' | 'gateway'; ceiling: number };
    /** `reason` is the code of the error that prevented it; null when there was not enough time. */
    TRANSACTIONS_UNREAD: { address: string; reason: string | null };
    CURSOR_INVALID: { cursor: string };
    VIEW_GONE: { view: string; newest: string };
    MIN_SLOT_NOT_REACHED: { minSlot: string; slot: string };

    UNAUTHENTICATED: { reason: string };
    KEYS_UNAVAILABLE: Record<never, never>;
    /**
     * `retryAfter` in seconds; `limit` is the cost that the caller may spend per minute. `invalidKeys`: it is the number of
     * requests with an invalid key instead.
     */
    RATE_LIMITED: { retryAfter: number; limit: number; invalidKeys?: boolean };
    CROSS_SITE_REQUEST: Record<never, never>;
    ORIGIN_NOT_ALLOWED: Record<never, never>;
    PERSISTED_QUERY_NOT_FOUND: Record<never, never>;
    PERSISTED_QUERY_MISMATCH: { reason: string };
    PERSISTED_OPERATION_UNKNOWN: { id: string };
    PERSISTED_OPERATIONS_ONLY: Record<never, never>;

    BAD_REQUEST: { reason: string };
    CLUSTER_NOT_SERVED: { asked: string; served: string };
    BODY_TOO_LARGE: { ceiling: number };
    UNSUPPORTED_MEDIA_TYPE: Record<never, never>;
    INPUT_TOO_DEEP: { ceiling: number };
    GRAPHQL_PARSE_FAILED: { reason: string };
    GRAPHQL_VALIDATION_FAILED: { reason: string };
    OPERATION_RESOLUTION_FAILURE: { reason: string };
    QUERY_TOO_LONG: { ceiling: number };
    QUERY_TOO_DEEP: { depth: number; ceiling: number };
    QUERY_TOO_EXPENSIVE: { cost: number; ceiling: number };
    TOO_MANY_ALIASES: { aliases: number; ceiling: number };
    TOO_MANY_DIRECTIVES: { directives: number; ceiling: number };
    TOO_MANY_OVERLAPS: { ceiling: number };
    LIST_TOO_LONG: { items: number; ceiling: number };
    NODE_BUDGET_EXCEEDED: { ceiling: number };
    ANSWER_TOO_LARGE: { ceiling: number };
    GATEWAY_UNREACHABLE: { url: string };
    /** Which ceiling was reached: the caller's or the gateway's. */
    TOO_MANY_STREAMS: { whose: 'caller' | 'gateway'; ceiling: number };
    STREAM_NOT_ACCEPTED: Record<never, never>;

    /** A supposed price that makes no sense. `reason` completes "the shock of the mint ...". */
    SHOCK_INVALID: { mint: string; reason: string };
    SHOCK_MINT_UNKNOWN: { mint: string };
    /** A supposed rate that makes no sense. `reason` completes "the rate of the reserve ...". */
    RATE_INVALID: { reserve: string; reason: string };
    /** `reason` completes "the weight of the reserve ...". */
    WEIGHT_INVALID: { reserve: string; reason: string };
    AMOUNT_NOT_POSITIVE: { amount: string };
    AMOUNT_TOO_MANY_DECIMALS: { amount: string; decimals: number };
    DECIMAL_TO_LAMPORTS_OVERFLOW: { amount: string; decimals: number };
    SEASON_NOT_FOUND: { source: string };
    KLEND_MARKET_NOT_FOUND: { market: string };
    KLEND_RESERVE_NOT_FOUND: { reserve: string };
    RESERVE_NOT_IN_MARKET: { reserve: string; market: string; actual: string };
    KLEND_OBLIGATION_NOT_FOUND: { obligation: string };
    KLEND_POSITION_NOT_FOUND: { obligation: string; reserve: string; side: 'deposit' | 'debt' };
    KLEND_TICKET_NOT_FOUND: { ticket: string };
    KVAULT_NOT_FOUND: { vault: string };
    CURATOR_NOT_FOUND: { curator: string };
    KVAULT_POSITION_NOT_FOUND: { vault: string; wallet: string };
    /** `allowed` says who may. */
    NOT_VAULT_ADMIN: { wallet: string; vault: string; allowed: string };
    FARM_STAKE_NOT_FOUND: { farm: string; wallet: string };
    /** `reason` says why nothing can be claimed now. */
    NOTHING_TO_CLAIM: { wallet: string; reason: string };
    TRANSACTION_SIZE_ERROR: {
      sizeBytes: number;
      sizeLimit: number;
      accounts: number;
      accountLimit: number;
      /** Whether it is a claim that must be one transaction: fewer farms make it smaller. */
      isClaim?: boolean;
    };
    /** `reason` says why the transaction cannot be built and what to change. */
    ORDER_CANNOT_TRIGGER: { reason: string };
    BUILD_REFUSED: { reason: string };
    /** `instruction`: the position in the swap of the instruction that is refused; null when none alone is the reason. */
    SWAP_REFUSED: { reason: string; instruction: number | null };
    QUOTES_OFF: Record<never, never>;
    /** `reason` says what is wrong with the quote, or why there is none. */
    QUOTE_REFUSED: { reason: string };
    /** `reason` completes "the source of quotes is unavailable: ...". `retryAfter` in seconds. */
    QUOTE_UNAVAILABLE: { reason: string; retryAfter: number };
    /** Invalid options: `reason` says what is wrong with the one that the code names, and what to change. */
    FEE_PAYER_INVALID: { reason: string };
    MEMO_INVALID: { reason: string };
    DURABLE_NONCE_INVALID: { reason: string };
    PRIORITY_FEE_INVALID: { reason: string };
    TIP_INVALID: { reason: string };

    /** `table`: the one that the vault has on chain; null for none. */
    LOOKUP_TABLES_READ_ONLY: { vault: string; table: string | null };

    SENDING_DISABLED: Record<never, never>;
    /** Whose share of `ceiling` transactions is used up. `retryAfter` in seconds. */
    SENDING_BUSY: { whose: 'client' | 'feePayer' | 'gateway'; ceiling: number; retryAfter: number };
    /** `signature`: the transaction with the nonce that is being sent. `retryAfter` in seconds. */
    DURABLE_NONCE_BUSY: { account: string | null; signature: string; retryAfter: number };
    TRANSACTION_MALFORMED: { reason: string };
    TRANSACTION_TOO_LARGE: { sizeBytes: number; sizeLimit: number };
    /** `signers`: the accounts whose signature is missing. */
    TRANSACTION_UNSIGNED: { signers: readonly string[] };
    /** `signers`: the accounts whose signature is wrong. */
    TRANSACTION_SIGNATURE_INVALID: { signers: readonly string[] };
    SIGNATURE_MALFORMED: { value: string };

    ALERTS_DISABLED: Record<never, never>;
    /** `reason` says what is wrong with the alert and what to change. */
    ALERT_INVALID: { reason: string };
    /** `reason` completes "the URL of the receiver is refused: ...". */
    ALERT_URL_REFUSED: { reason: string };
    ALERT_NOT_FOUND: { alert: string };
    DELIVERY_NOT_FOUND: { delivery: string };
    /** Which ceiling was reached: that of the key or of the deployment. */
    TOO_MANY_ALERTS: { whose: 'key' | 'gateway'; ceiling: number };
    /** Too many test messages within a minute, of the alert or of all alerts of the key. `retryAfter` in seconds. */
    TOO_MANY_TESTS: { whose: 'alert' | 'key'; ceiling: number; retryAfter: number };
  };

type Complete<T extends Record<ErrorCode, object>> = T;
/**
 * Compiles only when every code has a context.
 * @public for that check alone
 */
export type CompleteErrorContext = Complete<ErrorContext>;
