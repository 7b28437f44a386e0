import { SluiceError } from '../../errors/sluice-error.ts';
import type { Database } from '../../store/sql.ts';

/** How the history of a deployment stands. */
export interface HistoryState {
  /** `off`: not kept. `starting`: not yet readable, or not yet whole. */
  readonly status: 'off' | 'starting' | 'ready' | 'unavailable';
  /** What is being done, for people; null when there is nothing to say. */
  readonly doing: string | null;
  /** Whether a recorder in this process leads; null when none runs here. */
  readonly leading: boolean | null;
  /** Age of the newest sample; null when there is none or nobody has looked. */
  readonly lagMs: number | null;
}

/** Where recorded facts come from. */
export interface HistorySource {
  /**
   * The database, for a fact that `what` names.
   *
   * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
   */
  database(what: string): Database;
  state(): HistoryState;
}

/** A deployment that keeps none: reads of the chain alone. */
export const NO_HISTORY: HistorySource = {
  database(what) {
    throw new SluiceError('HISTORY_DISABLED', { what });
  },
  state: () => ({ status: 'off', doing: null, leading: null, lagMs: null }),
};
