import { isSluiceError, SluiceError } from '../../errors/sluice-error.ts';
import type { HistoryState } from '../../services/history/source.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** The state of history: the step in progress before it is complete, and the error that blocks it. */
export class HistoryStatus {
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  #step: string | null = 'opening the database';
  #failure: SluiceError | null = null;

  constructor(logger: Logger, metrics: Metrics) {
    this.#logger = logger;
    this.#metrics = metrics;
  }

  get status(): HistoryState['status'] {
    if (this.#failure !== null) return 'unavailable';
    return this.#step === null ? 'ready' : 'starting';
  }

  /** Why history cannot be read or is incomplete, in terms that callers may see: no paths of this machine. */
  get reason(): string | null {
    if (this.#failure === null) return this.#step;
    if (isSluiceError(this.#failure, 'HISTORY_UNAVAILABLE')) return this.#failure.context.reason;
    if (isSluiceError(this.#failure, 'HISTORY_SCHEMA_UNKNOWN')) return this.#failure.message;
    return isSluiceError(this.#failure, 'CONFIG_INVALID')
      ? `${this.#failure.context.variable} is in use by another process or cannot be opened; see the log`
      : 'it failed; see the log';
  }

  /** @param step null when history is complete */
  setStep(step: string | null): void {
    this.#step = step;
  }

  clearFailure(): void {
    this.#failure = null;
  }

  setFailure(what: string, error: unknown): void {
    const known = this.#failure?.message;
    this.#failure = error instanceof SluiceError ? error : new SluiceError('INTERNAL', {});
    this.#metrics.recordingFailed();
    // Retries every few seconds fail alike; log the first one.
    if (this.#failure.message !== known) this.#logger.warn({ err: error, what }, 'history failed');
  }

  /** The error for a caller that needs history now. */
  unavailable(): SluiceError {
    return new SluiceError('HISTORY_UNAVAILABLE', { reason: this.reason ?? 'the database is not open' });
  }
}
