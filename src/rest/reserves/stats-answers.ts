import { recordedReserve } from '../../services/history/recorded-reserves.ts';
import { borrowable, borrowCaps, type DebtCap } from '../../services/markets/borrow-caps.ts';
import type { ReserveRecord } from '../../services/request/records.ts';
import {
  available,
  borrowYield,
  reserveLimits,
  statusWord,
  supplyYield,
} from '../../services/reserves/reserves.ts';
import type { Call } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import type { ReserveStats } from './stats-schemas.ts';

/** The statistics of a reserve, with the field names of the REST contract. */
export async function reserveStats(
  { session, platform }: Call,
  reserve: ReserveRecord,
): Promise<AnswerOf<typeof ReserveStats>> {
  const { view } = session;
  const { D7, D30, underlying } = await recordedReserve(platform, session, reserve);
  const supply = supplyYield(view, reserve);
  const { outsideElevationGroups, againstCollateral } = borrowCaps(view, reserve);
  return {
    token: reserve.value.liquidity.mintPubkey,
    status: statusWord(reserve.value),
    supplyApy: {
      current: decimal(supply.base),
      avg7d: D7 && decimal(D7.supplyApy),
      avg30d: D30 && decimal(D30.supplyApy),
    },
    borrowApy: {
      current: decimal(borrowYield(view, reserve).base),
      avg7d: D7 && decimal(D7.borrowApy),
      avg30d: D30 && decimal(D30.borrowApy),
    },
    supplyApyBreakdown: {
      lending: decimal(supply.base),
      incentives: decimal(supply.total.sub(supply.base)),
    },
    supplyRewardApys: supply.rewards.map(({ mint, apy }) => ({ rewardToken: mint, apy: decimal(apy) })),
    underlyingApy: underlying && {
      current: decimal(underlying.latest.apy),
      sourceType: 'yield-feed',
      sourceMint: underlying.mint,
      observedAt: underlying.latest.sampledAt.toISOString(),
    },
    liquidityAvailableUsd: decimal(available(view, reserve).usd),
    actualAvailableLiquidity: decimal(borrowable(view, reserve).amount),
    depositLimit: decimal(reserveLimits(view, reserve).deposit.amount),
    borrowCaps: {
      debtOutsideElevationGroup: capOf(outsideElevationGroups),
      debtAgainstCollateral: againstCollateral.map(({ collateral, elevationGroup, ...cap }) => ({
        collateralReserve: collateral.address,
        elevationGroup,
        ...capOf(cap),
      })),
    },
  };
}

const capOf = ({ capacity, currentTotal }: DebtCap) => ({
  capacity: capacity && decimal(capacity.amount),
  currentTotal: decimal(currentTotal.amount),
});
