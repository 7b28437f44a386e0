import type { AttemptFailureCode, RefusedBody } from './attempt-failure.ts';
import type { CircuitState } from './circuit-breaker.ts';

/** An endpoint further behind the newest known slot is avoided while a better one is available. */
export const MAX_SLOT_LAG = 150;

/** One attempt at one endpoint, for metrics. */
export interface RpcCall {
  readonly endpoint: string;
  readonly method: string;
  readonly durationMs: number;
  readonly requestBytes: number;
  /** Size of the body on the wire; 0 when there was none. */
  readonly responseBytes: number;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  /** Why the body was not read to its end; null when it was. */
  readonly refusedBody: RefusedBody | null;
}

/**
 * Why an endpoint is out of use until it answers the same request truthfully.
 * - `IMPLAUSIBLE_SLOT`: a slot or time that neither elapsed time nor the other endpoints explain.
 * - `WRONG_CLOCK`: a clock account that is missing or of another slot than the answer.
 * - `WITHHELD_ACCOUNTS`: accounts are missing that other endpoints have.
 */
export type Distrust = 'IMPLAUSIBLE_SLOT' | 'WRONG_CLOCK' | 'WITHHELD_ACCOUNTS';

/** State of an endpoint. It is named by its position in the configuration, never by its URL. */
export interface EndpointStatus {
  readonly name: string;
  /** Whether it is a first choice: circuit closed, last attempt answered, not behind, trusted. */
  readonly healthy: boolean;
  /** Slots behind the newest slot known at its last call. Null before its first slot. */
  readonly slotLag: bigint | null;
  /** Moving average of the time to the reply's headers. Null before the first. */
  readonly latencyMs: number | null;
  readonly circuit: CircuitState;
  readonly inFlight: number;
  readonly lastError: AttemptFailureCode | null;
  /** Why it is out of use; null when it is trusted. */
  readonly distrust: Distrust | null;
}
