import type { ErrorCode } from '../../errors/codes.ts';
import type { CircuitState } from './circuit-breaker.ts';

/** One attempt at one endpoint, for metrics. */
export interface RpcCall {
  readonly endpoint: string;
  readonly method: string;
  readonly durationMs: number;
  readonly requestBytes: number;
  /** Size of the body on the wire; 0 when there was none. */
  readonly responseBytes: number;
  readonly outcome: 'ok' | ErrorCode;
}

/** State of an endpoint. It is named by its position in the configuration, never by its URL. */
export interface EndpointStatus {
  readonly name: string;
  /** Whether it is a first choice: circuit closed, last attempt answered, not behind. */
  readonly healthy: boolean;
  /** Slots behind the newest slot known at its last call. Null before its first slot. */
  readonly slotLag: bigint | null;
  /** Moving average of the time to the reply's headers. Null before the first. */
  readonly latencyMs: number | null;
  readonly circuit: CircuitState;
  readonly inFlight: number;
  readonly lastError: ErrorCode | null;
}
