import { isSluiceError, SluiceError } from '../../errors/sluice-error.ts';
import type { HistoryState } from '../../services/history/source.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** How history stands: what is being done before it is whole, and what is in its way. */
export class HistoryStanding {
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  #doing: string | null = 'the database is being opened';
  #trouble: SluiceError | null = null;

  constructor(logger: Logger, metrics: Metrics) {
    this.#logger = logger;
    this.#metrics = metrics;
  }

  get status(): HistoryState['status'] {
    if (this.#trouble !== null) return 'unavailable';
    return this.#doing === null ? 'ready' : 'starting';
  }

  /** Why history cannot be read or is not whole, for callers: where the files of the gateway are is not their business. */
  get reason(): string | null {
    if (this.#trouble === null) return this.#doing;
    if (isSluiceError(this.#trouble, 'HISTORY_UNAVAILABLE')) return this.#trouble.context.reason;
    if (isSluiceError(this.#trouble, 'HISTORY_SCHEMA_UNKNOWN')) return this.#trouble.message;
    return isSluiceError(this.#trouble, 'CONFIG_INVALID')
      ? `${this.#trouble.context.variable} is used by another process or cannot be opened; the log tells more`
      : 'it failed; the log tells more';
  }

  /** Null when nothing is left to do. */
  does(doing: string | null): void {
    this.#doing = doing;
  }

  works(): void {
    this.#trouble = null;
  }

  fails(what: string, error: unknown): void {
    const known = this.#trouble?.message;
    this.#trouble = error instanceof SluiceError ? error : new SluiceError('INTERNAL', {});
    this.#metrics.recordingFailed();
    // What is tried every few seconds is told once.
    if (this.#trouble.message !== known) this.#logger.warn({ err: error, what }, 'history failed');
  }

  /** What a reader is told who cannot have it. */
  refusal(): SluiceError {
    return new SluiceError('HISTORY_UNAVAILABLE', { reason: this.reason ?? 'the database is not open' });
  }
}
