import type { Clock } from './clock.ts';

export type CircuitState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** This many failures in a row open the circuit. */
export const FAILURES_TO_OPEN = 5;
export const FIRST_COOL_DOWN_MS = 1_000;
export const MAX_COOL_DOWN_MS = 30_000;

/**
 * Stops calls to a failing endpoint. Consecutive failures open the circuit. After a cool-down it admits one probe, whose
 * success closes the circuit and whose failure doubles the cool-down.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  #failures = 0;
  #coolDownMs = FIRST_COOL_DOWN_MS;
  /** Null while closed. */
  #openUntilMs: number | null = null;
  #probing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get state(): CircuitState {
    if (this.#openUntilMs === null) return 'CLOSED';
    return this.#probing || this.#clock.now() >= this.#openUntilMs ? 'HALF_OPEN' : 'OPEN';
  }

  /** Since the last success. */
  get consecutiveFailures(): number {
    return this.#failures;
  }

  /** Whether a call may start: always when closed; when half open, only as its single probe. */
  get admits(): boolean {
    return this.state === 'CLOSED' || (this.state === 'HALF_OPEN' && !this.#probing);
  }

  /** Records the start of a call. Returns whether it is the probe, which must be passed on with its outcome. */
  begin(): boolean {
    if (this.#openUntilMs === null) return false;
    this.#probing = true;
    return true;
  }

  /** Any answer, even to a call from before the circuit opened, shows that the endpoint is alive. */
  succeeded(): void {
    this.#failures = 0;
    this.#coolDownMs = FIRST_COOL_DOWN_MS;
    this.#openUntilMs = null;
    this.#probing = false;
  }

  failed(probe: boolean): void {
    this.#failures += 1;
    if (probe) this.#coolDownMs = Math.min(this.#coolDownMs * 2, MAX_COOL_DOWN_MS);
    // Late failures of calls from before the circuit opened carry no new information.
    else if (this.#openUntilMs !== null || this.#failures < FAILURES_TO_OPEN) return;
    this.#openUntilMs = this.#clock.now() + this.#coolDownMs;
    this.#probing = false;
  }

  /** The call was cancelled without an outcome. */
  abandoned(probe: boolean): void {
    if (probe) this.#probing = false;
  }
}
