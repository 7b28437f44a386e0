import { isDeepStrictEqual } from 'node:util';
import { lastUpdate } from '@sluice/protocol/klend/last-update';
import type { Obligation, ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import { reserve, reserveLiquidity } from '@sluice/protocol/klend/reserve';
import { viewOf } from '@sluice/protocol/layout/account';
import { plainStruct } from '@sluice/protocol/layout/plain';
import { FRACTION_ONE, fromBigScaledFraction } from '@sluice/protocol/numeric/fraction';
import type { ReserveRecord } from '../services/request/records.ts';

/**
 * Anyone may refresh a reserve or an obligation at any time: the program then stores the price and the interest up to that
 * slot, which every reader computes anyway. These functions ignore what a refresh writes.
 */

/** Fields of a reserve's liquidity that a refresh writes. */
const REFRESHED = [
  'borrowedAmountSf',
  'marketPriceSf',
  'marketPriceLastUpdatedTs',
  'depositLimitCrossedTimestamp',
  'borrowLimitCrossedTimestamp',
  'cumulativeBorrowRateBsf',
  'accumulatedProtocolFeesSf',
  'accumulatedReferrerFeesSf',
  'pendingReferrerFeesSf',
  'totalAvailableAmount',
  'rewardsAmountAvailable',
] as const;

/** Their byte ranges in ascending order: start, end. */
const REFRESHED_BYTES: readonly (readonly [number, number])[] = [
  [reserve.offsetOf('lastUpdate'), reserve.offsetOf('lastUpdate') + lastUpdate.size] as const,
  ...REFRESHED.map((name) => {
    const from = reserve.offsetOf('liquidity') + reserveLiquidity.offsets[name];
    return [from, from + reserveLiquidity.fields[name].size] as const;
  }),
  // Counters of debts by elevation group, to which the refresh of an obligation adds its interest.
  [reserve.offsetOf('borrowedAmountOutsideElevationGroup'), reserve.offsetOf('withdrawQueue')] as const,
].sort(([a], [b]) => a - b);

/** Whether a reserve changed by more than a refresh: a supply, withdrawal, borrow, repayment or new settings. */
export function isReserveModified({ data: before }: ReserveRecord, { data: after }: ReserveRecord): boolean {
  if (before.length !== after.length) return true;
  let from = 0;
  for (const [refreshed, next] of [...REFRESHED_BYTES, [before.length, before.length] as const]) {
    if (Buffer.compare(before.subarray(from, refreshed), after.subarray(from, refreshed)) !== 0) return true;
    from = next;
  }
  return heldLiquidity(before) !== heldLiquidity(after);
}

/** Base units in the supply vault. A refresh only moves rewards from one part of it to the other. */
function heldLiquidity(data: Uint8Array): bigint {
  const { totalAvailableAmount, rewardsAmountAvailable } = reserveLiquidity.read(
    viewOf(data),
    reserve.offsetOf('liquidity'),
  );
  return totalAvailableAmount + rewardsAmountAvailable;
}

/** Whether an obligation changed by more than interest: its positions or its terms. */
export function isObligationModified(before: Obligation, after: Obligation): boolean {
  return (
    !isDeepStrictEqual(terms(before), terms(after)) ||
    before.borrows.some((debt, i) => {
      const now = after.borrows[i];
      return now === undefined || !isSameDebt(debt, now);
    })
  );
}

function terms(account: Obligation): object {
  const { tag, owner, pendingOwner, elevationGroup, referrer, deposits, borrows } = account;
  const { headBorrowOrder, tailBorrowOrders, obligationOrders } = account;
  const positions = deposits.map(({ depositReserve, depositedAmount }) => [depositReserve, depositedAmount]);
  // Fields of a decoded struct are getters, which isDeepStrictEqual ignores.
  const orders = [headBorrowOrder, ...tailBorrowOrders, ...obligationOrders].map(plainStruct);
  const rollovers = borrows.map(({ fixedTermBorrowRolloverConfig: config }) => plainStruct(config));
  return { tag, owner, pendingOwner, elevationGroup, referrer, positions, orders, rollovers };
}

/** Tolerance for the rounding of interest at each refresh: a thousandth of a base unit, far less than any action moves. */
const ROUNDING_SF = FRACTION_ONE / 1_000n;

function isSameDebt(before: ObligationLiquidity, after: ObligationLiquidity): boolean {
  if (before.borrowReserve !== after.borrowReserve) return false;
  const then = fromBigScaledFraction(before.cumulativeBorrowRateBsf.value);
  const now = fromBigScaledFraction(after.cumulativeBorrowRateBsf.value);
  if (then.isZero || now.isZero) return before.borrowedAmountSf === after.borrowedAmountSf;
  const grown = (before.borrowedAmountSf * now.n * then.d) / (then.n * now.d);
  const difference = after.borrowedAmountSf - grown;
  return difference <= ROUNDING_SF && difference >= -ROUNDING_SF;
}
