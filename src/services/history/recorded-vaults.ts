import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Platform } from '../platform/platform.ts';
import type { VaultRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import type { Period } from '../request/time-range.ts';
import { holderCount } from '../vaults/holders.ts';
import { realisedYields } from './realised-yield.ts';

/** Facts about a vault that need history; null where nothing is recorded. */
export interface RecordedVault {
  /** Yearly fraction, from the growth of the share price over the window. */
  readonly realisedApy: Readonly<Record<Exclude<Period, 'D14' | 'D60'>, Rational | null>>;
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
  session: Session,
  vault: VaultRecord,
): Promise<RecordedVault> {
  if (!platform.recordsHistory) return NOTHING_RECORDED;
  const [{ H24, D7, D30, D90, D180, D365 }, holders] = await Promise.all([
    realisedYields(platform, session, vault),
    holderCount(platform, session, vault),
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
