import type { View } from '../chain/view.ts';
import type { Rational } from '../numeric/rational.ts';
import { hasHistory, holderCount } from './history/holders.ts';
import type { Period } from './history/range.ts';
import { realisedYields } from './history/realised-yield.ts';
import type { Platform } from './platform.ts';
import type { VaultRecord } from './records.ts';

/** Facts about a vault that need history; null where nothing is recorded. */
export interface RecordedVault {
  /** Yearly fraction, from the growth of the share price over the window. */
  readonly realisedApy: Readonly<Record<Period, Rational | null>>;
  /** Wallets that hold shares. */
  readonly holders: number | null;
}

const NOTHING_RECORDED: RecordedVault = {
  realisedApy: { H24: null, D7: null, D30: null, D90: null, D180: null, D365: null },
  holders: null,
};

/**
 * All null without history.
 *
 * @throws HISTORY_UNAVAILABLE
 */
export async function recordedVault(
  platform: Platform,
  view: View,
  vault: VaultRecord,
): Promise<RecordedVault> {
  if (!hasHistory(platform)) return NOTHING_RECORDED;
  const [{ H24, D7, D30, D90, D180, D365 }, holders] = await Promise.all([
    realisedYields(platform, view, vault),
    holderCount(platform, view, vault),
  ]);
  const apy = (realised: { readonly apy: Rational } | null) => realised?.apy ?? null;
  return {
    realisedApy: {
      H24: apy(H24),
      D7: apy(D7),
      D30: apy(D30),
      D90: apy(D90),
      D180: apy(D180),
      D365: apy(D365),
    },
    holders,
  };
}
