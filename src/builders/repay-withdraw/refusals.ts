import type { Moment } from '../../domain/moment.ts';
import { activeDeposits } from '../../domain/obligation.ts';
import type { LendingState } from '../lending/accounts.ts';
import type { CombinedHalf } from '../lending/combined-half.ts';
import { combinedLimits, type LimitMessages, worthless } from '../lending/combined-limits.ts';
import { blocked, repayRefusals, withdrawRefusals } from '../lending/refusals.ts';
import { abovePosition, balance, healthAfter, pricesOf, reserveInactive } from '../lending/warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { Combination } from './combination.ts';

type Both = Combination<LendingState>;

/** Warnings of both halves, without those about wrapped SOL. */
export function combinationWarnings(done: Combination, moment: Moment): BuildWarning[] {
  const { repay, withdraw, amounts } = done;
  const paid = { all: amounts.repay === 'all', amount: repay.outcome.amount };
  const isPastPosition = ({ accounts, outcome }: CombinedHalf, all: boolean) =>
    all ? [] : abovePosition(accounts, outcome);
  const found = [
    ...balance(repay.accounts, paid, repay.outcome, moment),
    ...refusals(done, moment),
    ...isPastPosition(repay, paid.all),
    ...isPastPosition(withdraw, amounts.withdraw === 'all'),
    ...reserveInactive(repay.accounts),
    ...reserveInactive(withdraw.accounts),
    ...pricesOf(withdraw.accounts, withdraw.outcome, moment),
    ...healthAfter(withdraw.outcome),
  ];
  return [...new Map(found.map((each) => [`${each.code} ${each.message}`, each])).values()];
}

/** Why the program would reject the instruction, whatever the wallet holds. */
export function combinationRefusals(done: Both, moment: Moment): BuildWarning[] {
  const { accounts, outcome } = done.withdraw;
  return [...refusals(done, moment), ...pricesOf(accounts, outcome, moment)].filter(
    ({ level }) => level === 'ERROR',
  );
}

function refusals(done: Both, moment: Moment): BuildWarning[] {
  const { repay, withdraw, amounts } = done;
  const ofHalves = [
    ...worthless(repay.outcome, 'so the program does not withdraw with a repayment. Repay alone.'),
    ...blocked(repay.accounts, repay.outcome, moment),
    ...repayRefusals(repay.accounts, repay.outcome),
    ...leftStale(done),
    ...blocked(withdraw.accounts, withdraw.outcome, moment),
    ...withdrawRefusals(withdraw.accounts, withdraw.outcome, amounts.withdraw === 'all', moment),
  ];
  return ofHalves.length > 0 ? ofHalves : combinedLimits(repay.outcome.refreshed, withdraw, MESSAGES);
}

/** The program does not refresh the reserve of a closed debt again, but values a deposit in it. */
function leftStale({ repay, withdraw }: Both): BuildWarning[] {
  const { request, symbol } = repay.accounts;
  const isClosed = repay.outcome.after.position.isZero;
  if (!isClosed || request.reserve === withdraw.accounts.request.reserve) return [];
  const { obligation } = repay.outcome.effect;
  if (activeDeposits(obligation).every(({ depositReserve }) => depositReserve !== request.reserve)) return [];
  const message = `The obligation also has a deposit in the ${symbol} reserve, so the program cannot repay all of its debt there together with a withdrawal from another reserve. Leave a part of the debt, or repay and withdraw one after the other.`;
  return [warning('ACTION_NOT_ALLOWED', message)];
}

const MESSAGES: LimitMessages = {
  zeroLtv:
    'The obligation has a deposit with a maximum LTV of 0, which must be withdrawn whole before another one. Choose that deposit, or repay alone.',
  lowerLtv: (symbol, lowestPct, ownPct) =>
    `The obligation has a deposit with a lower maximum LTV than ${symbol}, which must be withdrawn whole first: ${lowestPct} % against ${ownPct} %. Choose that deposit, or repay alone.`,
  rises: (before, after) =>
    `The loan-to-value would rise from ${before} to ${after} %, and with a repayment it may only fall. Withdraw less, or repay more.`,
  unhealthy: (after) =>
    `The obligation could still be liquidated, at a loan-to-value of ${after} %. Withdraw less, or repay more.`,
};
