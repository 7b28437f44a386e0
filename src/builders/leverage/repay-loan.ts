import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import { leastWhere } from '@sluice/protocol/numeric/integer';
import { integer } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import { earlyRepayPenalty } from '../../domain/early-repay.ts';
import { storedReserve } from '../../domain/interest.ts';
import { refreshedAccount } from '../lending/effects.ts';

/**
 * The flash loan that pays a repayment with its penalty. The loan itself raises utilization, and with it the rate from which
 * the penalty follows, unless the curve is flat.
 *
 * The program accepts no curve that falls, so what is needed never falls as the loan grows. It is greatest at full
 * utilization, above which the rate is constant, so a loan of that much suffices. Between it and the repayment alone,
 * halving ends at a loan that suffices while one base unit less does not.
 *
 * @param accrued the reserve refreshed, before the loan
 * @param repaid base units without the penalty
 * @param settledSf the debt that they settle, in base units of 2^-60
 */
export function loanToRepay(
  accrued: AccruedReserve,
  debt: Pick<ObligationLiquidity, 'lastBorrowedAtTimestamp'>,
  repaid: bigint,
  settledSf: bigint,
): bigint {
  const neededUnder = (loan: bigint) => {
    const lent = refreshedAccount(accrued, { available: -loan, borrowed: integer(loan) });
    return repaid + earlyRepayPenalty(storedReserve(lent, accrued.at), debt, settledSf);
  };
  // Available and borrowed tokens together are at least the supply.
  const most = neededUnder(accrued.available);
  return leastWhere(repaid, most, (loan) => neededUnder(loan) <= loan) ?? most;
}
