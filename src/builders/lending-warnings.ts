import { toTokens, valueUsd } from '../domain/arithmetic.ts';
import { borrowCapacities, type CapacityLimit } from '../domain/capacity.ts';
import { potentialElevationGroup } from '../domain/elevation-move.ts';
import { healthFactor } from '../domain/health.ts';
import type { Moment } from '../domain/moment.ts';
import { reservePrice } from '../domain/price.ts';
import {
  depositRemaining,
  freelyAvailable,
  remainingWithdrawalCap,
  reserveStatus,
} from '../domain/reserve.ts';
import { toDecimalString } from '../numeric/decimal.ts';
import { fromScaledFraction } from '../numeric/fraction.ts';
import { integer, Rational } from '../numeric/rational.ts';
import { MAX_BORROWS, MAX_DEPOSITS } from '../programs/klend/obligation.ts';
import { presentAddress } from '../programs/program-ids.ts';
import type { BuiltAction } from './built-instruction.ts';
import type { LendingAccounts } from './lending-accounts.ts';
import { inView, type LendingOutcome } from './lending-preview.ts';
import { balanceWarnings, wrappedSolWarnings } from './wallet-warnings.ts';
import { type BuildWarning, type WarningCode, warning } from './warnings.ts';

/** Warn below this health factor: prices can move by 10 % in a day. */
const LOW_HEALTH = Rational.of(11n, 10n);

const CODE_OF_LIMIT: Readonly<Partial<Record<CapacityLimit, WarningCode>>> = {
  NOT_ALLOWED: 'BORROW_NOT_ALLOWED',
  COLLATERAL: 'COLLATERAL_TOO_LOW',
  LIQUIDITY: 'LIQUIDITY_TOO_LOW',
  BORROW_LIMIT: 'BORROW_LIMIT_EXCEEDED',
  UTILIZATION: 'UTILIZATION_BLOCK',
  OUTSIDE_GROUPS: 'BORROW_LIMIT_EXCEEDED',
  GROUP: 'BORROW_LIMIT_EXCEEDED',
  OUTFLOW: 'OUTFLOW_CAP_EXCEEDED',
};

/** Warnings for a lending action. */
export function lendingWarnings(
  accounts: LendingAccounts,
  built: BuiltAction,
  outcome: LendingOutcome,
  moment: Moment,
): BuildWarning[] {
  const { action } = accounts.request;
  return [
    ...(action === 'deposit' || action === 'repay' ? balance(accounts, built, outcome) : []),
    ...(action === 'deposit' ? depositLimits(accounts, outcome) : []),
    ...(action === 'borrow' ? borrowLimits(accounts, outcome, moment) : []),
    ...(action === 'withdraw' ? withdrawLimits(accounts, outcome, moment) : []),
    ...(built.all ? [] : abovePosition(accounts, outcome)),
    ...remainders(accounts, outcome),
    ...obligationFull(accounts),
    ...reserveInactive(accounts),
    ...pricesOf(accounts, outcome, moment),
    ...healthAfter(outcome),
    ...betterGroup(accounts, outcome),
    ...wrappedSolWarnings(accounts.token, built.wrappedSol, 'Wrapped SOL stays in the wallet.'),
  ];
}

const inTokens = ({ reserve, symbol }: LendingAccounts, units: Rational) =>
  `${toDecimalString(toTokens(integer(units.floor()), reserve.liquidity.mintDecimals))} ${symbol}`;

function balance(accounts: LendingAccounts, built: BuiltAction, { effect }: LendingOutcome): BuildWarning[] {
  const { isSol, walletLamports, token, symbol } = accounts;
  const has = isSol ? (walletLamports ?? 0n) : (token.account?.amount ?? 0n);
  // A repayment takes at most the debt, but SOL is wrapped in full before it.
  const needs = isSol || accounts.request.action === 'deposit' ? built.amount : effect.moved;
  return balanceWarnings(has, needs, Number(accounts.reserve.liquidity.mintDecimals), symbol);
}

function depositLimits(accounts: LendingAccounts, { before, effect }: LendingOutcome): BuildWarning[] {
  const remaining = depositRemaining(before.reserve);
  if (remaining.compare(integer(effect.moved)) >= 0) return [];
  const message = `The reserve accepts only ${inTokens(accounts, remaining)} more. Lower the amount, or wait for withdrawals.`;
  return [warning('DEPOSIT_LIMIT_EXCEEDED', message)];
}

