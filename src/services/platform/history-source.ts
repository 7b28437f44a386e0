import { SluiceError } from '../../errors/sluice-error.ts';
import type { StatementCaller } from '../../store/caller-pool.ts';
import type { Freshness } from '../../store/replicas/freshness.ts';
import type { ReplicaState } from '../../store/replicas/replica.ts';
import type { Database } from '../../store/sql.ts';

/** The slots of which a stream has delivered all transactions with the programs, or of which they were read later. Slots are text. */
export interface StreamedTransactions {
  readonly fromSlot: string;
  readonly toSlot: string;
  /** Gaps between these slots, and the slots in them. */
  readonly gaps: number;
  readonly missingSlots: string;
  /** Whether this process stores the transactions of a stream now; null when its recorder follows none. */
  readonly streaming: boolean | null;
}

/** State of a deployment's history. */
export interface HistoryState {
  /** `off`: not recorded. `starting`: not yet readable or not yet complete. */
  readonly status: 'off' | 'starting' | 'ready' | 'unavailable';
  /** Current activity, for humans; null when idle. */
  readonly doing: string | null;
  /** Generated part of the localnet's past, 0 to 99 percent; null when none is being generated. */
  readonly percent: number | null;
  /** Whether the recorder of this process holds the lease; null when it runs none. */
  readonly leading: boolean | null;
  /** Age of the newest sample; null when there is none or it was not checked yet. */
  readonly lagMs: number | null;
  /** Absent without read replicas. */
  readonly replicas?: readonly ReplicaState[] | undefined;
  /** Absent when no transaction has come from a stream. */
  readonly transactions?: StreamedTransactions;
}

/** Access to recorded history. */
export interface HistorySource {
  /**
   * The database.
   *
   * @param what the requested data, for the error message.
   * @param freshness the state that reads need; `newest` unless given.
   * @param caller the request that reads; absent for work that requests share.
   * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE
   */
  database(what: string, freshness?: Freshness, caller?: StatementCaller): Database;
  state(): HistoryState;
}

/** A deployment without history, which only reads the chain. */
export const NO_HISTORY: HistorySource = {
  database(what) {
    throw new SluiceError('HISTORY_DISABLED', { what });
  },
  state: () => ({ status: 'off', doing: null, percent: null, leading: null, lagMs: null }),
};
