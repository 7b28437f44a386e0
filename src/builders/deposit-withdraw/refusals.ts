import { NO_GROUP } from '../../domain/elevation.ts';
import type { Moment } from '../../domain/moment.ts';
import { activeDeposits } from '../../domain/obligation.ts';
import { combinedLimits, type LimitMessages, worthless } from '../lending/combined-limits.ts';
import { BLOCK_MESSAGES, blocked, depositRefusals, withdrawRefusals } from '../lending/refusals.ts';
import { permissionOf } from '../lending/terms.ts';
import {
  abovePosition,
  balance,
  healthAfter,
  obligationFull,
  pricesOf,
  reserveInactive,
} from '../lending/warnings.ts';
import { permissionWarnings } from '../permission.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { SwappedDeposit } from './combination.ts';

/** Warnings of both halves. */
export function depositWithdrawWarnings(done: SwappedDeposit, moment: Moment): BuildWarning[] {
  const { amounts, deposit, withdraw } = done;
  const { request, payer } = deposit.accounts;
  const paid = { all: false, amount: amounts.deposit };
  const found = [
    ...balance(deposit.accounts, paid, deposit.outcome, moment),
    ...permissionWarnings(permissionOf(deposit.accounts), 'market', [request.wallet, payer]),
    ...refusals(done, moment),
    ...(amounts.withdraw === 'all' ? [] : abovePosition(withdraw.accounts, withdraw.outcome)),
    ...reserveInactive(deposit.accounts),
    ...reserveInactive(withdraw.accounts),
    ...pricesOf(withdraw.accounts, withdraw.outcome, moment),
    ...healthAfter(withdraw.outcome),
  ];
  return [...new Map(found.map((each) => [`${each.code} ${each.message}`, each])).values()];
}

/** Why the program would reject the instruction, in its order, whatever the wallet holds. */
function refusals(done: SwappedDeposit, moment: Moment): BuildWarning[] {
  const { amounts, deposit, withdraw } = done;
  const ofHalves = [
    ...worthless(
      deposit.outcome,
      'so the program does not withdraw with a deposit. Deposit other collateral first.',
    ),
    ...blocked(deposit.accounts, deposit.outcome, moment),
    ...depositRefusals(deposit.accounts, deposit.outcome),
    ...obligationFull(deposit.accounts),
    ...blocked(withdraw.accounts, withdraw.outcome, moment),
    ...withdrawRefusals(withdraw.accounts, withdraw.outcome, amounts.withdraw === 'all', moment),
  ];
  if (ofHalves.length > 0) return ofHalves;
  return [...combinedLimits(deposit.outcome.refreshed, withdraw, MESSAGES), ...groupCount(done)];
}

/** An elevation group counts the deposits that remain. */
function groupCount({ withdraw }: SwappedDeposit): BuildWarning[] {
  const { market } = withdraw.accounts;
  const { obligation } = withdraw.outcome.effect;
  const number = obligation.elevationGroup;
  const group = number === NO_GROUP ? undefined : market.elevationGroups[number - 1];
  if (group === undefined || activeDeposits(obligation).length <= group.maxReservesAsCollateral) return [];
  return [warning('ACTION_NOT_ALLOWED', BLOCK_MESSAGES.GROUP_COLLATERAL_COUNT)];
}

const MESSAGES: LimitMessages = {
  zeroLtv:
    'Above its maximum LTV, the loan may not be left with a deposit whose maximum LTV is 0. Choose another reserve to deposit into, or swap that deposit first.',
  lowerLtv: (symbol, lowestPct, ownPct) =>
    `Above its maximum LTV, the loan may not be left with a deposit whose maximum LTV is lower than that of ${symbol}: ${lowestPct} % against ${ownPct} %. Choose another reserve to deposit into, or swap that deposit first.`,
  rises: (before, after) =>
    `The loan-to-value would rise from ${before} to ${after} %, and above the maximum LTV a swap of collateral may not raise it: the new deposit must be worth at least what is withdrawn. Repay a part of the debt first, or find a better swap.`,
  unhealthy: (after) =>
    `The obligation could still be liquidated, at a loan-to-value of ${after} %. Repay a part of the debt first.`,
};
