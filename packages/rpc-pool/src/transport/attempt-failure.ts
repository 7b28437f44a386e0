import { RpcError, type RpcErrorCode, type RpcErrorContext } from '../rpc-error.ts';

export type AttemptFailureCode = Exclude<RpcErrorCode, 'REQUEST_CANCELLED'>;

/**
 * Where a failed call may be retried.
 * - `ANYWHERE`: every endpoint, this one included, may succeed.
 * - `ELSEWHERE`: this endpoint will fail again; another may succeed.
 * - `NEVER`: every endpoint would answer the same.
 */
export type RetryRule = 'ANYWHERE' | 'ELSEWHERE' | 'NEVER';

/** Why a body was not read to its end: larger than its request can yield, or too many bytes in flight. */
export type RefusedBody = 'TOO_LARGE' | 'OVER_BUDGET';

export interface AttemptFailureDetails {
  /** For operators: our own text or a system error code. Never text of the endpoint, never an address. */
  readonly reason: string;
  readonly retry?: RetryRule;
  /** Whether the endpoint itself is at fault, which counts against its circuit. */
  readonly endpointAtFault?: boolean;
  /** Pause that the endpoint requested, in milliseconds. Null when it did not. */
  readonly retryAfterMs?: number | null;
  readonly refusal?: Omit<RpcErrorContext['RPC_REFUSED'], 'method'>;
  readonly refusedBody?: RefusedBody;
}

/** Failure of one attempt at one endpoint. Internal to the pool; callers see an `RpcError`. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';
  readonly code: AttemptFailureCode;
  readonly retry: RetryRule;
  readonly endpointAtFault: boolean;
  readonly retryAfterMs: number | null;
  readonly refusal: Omit<RpcErrorContext['RPC_REFUSED'], 'method'> | undefined;
  readonly refusedBody: RefusedBody | null;

  constructor(code: AttemptFailureCode, details: AttemptFailureDetails) {
    super(details.reason);
    this.code = code;
    this.retry = details.retry ?? 'ANYWHERE';
    this.endpointAtFault = details.endpointAtFault ?? true;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.refusal = details.refusal;
    this.refusedBody = details.refusedBody ?? null;
  }
}

/** A failed attempt and its endpoint. */
export interface FailedAttempt {
  readonly endpoint: string;
  readonly failure: AttemptFailure;
}

/** The error of a call, derived from its last failure. The cause lists all attempts for the log. */
export function callError(method: string, attempts: readonly FailedAttempt[], timeoutMs: number): RpcError {
  const last = attempts.at(-1)?.failure;
  const cause = new Error(attempts.map((a) => `${a.endpoint}: ${a.failure.message}`).join('; '));
  switch (last?.code) {
    case 'RPC_RATE_LIMITED':
      return new RpcError('RPC_RATE_LIMITED', { method }, { cause });
    case 'RPC_TIMEOUT':
      return new RpcError('RPC_TIMEOUT', { method, timeoutMs }, { cause });
    case 'RPC_BAD_RESPONSE':
      return new RpcError('RPC_BAD_RESPONSE', { method, reason: last.message }, { cause });
    case 'RPC_REFUSED':
      return new RpcError('RPC_REFUSED', { method, rpcCode: 0, rpcMessage: '', ...last.refusal }, { cause });
    default:
      return new RpcError('RPC_UNAVAILABLE', { method, attempts: attempts.length }, { cause });
  }
}
