import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { Moment } from '../../domain/moment.ts';
import type { WithdrawalLimit } from '../../domain/refreshed-obligation.ts';
import type { Amount } from '../amount.ts';
import type { LendingAccounts, LendingState } from '../lending/accounts.ts';
import { type CombinedHalf, withdrawalAfter } from '../lending/combined-half.ts';
import { withdrawEffect } from '../lending/effects.ts';
import { lendingOutcome } from '../lending/preview.ts';
import { collateralRefusals } from '../lending/refusals.ts';

/** Accounts of both halves before either runs. */
export interface DepositAndWithdrawal<A extends LendingState = LendingAccounts> {
  readonly deposit: A;
  readonly withdraw: A;
}

export interface SwappedAmounts {
  readonly deposit: bigint;
  /** All of a deposit is as much of it as the debts allow after the new deposit. */
  readonly withdraw: Amount;
}

/** A deposit, and a withdrawal from another reserve on the accounts that it leaves. */
export interface SwappedDeposit<A extends LendingState = LendingAccounts> {
  readonly amounts: SwappedAmounts;
  readonly deposit: CombinedHalf<A>;
  readonly withdraw: CombinedHalf<A>;
}

/** The result of both halves under the program's rules, even if the program would reject them. */
export function swappedDeposit<A extends LendingState>(
  { deposit, withdraw }: DepositAndWithdrawal<A>,
  amounts: SwappedAmounts,
  moment: Moment,
  limit: WithdrawalLimit = 'LIQUIDATION_THRESHOLD',
): SwappedDeposit<A> {
  const accounts: A = { ...deposit, countsGroupLater: true };
  const first = { accounts, outcome: lendingOutcome(accounts, amounts.deposit, moment) };
  return {
    amounts,
    deposit: first,
    withdraw: withdrawalAfter(first, withdraw, amounts.withdraw, moment, limit),
  };
}

/**
 * Whether a loan above its maximum LTV stays so after the deposit, and therefore could not withdraw by an instruction of its
 * own what is spent.
 *
 * @param spent base units of the withdrawal that are needed; null for all of it
 */
export function needsOneInstruction(
  halves: DepositAndWithdrawal<LendingState>,
  amounts: SwappedAmounts,
  spent: bigint | null,
  moment: Moment,
): boolean {
  const { deposit, withdraw } = swappedDeposit(halves, amounts, moment, 'MAX_LTV');
  const { refreshed } = deposit.outcome;
  if (refreshed === null || refreshed.factoredSf <= refreshed.allowedSf) return false;
  const { accounts, outcome } = withdraw;
  const isAll = amounts.withdraw === 'all';
  const refusals = collateralRefusals(accounts, outcome, isAll);
  if (refusals.some(({ code }) => code === 'COLLATERAL_TOO_LOW')) return true;
  if (!isAll) return false;
  return outcome.effect.moved < (spent ?? withdrawEffect(accounts, U64_MAX, moment).moved);
}
