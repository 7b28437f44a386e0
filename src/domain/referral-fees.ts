import { floorScaled } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import type { AccruedReserve } from './accrued-reserve.ts';
import { freelyAvailableUnits } from './reserve.ts';

/**
 * Base units that the program pays a referrer now: whole units of what is owed, as far as the reserve has that liquidity free.
 *
 * @param unclaimedSf unclaimed fees of the referrer in this reserve, base units in units of 2^-60
 */
export function claimableReferralFees(accrued: AccruedReserve, unclaimedSf: bigint): bigint {
  const owed = floorScaled(lesser(unclaimedSf, accrued.account.liquidity.accumulatedReferrerFeesSf));
  return lesser(owed, freelyAvailableUnits(accrued));
}
