import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { loanToValueScaled, unhealthyLoanToValueScaled } from '../../domain/liquidation-bonus.ts';
import type { Moment } from '../../domain/moment.ts';
import { activeDeposits } from '../../domain/obligation.ts';
import { type RefreshedObligation, refreshedObligation } from '../../domain/refreshed-obligation.ts';
import type { LendingState } from '../lending/accounts.ts';
import { blocked, repayRefusals, withdrawRefusals } from '../lending/refusals.ts';
import { abovePosition, balance, healthAfter, pricesOf, reserveInactive } from '../lending/warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { Combination, CombinedHalf } from './combination.ts';

type Both = Combination<LendingState>;
type Half = CombinedHalf<LendingState>;

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
    ...worthless(repay),
    ...blocked(repay.accounts, repay.outcome, moment),
    ...repayRefusals(repay.accounts, repay.outcome),
    ...leftStale(done),
    ...blocked(withdraw.accounts, withdraw.outcome, moment),
    ...withdrawRefusals(withdraw.accounts, withdraw.outcome, amounts.withdraw === 'all', moment),
  ];
  return ofHalves.length > 0 ? ofHalves : ofResult(done);
}

function worthless({ outcome: { refreshed } }: Half): BuildWarning[] {
  if (refreshed === null || refreshed.depositedSf > 0n) return [];
  const message =
    'The deposits of the obligation have no value, so the program does not withdraw with a repayment. Repay alone.';
  return [warning('COLLATERAL_TOO_LOW', message)];
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

/** Limits on the obligation that remains, which the program checks in this order. A closed one has none. */
function ofResult({ repay, withdraw }: Both): BuildWarning[] {
  const { before, after } = { before: repay.outcome.refreshed, after: leftBy(withdraw) };
  if (before === null || after === null || after.deposits.length + after.debts.length === 0) return [];
  const lowestPct = Math.min(...after.deposits.map(({ ltvPct }) => ltvPct));
  const { symbol, reserve } = withdraw.accounts;
  if (after.factoredSf > 0n && lowestPct === 0) {
    const message =
      'The obligation has a deposit with a maximum LTV of 0, which must be withdrawn whole before another one. Choose that deposit, or repay alone.';
    return [warning('COLLATERAL_ORDER', message)];
  }
  if (after.factoredSf > 0n && lowestPct < reserve.config.loanToValuePct) {
    const message = `The obligation has a deposit with a lower maximum LTV than ${symbol}, which must be withdrawn whole first: ${lowestPct} % against ${reserve.config.loanToValuePct} %. Choose that deposit, or repay alone.`;
    return [warning('COLLATERAL_ORDER', message)];
  }
  if (after.depositedSf === 0n) return [];
  const [ltvBefore, ltvAfter] = [loanToValueScaled(before), loanToValueScaled(after)];
  if (ltvAfter > ltvBefore) {
    const message = `The loan-to-value would rise from ${percent(ltvBefore)} to ${percent(ltvAfter)} %, and with a repayment it may only fall. Withdraw less, or repay more.`;
    return [warning('LTV_WOULD_RISE', message)];
  }
  if (ltvAfter < unhealthyLoanToValueScaled(after)) return [];
  const message = `The obligation could still be liquidated, at a loan-to-value of ${percent(ltvAfter)} %. Withdraw less, or repay more.`;
  return [warning('COLLATERAL_TOO_LOW', message)];
}

/** The obligation at the end, as a refresh stores it. */
export function leftBy({ accounts, outcome }: Half): RefreshedObligation | null {
  return refreshedObligation(outcome.effect.obligation, accounts.market, outcome.after.reserves);
}

/** Percent with two decimals, rounded down. */
const percent = (ltvSf: bigint) =>
  toDecimalString(Rational.of(fromScaledFraction(ltvSf).mul(integer(10_000n)).floor(), 100n));
