import type { Platform } from '../platform/platform.ts';
import type { ReserveRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { type AverageRates, averageRates } from './average-rates.ts';
import { type StakingYield, stakingYieldOf } from './staking-yields.ts';

/** Facts about a reserve that need history; null where too little is recorded. */
export interface RecordedReserve {
  /** Mean rates over 7 and 30 days. */
  readonly D7: AverageRates | null;
  readonly D30: AverageRates | null;
  /** Yield of holding the token; null for a token that is not a liquid-staking token. */
  readonly underlying: StakingYield | null;
}

const NOTHING_RECORDED: RecordedReserve = { D7: null, D30: null, underlying: null };

/**
 * All null without history.
 *
 * @throws HISTORY_UNAVAILABLE
 */
export async function recordedReserve(
  platform: Platform,
  session: Session,
  reserve: ReserveRecord,
): Promise<RecordedReserve> {
  if (!platform.recordsHistory) return NOTHING_RECORDED;
  const [D7, D30, underlying] = await Promise.all([
    averageRates(platform, session, reserve, 'D7'),
    averageRates(platform, session, reserve, 'D30'),
    stakingYieldOf(platform, session, reserve.value.liquidity.mintPubkey),
  ]);
  return { D7, D30, underlying };
}
