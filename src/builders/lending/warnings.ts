import { MAX_BORROWS, MAX_DEPOSITS } from '@sluice/protocol/klend/obligation';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import { potentialElevationGroup } from '../../domain/elevation-move.ts';
import { healthFactor } from '../../domain/health.ts';
import type { Moment } from '../../domain/moment.ts';
import { activeBorrows } from '../../domain/obligation.ts';
import { failedChecks, type PriceCheck, type PriceUsd } from '../../domain/price.ts';
import { isInEmergency, reserveStatus } from '../../domain/reserve.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { permissionWarnings } from '../permission.ts';
import { balanceWarnings, wrappedSolWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { type LendingAccounts, type LendingState, priceAtRefresh } from './accounts.ts';
import { borrowRefusals } from './borrow-refusals.ts';
import { inView, type LendingOutcome, type LendingSide } from './preview.ts';
import { blocked, depositRefusals, inTokens, repayRefusals, withdrawRefusals } from './refusals.ts';
import { lamportsToRepay } from './repay.ts';
import { permissionOf } from './terms.ts';

/** Warn below this health factor: prices can move by 10 % in a day. */
const LOW_HEALTH = Rational.of(11n, 10n);

/** Warnings for a lending action. */
export function lendingWarnings(
  accounts: LendingAccounts,
  built: BuiltAction,
  outcome: LendingOutcome,
  moment: Moment,
): BuildWarning[] {
  const { action } = accounts.request;
  return [
    ...(action === 'deposit' || action === 'repay' ? balance(accounts, built, outcome, moment) : []),
    ...blocked(accounts, outcome, moment),
    ...permissionWarnings(permissionOf(accounts), 'market', [accounts.request.wallet, accounts.payer]),
    ...refusals(accounts, built.all, outcome, moment),
    ...(built.all ? [] : abovePosition(accounts, outcome)),
    ...obligationFull(accounts),
    ...reserveInactive(accounts),
    ...pricesOf(accounts, outcome, moment),
    ...healthAfter(outcome),
    ...betterGroup(accounts, outcome),
    ...wrappedSolWarnings(accounts.token, built.wrappedSol, 'Wrapped SOL stays in the wallet.'),
  ];
}

/** Why the program would reject the action in the current state, whatever the wallet holds. */
export function programRefusals(
  state: LendingState,
  isAll: boolean,
  outcome: LendingOutcome,
  moment: Moment,
): BuildWarning[] {
  return [
    ...blocked(state, outcome, moment),
    ...refusals(state, isAll, outcome, moment),
    ...obligationFull(state),
    ...pricesOf(state, outcome, moment),
  ].filter(({ level }) => level === 'ERROR');
}

function refusals(
  accounts: LendingState,
  all: boolean,
  outcome: LendingOutcome,
  moment: Moment,
): BuildWarning[] {
  switch (accounts.request.action) {
    case 'deposit':
      return depositRefusals(accounts, outcome);
    case 'borrow':
      return borrowRefusals(accounts, outcome, all, moment);
    case 'repay':
      return repayRefusals(accounts, outcome);
    case 'withdraw':
      return withdrawRefusals(accounts, outcome, all, moment);
  }
}

/** Whether the wallet can pay a deposit or a repayment. */
export function balance(
  accounts: LendingAccounts,
  built: Pick<BuiltAction, 'all' | 'amount'>,
  { effect }: LendingOutcome,
  moment: Moment,
): BuildWarning[] {
  const { request, isSol, walletLamports, token, symbol } = accounts;
  const decimals = Number(accounts.reserve.liquidity.mintDecimals);
  if (!isSol) return balanceWarnings(token.account?.amount ?? 0n, effect.moved, decimals, symbol);
  // SOL is wrapped before the program takes its part.
  const asked = built.all ? 'all' : built.amount;
  const needs = request.action === 'repay' ? lamportsToRepay(accounts, asked, moment) : built.amount;
  return balanceWarnings(walletLamports ?? 0n, needs, decimals, symbol);
}

/** Warns of a request for more than the debt or the deposit. */
export function abovePosition(accounts: LendingAccounts, { before, amount }: LendingOutcome): BuildWarning[] {
  const { action } = accounts.request;
  if (action !== 'repay' && action !== 'withdraw') return [];
  if (integer(amount).compare(integer(before.position.ceil())) <= 0) return [];
  const message = `The ${action === 'repay' ? 'debt' : 'deposit'} is only ${inTokens(accounts, before.position)}; no more than that is moved.`;
  return [warning('ABOVE_POSITION', message)];
}

/** Refuses a new position of an obligation without a free slot. */
export function obligationFull({ request, obligation }: LendingState): BuildWarning[] {
  if (obligation === null) return [];
  const { action, reserve } = request;
  const slots =
    action === 'deposit'
      ? obligation.deposits.map((each) => each.depositReserve)
      : action === 'borrow'
        ? obligation.borrows.map((each) => each.borrowReserve)
        : [];
  const limit = action === 'deposit' ? MAX_DEPOSITS : MAX_BORROWS;
  const used = slots.filter((each) => presentAddress(each) !== null);
  if (used.includes(reserve) || used.length < limit) return [];
  const message = `The obligation already has ${limit} ${action === 'deposit' ? 'deposits' : 'debts'}. Close one, or use another obligation.`;
  return [warning('OBLIGATION_FULL', message)];
}

/** Warns of a reserve that is not active. */
export function reserveInactive({ reserve, symbol }: LendingAccounts): BuildWarning[] {
  if (isInEmergency(reserve)) {
    const message = `The ${symbol} reserve is in emergency mode: the program rejects every action on it.`;
    return [warning('RESERVE_NOT_ACTIVE', message)];
  }
  const status = reserveStatus(reserve);
  if (status === 'ACTIVE') return [];
  const message = `The ${symbol} reserve is ${status.toLowerCase()}: the program may reject deposits and borrows.`;
  return [warning('RESERVE_NOT_ACTIVE', message)];
}

/** Warnings about the prices that an action depends on. */
export function pricesOf(accounts: LendingState, outcome: LendingOutcome, moment: Moment): BuildWarning[] {
  const isKnown = outcome.before.stats !== null && outcome.after.stats !== null;
  return priceWarnings(accounts, isKnown, demandsPrices(accounts), moment);
}

/**
 * Warnings about the prices of an obligation's reserves.
 *
 * @param isKnown whether every position has a price
 * @param isDemanded whether the action needs prices that pass all checks
 */
export function priceWarnings(
  accounts: Pick<LendingState, 'market' | 'oracles' | 'reserves' | 'symbolOf'>,
  isKnown: boolean,
  isDemanded: boolean,
  moment: Moment,
): BuildWarning[] {
  const warnings: BuildWarning[] = [];
  if (!isKnown) {
    warnings.push(
      warning('PRICE_UNKNOWN', 'A reserve of the obligation has no price, so values and limits are unknown.'),
    );
  }
  for (const reserve of accounts.reserves.values()) {
    const price = priceAtRefresh(accounts, reserve, moment.timestamp);
    const symbol = accounts.symbolOf(reserve);
    const failed = price && failedChecks(price);
    if (isInEmergency(reserve)) {
      // Where prices are demanded, the block of the action says that there is no valid one.
      if (price !== null && !isDemanded) warnings.push(warning('PRICE_STALE', inEmergency(symbol)));
    } else if (failed && failed.length > 0 && isDemanded) {
      const reasons = failed.map((check) => REASON_OF_CHECK[check]).join(', ');
      const message = `The program does not accept the price of ${symbol}: ${reasons}. Wait until the oracle recovers, or repay or deposit, which need no price.`;
      warnings.push(warning('PRICE_REFUSED', message));
    } else if (price?.stale) {
      warnings.push(warning('PRICE_STALE', staleMessage(price, symbol)));
    }
  }
  return warnings;
}

const inEmergency = (symbol: string) =>
  `The ${symbol} reserve is in emergency mode; values use the price that was stored last.`;

function staleMessage({ source, checks }: PriceUsd, symbol: string): string {
  if (source === 'SCOPE') return `The oracle's price of ${symbol} is older than the reserve allows.`;
  return checks === null
    ? `No oracle of ${symbol} can be read; values use the price that was stored last, which the transaction refreshes.`
    : `The oracle of ${symbol} has no usable price; values use the price that was stored last, which is older than the reserve allows.`;
}

export const REASON_OF_CHECK: Readonly<Record<PriceCheck, string>> = {
  LOADED: 'the oracle has no usable price',
  AGE: 'it is too old',
  TWAP_DIVERGENCE: 'it is too far from its average',
  TWAP_AGE: 'its average is too old or missing',
  BOUNDS: 'it is outside the bounds of the reserve',
  USAGE: 'the reserve blocks its use',
};

/** Borrowing, and withdrawing while in debt, demand accepted prices of all reserves of the obligation. */
function demandsPrices({ request, obligation }: LendingState): boolean {
  if (request.action === 'borrow') return true;
  return request.action === 'withdraw' && obligation !== null && activeBorrows(obligation).length > 0;
}

/** Warns of a health factor that is close to liquidation; without stats there is nothing to tell. */
export function healthAfter({ after }: { readonly after: Pick<LendingSide, 'stats'> }): BuildWarning[] {
  const health = after.stats && healthFactor(after.stats);
  if (!health || health.compare(LOW_HEALTH) >= 0) return [];
  const value = Rational.of(health.mul(integer(1000n)).floor(), 1000n);
  const message = `The health factor would be ${toDecimalString(value)}; at 1 the position can be liquidated. Borrow or withdraw less, or add collateral.`;
  return [warning('HEALTH_LOW', message)];
}

function betterGroup({ market }: LendingAccounts, { after }: LendingOutcome): BuildWarning[] {
  const view = inView(market, after);
  const number = view && potentialElevationGroup(view.positions, market, after.reserves, view.stats);
  if (!number) return [];
  const message = `Elevation group ${number} would allow a larger borrow against the same collateral.`;
  return [warning('BETTER_ELEVATION_GROUP', message)];
}
