import type { Rational } from '../numeric/rational.ts';
import type { Session, VaultRecord } from './records.ts';

/** Windows of a realised yield, by the names of the graph. */
export type ApyWindow = 'H24' | 'D7' | 'D30' | 'D90' | 'D180' | 'D365';

/** What only history can tell about a vault; null where nothing is recorded. */
export interface RecordedVault {
  /** Yearly, a fraction, from the rise of the share price over the window. */
  readonly realisedApy: Readonly<Record<ApyWindow, Rational | null>>;
  /** Wallets that hold shares. */
  readonly holders: number | null;
}

const NOTHING_RECORDED: RecordedVault = {
  realisedApy: { H24: null, D7: null, D30: null, D90: null, D180: null, D365: null },
  holders: null,
};

/** No history is kept yet: everything that needs it is unknown. */
export async function recordedVault(_session: Session, _vault: VaultRecord): Promise<RecordedVault> {
  return NOTHING_RECORDED;
}
