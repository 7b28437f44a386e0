import { isDeepStrictEqual } from 'node:util';
import { FRACTION_ONE, fromBigScaledFraction } from '../numeric/fraction.ts';
import { lastUpdate } from '../programs/klend/last-update.ts';
import type { Obligation, ObligationLiquidity } from '../programs/klend/obligation.ts';
import { reserve, reserveLiquidity } from '../programs/klend/reserve.ts';
import { plainStruct } from '../programs/layout/plain.ts';
import type { ReserveRecord } from '../services/records.ts';

/**
 * Anybody may refresh a reserve or an obligation at any time: the program then writes down the price and the interest up
 * to that slot, which everybody computes anyway. That is no act upon the account, and these functions look past it.
 */

/** What a refresh writes into a reserve. */
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
] as const;

/** Where these bytes are, in order: from, to. */
const REFRESHED_BYTES: readonly (readonly [number, number])[] = [
  [reserve.offsetOf('lastUpdate'), reserve.offsetOf('lastUpdate') + lastUpdate.size] as const,
  ...REFRESHED.map((name) => {
    const from = reserve.offsetOf('liquidity') + reserveLiquidity.offsets[name];
    return [from, from + reserveLiquidity.fields[name].size] as const;
  }),
].sort(([a], [b]) => a - b);

/** Whether somebody acted upon a reserve: supplied, withdrew, borrowed, repaid, or changed its settings. */
export function isReserveActedUpon({ data: before }: ReserveRecord, { data: after }: ReserveRecord): boolean {
  if (before.length !== after.length) return true;
  let from = 0;
  for (const [refreshed, next] of [...REFRESHED_BYTES, [before.length, before.length] as const]) {
    if (Buffer.compare(before.subarray(from, refreshed), after.subarray(from, refreshed)) !== 0) return true;
    from = next;
  }
  return false;
}

/** Whether somebody acted upon an obligation: its positions are not what interest alone made of them, or its terms changed. */
export function isObligationActedUpon(before: Obligation, after: Obligation): boolean {
  return (
    !isDeepStrictEqual(terms(before), terms(after)) ||
    before.borrows.some((debt, i) => {
      const now = after.borrows[i];
      return now === undefined || !isSameDebt(debt, now);
    })
  );
}

function terms(account: Obligation): object {
  const { tag, owner, elevationGroup, referrer, deposits, borrowOrder, obligationOrders } = account;
  const positions = deposits.map(({ depositReserve, depositedAmount }) => [depositReserve, depositedAmount]);
  // Fields of a decoded struct are getters, which a comparison would not see.
  const orders = [borrowOrder, ...obligationOrders].map(plainStruct);
  return { tag, owner, elevationGroup, referrer, positions, orders };
}

/** Interest is rounded at each refresh; a thousandth of a base unit is far beyond that and far below any act. */
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
