import { reserve as layout, type Reserve } from '@sluice/protocol/klend/reserve';
import { reserveConfig } from '@sluice/protocol/klend/reserve-config';
import { isOnlyRefreshed } from '@sluice/protocol/klend/reserve-head';
import { FRACTION_ONE, fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, ONE, Rational, sum } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from '../domain/accrued-reserve.ts';
import { type AccrualTerms, storedReserve } from '../domain/interest.ts';
import { unitsElapsed } from '../domain/rate-basis.ts';
import { debtGrowthSf, refreshReserve } from '../domain/refreshed-reserve.ts';
import { type Comparison, relativeDifference } from './comparison.ts';

/** A reserve with its bytes. */
export interface ReadReserve {
  readonly value: Reserve;
  readonly data: Uint8Array;
}

/** Bounds of an addition to a figure, and the addition that was stored. */
interface Added {
  readonly least: Rational;
  readonly most: Rational;
  readonly stored: Rational;
}

/**
 * A rate that grows by fewer steps of 2^-60 in each unit of time is not compared: a refresh rounds away a few of them, and
 * there may have been one in each unit.
 */
const LEAST_STEPS = 100_000n;

/**
 * Compares what refreshes have added to a reserve since it was read before with what we compute for the same time. A reserve
 * that was not refreshed since, or in which anything else has changed, yields no comparison.
 *
 * Several refreshes compound, and take fees and rewards, in other steps than one. So interest may be any between the rates
 * before and after, and the rest is compared only when debt and rate are exactly those of a single refresh. Amounts that
 * deposits and withdrawals move are not compared.
 */
export function compareReserve(
  address: Address,
  before: ReadReserve,
  after: ReadReserve,
  terms: AccrualTerms,
): Comparison[] {
  const { slot, timestamp } = after.value.lastUpdate;
  if (slot <= before.value.lastUpdate.slot) return [];
  if (!isOnlyRefreshed(before.data, after.data) || !hasSameConfig(before.data, after.data)) return [];
  const at = { slot, timestamp: BigInt(timestamp) };
  const units = unitsElapsed(before.value, at);
  const [old, stored] = [storedReserve(before.value), storedReserve(after.value)];
  const ours = refreshReserve(before.value, at, terms);
  const atRateAfter = fromScaledFraction(debtGrowthSf(ours, units)).sub(ONE);
  const interestOn = (figure: (reserve: AccruedReserve) => Rational): Added => {
    const [first, last] = [figure(ours).sub(figure(old)), figure(old).mul(atRateAfter)];
    return { least: first.min(last), most: first.max(last), stored: figure(stored).sub(figure(old)) };
  };
  const compared = (field: string, added: Added, floor: Rational): Comparison => ({
    kind: 'reserve_interest',
    address,
    field,
    relative: relativeDifference(added.stored.max(added.least).min(added.most), added.stored, floor),
  });

  const leastGrowth = old.cumulativeBorrowRate.mul(Rational.of(units * LEAST_STEPS, FRACTION_ONE));
  const interest = [
    compared(
      'borrowedAmountSf',
      interestOn(({ borrowed }) => borrowed),
      ONE,
    ),
    compared(
      'cumulativeBorrowRateBsf',
      interestOn((reserve) => reserve.cumulativeBorrowRate),
      leastGrowth,
    ),
  ];
  const isSingle =
    ours.borrowed.equals(stored.borrowed) && ours.cumulativeBorrowRate.equals(stored.cumulativeBorrowRate);
  if (!isSingle) return interest;
  return [
    ...interest,
    compared('accumulatedProtocolFeesSf', feesAdded(old, ours, stored), ONE),
    compared('rewardsAmountAvailable', rewardsGiven(old, ours, stored, units), ONE),
  ];
}

/** All fees together: refreshes of obligations move them between the protocol and referrers. */
function feesAdded(old: AccruedReserve, ours: AccruedReserve, stored: AccruedReserve): Added {
  const fees = ({ protocolFees, pendingReferrerFees, referrerFees }: AccruedReserve) =>
    sum([protocolFees, pendingReferrerFees, referrerFees]);
  const expected = fees(ours).sub(fees(old));
  return { least: expected, most: expected, stored: fees(stored).sub(fees(old)) };
}

/**
 * Without interest, the number of refreshes stays unknown. Each rounds the rewards that the market's limit leaves down to a
 * base unit, so they may have given less by one for each unit of time, or more by one.
 */
function rewardsGiven(
  old: AccruedReserve,
  ours: AccruedReserve,
  stored: AccruedReserve,
  units: bigint,
): Added {
  const given = (reserve: AccruedReserve) => integer(old.rewardsAvailable - reserve.rewardsAvailable);
  const expected = given(ours);
  return { least: expected.sub(integer(units)), most: expected.add(ONE), stored: given(stored) };
}

/** Another configuration accrues at other rates for a part of the time. */
function hasSameConfig(before: Uint8Array, after: Uint8Array): boolean {
  const start = layout.offsetOf('config');
  const end = start + reserveConfig.size;
  return Buffer.compare(before.subarray(start, end), after.subarray(start, end)) === 0;
}
