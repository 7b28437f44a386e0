import type { ErrorCode } from '../../errors/codes.ts';
import type { CircuitState } from './circuit-breaker.ts';

/** One attempt at one endpoint, for metrics. */
export interface RpcCall {
  readonly endpoint: string;
  readonly method: string;
  readonly durationMs: number;
  readonly requestBytes: number;
  /** Of the body as it came over the wire; 0 when there was none. */
  readonly responseBytes: number;
  readonly outcome: 'ok' | ErrorCode;
}

/** How an endpoint does. It is known by its place in the configuration, never by its URL. */
export interface EndpointStatus {
  readonly name: string;
  /** Whether calls go to it by choice: circuit closed, last attempt answered, not behind. */
  readonly healthy: boolean;
  /** Slots behind the newest slot known when it was last asked. Null before it told one. */
  readonly slotLag: bigint | null;
  /** Running mean of the time to the head of a reply. Null before the first. */
  readonly latencyMs: number | null;
  readonly circuit: CircuitState;
  readonly inFlight: number;
  readonly lastError: ErrorCode | null;
}
