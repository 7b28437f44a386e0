import { type CodedError, isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { HistoryState } from '../../services/platform/history-source.ts';
import { isDiskFull } from '../../store/disk-full.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** The state of history: the step and progress before it is complete, and the error that blocks it. */
export class HistoryStatus {
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  #step: string | null = 'opening the database';
  #percent: number | null;
  #failure: CodedError | null = null;

  /** @param isGenerated whether the past is generated, which takes long enough to report progress */
  constructor(logger: Logger, metrics: Metrics, isGenerated: boolean) {
    this.#logger = logger;
    this.#metrics = metrics;
    this.#percent = isGenerated ? 0 : null;
  }

  get status(): HistoryState['status'] {
    if (this.#failure !== null) return 'unavailable';
    return this.#step === null ? 'ready' : 'starting';
  }

  /** Progress of generating the past, 0 to 99 percent; null when none is being generated. */
  get percent(): number | null {
    return this.status === 'starting' ? this.#percent : null;
  }

  /** Why history cannot be read or is incomplete, in terms that callers may see: no paths of this machine. */
  get reason(): string | null {
    if (this.#failure === null) return this.#step;
    if (isCodedError(this.#failure, 'HISTORY_UNAVAILABLE')) return this.#failure.context.reason;
    if (isCodedError(this.#failure, 'HISTORY_SCHEMA_UNKNOWN')) return this.#failure.message;
    return isCodedError(this.#failure, 'CONFIG_INVALID')
      ? `${this.#failure.context.variable} is in use by another process or cannot be opened; see the log`
      : 'it failed; see the log';
  }

  get isDiskFull(): boolean {
    return isDiskFull(this.#failure);
  }

  /** Generation begins, or begins again after a failure. */
  startGenerating(): void {
    this.#step = 'generating the past of the localnet';
    this.#percent = 0;
    this.#failure = null;
  }

  setGenerated(done: number, of: number): void {
    this.#step = `generating the past of the localnet: ${done} of ${of} snapshots`;
    // Below 100 until history is ready.
    this.#percent = Math.min(99, Math.floor((100 * done) / of));
  }

  setReady(): void {
    this.#step = null;
    this.clearFailure();
  }

  clearFailure(): void {
    if (this.#failure !== null) this.#logger.info('history is available again');
    this.#failure = null;
  }

  setFailure(what: string, error: unknown): void {
    const known = this.#failure?.message;
    this.#failure = isCodedError(error) ? error : new SluiceError('INTERNAL', {});
    this.#metrics.recordingFailed();
    // Retries every few seconds fail alike; log the first one.
    if (this.#failure.message !== known) this.#logger.warn({ err: error, what }, 'history failed');
  }

  /** The error for a caller that needs history now. */
  error(): CodedError {
    if (this.status === 'starting' && this.#step !== null) {
      return new SluiceError('HISTORY_STARTING', { reason: this.#step, percent: this.percent });
    }
    return new SluiceError('HISTORY_UNAVAILABLE', { reason: this.reason ?? 'the database is not open' });
  }
}
