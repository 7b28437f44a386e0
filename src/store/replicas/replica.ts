import { isCodedError } from '../../errors/sluice-error.ts';
import type { Database } from '../sql.ts';
import { probeFailure, type ServerProbe, type ServerReading } from './server-probe.ts';
import type { WalClock } from './wal-clock.ts';

/**
 * - `starting`: not measured yet.
 * - `good`: answers if it is fresh enough.
 * - `refused`: reachable, and not a replica of the primary with its schema.
 * - `failing`: could not be measured, or a read failed since.
 */
type Status = 'starting' | 'good' | 'refused' | 'failing';

/** A replica as `/ready` and the metrics show it. */
export interface ReplicaState {
  /** `replica-1` for the first URL; never the URL. */
  readonly name: string;
  readonly status: Status;
  /** Why it is refused or failing. */
  readonly reason: string | null;
  /** Whether reads go to it now. */
  readonly inUse: boolean;
  /** Age of the primary's state that it has replayed; null when that is unknown, or too long ago to know. */
  readonly lagMs: number | null;
  /** Part of the log that it has not replayed. */
  readonly lagBytes: number | null;
  /** Statements that it answered. */
  readonly reads: number;
  /** Statements that failed on it, and were answered by the primary. */
  readonly failures: number;
}

/** Cancelled because of a conflict with the log being replayed. The replica is well. */
const CONFLICTS = ['40001', '40P01'];

/** A read replica: its condition and how far it is behind. */
export class Replica {
  readonly name: string;
  readonly db: Database;
  readonly #probe: ServerProbe;
  readonly #maxLagMs: number;
  #status: Status = 'starting';
  #reason: string | null = null;
  #lsn = 0n;
  #lagBytes: bigint | null = null;
  #measuredMs = 0;
  #replayedUntilMs: number | null = null;
  #reads = 0;
  #failures = 0;

  constructor(options: { name: string; db: Database; probe: ServerProbe; maxLagMs: number }) {
    this.name = options.name;
    this.db = options.db;
    this.#probe = options.probe;
    this.#maxLagMs = options.maxLagMs;
  }

  get isGood(): boolean {
    return this.#status === 'good';
  }

  /** Whether it has everything that was committed at most `maxLagMs` before now. */
  isFresh(nowMs: number): boolean {
    return this.isGood && this.#replayedUntilMs !== null && nowMs - this.#replayedUntilMs <= this.#maxLagMs;
  }

  /** Whether it has everything that was committed at that time. */
  hasReplayed(ms: number): boolean {
    return this.#replayedUntilMs !== null && this.#replayedUntilMs >= ms;
  }

  /** Age of the state it has; infinite when unknown. */
  lagMs(nowMs: number): number {
    return this.#replayedUntilMs === null ? Number.POSITIVE_INFINITY : nowMs - this.#replayedUntilMs;
  }

  /** Compares its state with a reading of the primary. Resolves to whether it has gone back, as after a restart. */
  async measure(primary: ServerReading, clock: WalClock): Promise<boolean> {
    try {
      const reading = await this.#probe.read();
      const wentBack = reading.lsn < this.#lsn;
      this.#lsn = reading.lsn;
      this.#measuredMs = performance.now();
      this.#replayedUntilMs = clock.replayedUntil(reading.lsn);
      this.#lagBytes = primary.lsn > reading.lsn ? primary.lsn - reading.lsn : 0n;
      const fault = replicaFault(reading, primary);
      this.#become(fault === null ? 'good' : 'refused', fault);
      return wentBack;
    } catch (error) {
      const fault = schemaIsMissing(error) ? 'it lacks the tables of the primary' : null;
      this.#become(fault === null ? 'failing' : 'refused', fault ?? probeFailure(error));
      return false;
    }
  }

  /** The primary cannot be behind one of its replicas. */
  compareWith(primary: ServerReading, sentMs: number): void {
    if (this.#status !== 'good' || this.#measuredMs > sentMs || this.#lsn <= primary.lsn) return;
    this.#become('refused', 'it has transactions that the primary lacks');
  }

  /** How far it has replayed, measured now. */
  lsn(): Promise<bigint> {
    return this.#probe.lsn();
  }

  answered(): void {
    this.#reads += 1;
  }

  failed(error: unknown): void {
    this.#failures += 1;
    const reason = isCodedError(error, 'HISTORY_UNAVAILABLE')
      ? error.context.reason
      : 'it refuses a statement';
    if (!CONFLICTS.includes(reason)) this.#become('failing', reason);
  }

  /** Its connections are gone. */
  lost(): void {
    if (this.isGood) this.#become('failing', 'connection lost');
  }

  state(nowMs: number, inUse: boolean): ReplicaState {
    const isKnown = this.#replayedUntilMs !== null;
    return {
      name: this.name,
      status: this.#status,
      reason: this.#reason,
      inUse,
      lagMs: isKnown ? Math.round(this.lagMs(nowMs)) : null,
      lagBytes: this.#lagBytes === null ? null : Number(this.#lagBytes),
      reads: this.#reads,
      failures: this.#failures,
    };
  }

  async close(): Promise<void> {
    await this.#probe.close();
    await this.db.close();
  }

  #become(status: Status, reason: string | null): void {
    this.#status = status;
    this.#reason = reason;
  }
}

/** Why a server cannot answer for this primary; null when it can. */
export function replicaFault(
  reading: Omit<ServerReading, 'lsn'>,
  primary: Omit<ServerReading, 'lsn'>,
): string | null {
  if (!reading.isReplica) return 'it is not a replica, or was promoted';
  if (reading.system !== primary.system) return 'it is a replica of another primary';
  if (reading.database !== primary.database) return 'its URL names another database than that of the primary';
  return reading.schema === primary.schema ? null : 'its schema is not that of the primary';
}

const schemaIsMissing = (error: unknown): boolean => probeFailure(error) === 'SQLSTATE 42P01';
