import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { leastWhere, lesser } from '@sluice/protocol/numeric/integer';
import { integer } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import { earlyRepayPenalty } from '../../domain/early-repay.ts';
import { storedReserve } from '../../domain/interest.ts';
import { debtAmount } from '../../domain/obligation.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import type { Amount } from '../amount.ts';
import { refreshedAccount } from '../lending/effects.ts';
import { growthInMargin, repaidDebt } from '../lending/repay.ts';
import type { LoanAccounts, LoanSide } from './accounts.ts';
import { lendingPart } from './request.ts';

/** Interest that a full repayment covers: 25 minutes. The excess stays in the wallet. */
const MARGIN_SECONDS = 1_500n;

/** A repayment of one side before it runs. */
export interface Repayment {
  /** The reserve refreshed. */
  readonly accrued: AccruedReserve;
  readonly owed: ObligationLiquidity;
  /** Base units without the penalty; of the whole debt with interest until the transaction has landed. */
  readonly repaid: bigint;
  /** The debt that they settle, in base units of 2^-60. */
  readonly settledSf: bigint;
}

/** What a repayment takes. @throws SluiceError KLEND_POSITION_NOT_FOUND */
export function repaymentOf(
  { request, lending, at }: LoanAccounts,
  { reserve }: LoanSide,
  asked: Amount,
): Repayment {
  const owed = repaidDebt({ ...lending, request: lendingPart(request, 'repay') });
  const accrued = refreshReserve(reserve, at.moment, lending.market);
  const growth = growthInMargin(accrued, at.moment, MARGIN_SECONDS);
  const soon = debtAmount(owed, accrued).mul(growth).ceil() + 1n;
  const repaid = asked === 'all' ? soon : asked;
  return { accrued, owed, repaid, settledSf: lesser(repaid, soon) * FRACTION_ONE };
}

/** Base units that the wallet pays for a repayment, with the penalty of an early one. */
export const paymentOf = ({ accrued, owed, repaid, settledSf }: Repayment): bigint =>
  repaid + earlyRepayPenalty(accrued, owed, settledSf);

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