function borrowLimits(accounts: LendingAccounts, outcome: LendingOutcome, moment: Moment): BuildWarning[] {
  const { before, effect, amount } = outcome;
  const view = inView(accounts.market, before);
  const priced = before.reserves(accounts.request.reserve);
  const limits = view && priced && borrowCapacities(view, accounts.request.reserve, priced, moment);
  const warnings: BuildWarning[] = [];
  for (const { limit, amount: available } of limits ?? []) {
    // The collateral limit applies to the amount received; the other limits include the fee.
    const taken = integer(limit === 'COLLATERAL' ? amount : amount + effect.originationFee);
    const code = CODE_OF_LIMIT[limit];
    if (code === undefined || available.compare(taken) >= 0) continue;
    const message =
      limit === 'NOT_ALLOWED'
        ? 'The market, the reserve or the state of the obligation does not allow this borrow.'
        : `At most ${inTokens(accounts, available)} can be borrowed. Lower the amount${limit === 'COLLATERAL' ? ', or add collateral' : ''}.`;
    warnings.push(warning(code, message));
  }
  return warnings;
}

function withdrawLimits(accounts: LendingAccounts, outcome: LendingOutcome, moment: Moment): BuildWarning[] {
  const { before, after, effect } = outcome;
  const taken = integer(effect.moved);
  const free = freelyAvailable(before.reserve);
  const cap = remainingWithdrawalCap(accounts.reserve.config.depositWithdrawalCap, moment.timestamp);
  const warnings: BuildWarning[] = [];
  if (free.compare(taken) < 0) {
    const message = `The reserve has only ${inTokens(accounts, free)} available. Lower the amount, or wait for repayments.`;
    warnings.push(warning('LIQUIDITY_TOO_LOW', message));
  }
  if (cap !== null && cap.compare(taken) < 0) {
    const message = `Only ${inTokens(accounts, cap)} can still be withdrawn from the reserve in this interval. Lower the amount, or wait.`;
    warnings.push(warning('OUTFLOW_CAP_EXCEEDED', message));
  }
  const debt = after.stats?.userTotalBorrowBorrowFactorAdjusted;
  if (after.stats && debt && !debt.isZero && debt.compare(after.stats.borrowLimit) > 0) {
    const message = 'The remaining collateral would not cover the debt. Withdraw less, or repay first.';
    warnings.push(warning('COLLATERAL_TOO_LOW', message));
  }
  return warnings;
}

function abovePosition(accounts: LendingAccounts, { before, amount }: LendingOutcome): BuildWarning[] {
  const { action } = accounts.request;
  if (action !== 'repay' && action !== 'withdraw') return [];
  if (integer(amount).compare(integer(before.position.ceil())) <= 0) return [];
  const message = `The ${action === 'repay' ? 'debt' : 'deposit'} is only ${inTokens(accounts, before.position)}; no more than that is moved.`;
  return [warning('ABOVE_POSITION', message)];
}

/** The program rejects an action that leaves a position worth less than the market's minimum. */
function remainders(accounts: LendingAccounts, { after, effect }: LendingOutcome): BuildWarning[] {
  if (effect.moved === 0n) {
    return [warning('AMOUNT_BELOW_MINIMUM', 'The amount rounds down to zero. Raise it.')];
  }
  const priceUsd = after.reserves(accounts.request.reserve)?.priceUsd ?? null;
  if (priceUsd === null || after.position.isZero) return [];
  const value = valueUsd(after.position, accounts.reserve.liquidity.mintDecimals, priceUsd);
  const minimum = fromScaledFraction(accounts.market.minNetValueInObligationSf);
  if (value.compare(minimum) >= 0) return [];
  const message = `The remaining position would be worth less than the market's minimum of ${toDecimalString(minimum)} USD. Move all of it, or less.`;
  return [warning('AMOUNT_BELOW_MINIMUM', message)];
}

function obligationFull({ request, obligation }: LendingAccounts): BuildWarning[] {
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

function reserveInactive({ reserve, symbol }: LendingAccounts): BuildWarning[] {
  const status = reserveStatus(reserve);
  if (status === 'ACTIVE' && reserve.config.emergencyMode === 0) return [];
  const state = status === 'ACTIVE' ? 'in emergency mode' : status.toLowerCase();
  const message = `The ${symbol} reserve is ${state}: the program may reject deposits and borrows.`;
  return [warning('RESERVE_NOT_ACTIVE', message)];
}

function pricesOf({ reserves }: LendingAccounts, outcome: LendingOutcome, moment: Moment): BuildWarning[] {
  const warnings: BuildWarning[] = [];
  if (outcome.before.stats === null || outcome.after.stats === null) {
    warnings.push(
      warning('PRICE_UNKNOWN', 'A reserve of the obligation has no price, so values and limits are unknown.'),
    );
  }
  const stale = [...reserves.values()].filter((each) => reservePrice(each, moment.timestamp)?.stale);
  if (stale.length > 0) {
    const message = `${stale.length === 1 ? 'A price' : `${stale.length} prices`} stored on chain ${stale.length === 1 ? 'is' : 'are'} older than allowed. The transaction refreshes them; it fails if the oracles are late too.`;
    warnings.push(warning('PRICE_STALE', message));
  }
  return warnings;
}

function healthAfter({ after }: LendingOutcome): BuildWarning[] {
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
