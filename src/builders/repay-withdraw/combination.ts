import type { Moment } from '../../domain/moment.ts';
import type { WithdrawalLimit } from '../../domain/refreshed-obligation.ts';
import type { Amount } from '../amount.ts';
import type { LendingAccounts, LendingState } from '../lending/accounts.ts';
import { type CombinedHalf, withdrawalAfter } from '../lending/combined-half.ts';
import { lendingOutcome } from '../lending/preview.ts';
import { collateralRefusals } from '../lending/refusals.ts';

/** Accounts of both halves before either runs. */
export interface BothHalves<A extends LendingState = LendingAccounts> {
  readonly repay: A;
  readonly withdraw: A;
}

/** What is asked of both halves. All of a deposit is the whole deposit, or as much as the debts left allow. */
export interface CombinedAmounts {
  readonly repay: Amount;
  readonly withdraw: Amount;
}

/** A repayment, and a withdrawal on the accounts that it leaves. */
export interface Combination<A extends LendingState = LendingAccounts> {
  readonly amounts: CombinedAmounts;
  readonly repay: CombinedHalf<A>;
  readonly withdraw: CombinedHalf<A>;
}

/** The result of both halves under the program's rules, even if the program would reject them. */
export function combination<A extends LendingState>(
  { repay, withdraw }: BothHalves<A>,
  amounts: CombinedAmounts,
  moment: Moment,
  limit: WithdrawalLimit = 'LIQUIDATION_THRESHOLD',
): Combination<A> {
  const first = { accounts: repay, outcome: lendingOutcome(repay, amounts.repay, moment) };
  return {
    amounts,
    repay: first,
    withdraw: withdrawalAfter(first, withdraw, amounts.withdraw, moment, limit),
  };
}

/** Whether two instructions would fail where one may not: after the repayment, the debts are above the maximum LTV. */
export function needsCombination(
  halves: BothHalves<LendingState>,
  amounts: CombinedAmounts,
  moment: Moment,
): boolean {
  const { accounts, outcome } = combination(halves, amounts, moment, 'MAX_LTV').withdraw;
  const refusals = collateralRefusals(accounts, outcome, amounts.withdraw === 'all');
  return refusals.some(({ code }) => code === 'COLLATERAL_TOO_LOW');
}
