import type { Platform } from '../platform/platform.ts';
import type { ReserveRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { type AverageRates, averageRatesOver } from './average-rates.ts';
import { type StakingYield, stakingYieldOf } from './staking-yields.ts';

/** The periods over which statistics of a reserve have means. */
const AVERAGED_PERIODS = ['D7', 'D14', 'D30', 'D60', 'D90', 'D180', 'D365'] as const;

export type AveragedPeriod = (typeof AVERAGED_PERIODS)[number];

/** Facts about a reserve that need history; null where too little is recorded. */
export interface RecordedReserve {
  readonly averages: Readonly<Record<AveragedPeriod, AverageRates | null>>;
  /** Yield of holding the token; null for a token that is not a liquid-staking token. */
  readonly underlying: StakingYield | null;
}

const NOTHING_RECORDED: RecordedReserve = {
  averages: { D7: null, D14: null, D30: null, D60: null, D90: null, D180: null, D365: null },
  underlying: null,
};

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
  const [averages, underlying] = await Promise.all([
    averageRatesOver(platform, session, reserve, AVERAGED_PERIODS),
    stakingYieldOf(platform, session, reserve.value.liquidity.mintPubkey),
  ]);
  return { averages, underlying };
}
