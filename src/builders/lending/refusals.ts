import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import {
  divideScaled,
  divideScaledUp,
  fromScaledFraction,
  multiplyScaled,
  percentScaled,
  toScaledFraction,
} from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import {
  type ActionBlock,
  type ActionState,
  borrowBlock,
  depositBlock,
  repayBlock,
  withdrawBlock,
} from '../../domain/action-blocks.ts';
import { toTokens } from '../../domain/arithmetic.ts';
import type { Moment } from '../../domain/moment.ts';
import {
  maxWithdrawScaled,
  type RefreshedDeposit,
  type RefreshedObligation,
  valueScaled,
} from '../../domain/refreshed-obligation.ts';
import {
  collateralToLiquidity,
  depositRemaining,
  freelyAvailableUnits,
  RESERVE_VERSION,
  remainingWithdrawalCap,
} from '../../domain/reserve.ts';
import { ticketsWaiting } from '../../domain/ticket-payment.ts';
import { issuanceBlock } from '../../domain/withdraw-queue.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { LendingState } from './accounts.ts';
import type { LendingOutcome } from './preview.ts';

export const BLOCK_MESSAGES: Readonly<Record<ActionBlock, string>> = {
  MARKET_EMERGENCY: 'The market is in emergency mode and accepts no action.',
  RESERVE_EMERGENCY: 'The reserve is in emergency mode and accepts no action.',
  RESERVE_OBSOLETE: 'The reserve is obsolete and does not accept this action.',
  RESERVE_UNKNOWN: 'A reserve of the obligation could not be read.',
  POSITION_OBSOLETE: 'The obligation has a position in an obsolete reserve. Close that position first.',
  POSITION_EMERGENCY:
    'The obligation has a position in a reserve in emergency mode, which has no valid price. Until that ends, it cannot borrow, nor withdraw while in debt.',
  BORROWING_DISABLED: 'Borrowing is disabled in this market.',
  DEBT_MATURED: 'The debts of this reserve have matured; it accepts no new ones.',
  DEBT_TERM_ENDED: 'The term of the debt in this reserve has ended. Repay it before borrowing again.',
  DELEVERAGING: 'The obligation is being deleveraged and does not accept this action.',
  GROUP_INVALID: 'The elevation group of the obligation does not fit its positions.',
  GROUP_RESERVE: 'The elevation group of the obligation does not accept this reserve on this side.',
  GROUP_CLOSED:
    'The elevation group of the obligation accepts no new debts. Repay, or leave the group first.',
  GROUP_COLLATERAL_COUNT: 'The elevation group of the obligation accepts no further collateral.',
  GROUP_ONLY_COLLATERAL:
    'A collateral of this obligation counts only inside an elevation group. Request one first.',
  ORDERS: 'The obligation has orders that this action would invalidate. Cancel them first.',
};

export const inTokens = ({ reserve, symbol }: LendingState, units: Rational) =>
  `${toDecimalString(toTokens(integer(units.floor()), reserve.liquidity.mintDecimals))} ${symbol}`;

/** A state in which the program rejects the action, whatever its size. */
export function blocked(accounts: LendingState, outcome: LendingOutcome, moment: Moment): BuildWarning[] {
  const { request, market, reserve, reserves } = accounts;
  const code = request.action === 'borrow' ? 'BORROW_NOT_ALLOWED' : 'ACTION_NOT_ALLOWED';
  if ([...reserves.values()].some(({ version }) => version !== RESERVE_VERSION)) {
    return [warning(code, 'The program no longer supports a reserve of the obligation.')];
  }
  const state: ActionState = {
    market,
    obligation: outcome.before.obligation,
    address: request.reserve,
    reserve,
    reserveAt: (address) => reserves.get(address),
    timestamp: moment.timestamp,
  };
  const block = blockOf(state, accounts, outcome);
  return block === null ? [] : [warning(code, BLOCK_MESSAGES[block])];
}

function blockOf(
  state: ActionState,
  { request, farm, countsGroupLater }: LendingState,
  { after }: LendingOutcome,
) {
  switch (request.action) {
    case 'deposit':
      return depositBlock(state, !countsGroupLater);
    case 'borrow':
      return borrowBlock(state);
    case 'repay':
      return repayBlock(state, farm !== null, after.position.isZero);
    case 'withdraw':
      return withdrawBlock(state, farm !== null);
  }
}

/** Rejections that depend on the size of a deposit. */
export function depositRefusals(accounts: LendingState, outcome: LendingOutcome): BuildWarning[] {
  const { before, effect, refreshed } = outcome;
  if (effect.collateral === 0n) return [roundsToZero()];
  const warnings: BuildWarning[] = [];
  const remaining = depositRemaining(before.reserve);
  if (remaining.compare(integer(effect.moved)) < 0) {
    const message = `The reserve accepts only ${inTokens(accounts, remaining)} more. Lower the amount, or wait for withdrawals.`;
    warnings.push(warning('DEPOSIT_LIMIT_EXCEEDED', message));
  }
  const held = refreshed?.deposits.find(({ reserve }) => reserve === accounts.request.reserve)?.valueSf ?? 0n;
  const added = refreshed && collateralValue(outcome.after.reserve, accounts, outcome);
  return added === null ? warnings : [...warnings, ...belowMinimum(accounts, held + added)];
}

/** Rejections that depend on the size of a repayment. A debt repaid in full leaves nothing to check. */
export function repayRefusals(accounts: LendingState, outcome: LendingOutcome): BuildWarning[] {
  const priceSf = priceScaled(accounts, outcome);
  const debt = outcome.refreshed?.debts.find(({ reserve }) => reserve === accounts.request.reserve);
  if (priceSf === null || debt === undefined || debt.amountSf === outcome.effect.debtSf) return [];
  return belowMinimum(accounts, debt.valueSf - valueScaled(accounts.reserve, outcome.effect.debtSf, priceSf));
}

/** Rejections that depend on the size of a withdrawal. Neither liquidity nor the cap reduces a withdrawal of "all". */
export function withdrawRefusals(
  accounts: LendingState,
  outcome: LendingOutcome,
  isAll: boolean,
  moment: Moment,
): BuildWarning[] {
  return [...outflowRefusals(accounts, outcome, moment), ...collateralRefusals(accounts, outcome, isAll)];
}

/** Limits of the reserve on what leaves it. */
function outflowRefusals(accounts: LendingState, outcome: LendingOutcome, moment: Moment): BuildWarning[] {
  const { before, effect } = outcome;
  const warnings: BuildWarning[] = [];
  const free = freelyAvailableUnits(before.reserve);
  if (free < effect.moved) {
    const message = `The reserve has only ${inTokens(accounts, integer(free))} available. Lower the amount, or wait for repayments.${queueHint(accounts)}`;
    warnings.push(warning('LIQUIDITY_TOO_LOW', message));
  }
  const cap = remainingWithdrawalCap(accounts.reserve.config.depositWithdrawalCap, moment.timestamp);
  if (cap !== null && cap.compare(integer(effect.moved)) < 0) {
    const message = `Only ${inTokens(accounts, cap)} can still be withdrawn from the reserve in this interval. Lower the amount, or wait.`;
    warnings.push(warning('OUTFLOW_CAP_EXCEEDED', message));
  }
  return warnings;
}

/** The way out of a reserve without liquidity; empty where the market or the reserve does not offer it. */
function queueHint({ market, reserve }: LendingState): string {
  if (issuanceBlock(market, reserve) !== null || reserve.config.blockCtokenUsage !== 0) return '';
  const ahead = ticketsWaiting(reserve);
  const place = ahead === 0n ? 'is paid first' : `is paid after ${ahead} others, and before withdrawals`;
  return ` Or queue the withdrawal with buildEnqueueWithdraw: its ticket ${place} when there is liquidity.`;
}

/** Limits of the obligation on the collateral that leaves it. */
export function collateralRefusals(
  accounts: LendingState,
  outcome: LendingOutcome,
  isAll: boolean,
): BuildWarning[] {
  const { before, effect, refreshed } = outcome;
  const deposit = refreshed?.deposits.find(({ reserve }) => reserve === accounts.request.reserve);
  // A listed deposit can be empty.
  if (!refreshed || !deposit || deposit.collateral === 0n)
    return effect.collateral === 0n ? [roundsToZero()] : [];
  const warnings: BuildWarning[] = [];
  if (uncovers(refreshed, deposit, accounts, outcome, isAll)) {
    const message = 'The remaining collateral would not cover the debt. Withdraw less, or repay first.';
    warnings.push(warning('COLLATERAL_TOO_LOW', message));
  } else if (effect.collateral === 0n) {
    warnings.push(roundsToZero());
  }
  const value = collateralValue(before.reserve, accounts, outcome);
  if (value === null || effect.collateral === deposit.collateral) return warnings;
  return [...warnings, ...belowMinimum(accounts, deposit.valueSf - value)];
}

/** Whether the debts forbid the withdrawal. */
function uncovers(
  refreshed: RefreshedObligation,
  deposit: RefreshedDeposit,
  accounts: LendingState,
  outcome: LendingOutcome,
  isAll: boolean,
): boolean {
  const { collateral } = outcome.effect;
  const { withdrawalLimit = 'MAX_LTV' } = accounts;
  const limitSf = maxWithdrawScaled(refreshed, deposit, withdrawalLimit);
  if (refreshed.debts.length > 0 && limitSf === 0n) return true;
  if (refreshed.debts.length > 0 && !isAll) {
    // The program rounds the fraction withdrawn up.
    const fractionSf = divideScaledUp(collateral, deposit.collateral);
    const takenSf = multiplyScaled(deposit.valueSf, fractionSf);
    if (withdrawalLimit === 'MAX_LTV' ? takenSf > limitSf : takenSf >= limitSf) return true;
  }
  const valueSf = collateralValue(outcome.before.reserve, accounts, outcome) ?? 0n;
  const leftSf = refreshed.depositedSf - valueSf;
  if (leftSf === 0n) return refreshed.factoredSf > 0n;
  if (refreshed.borrowedSf >= leftSf) return true;
  const unhealthySf = refreshed.unhealthySf - multiplyScaled(valueSf, percentScaled(deposit.thresholdPct));
  const ltvSf = divideScaled(refreshed.factoredSf, leftSf);
  return ltvSf !== 0n && ltvSf >= divideScaled(atLeastZero(unhealthySf), leftSf);
}

/** USD value of the collateral moved, in units of 2^-60. Null when the price is unknown. */
function collateralValue(
  reserve: Parameters<typeof collateralToLiquidity>[0],
  accounts: LendingState,
  outcome: LendingOutcome,
): bigint | null {
  const priceSf = priceScaled(accounts, outcome);
  if (priceSf === null) return null;
  const amountSf = toScaledFraction(collateralToLiquidity(reserve, outcome.effect.collateral));
  return valueScaled(accounts.reserve, amountSf, priceSf);
}

/** The price of the token acted on, in units of 2^-60. Null when unknown. */
export function priceScaled({ request }: LendingState, { before }: LendingOutcome): bigint | null {
  const priceUsd = before.reserves(request.reserve)?.priceUsd;
  return priceUsd ? toScaledFraction(priceUsd) : null;
}

const roundsToZero = () => warning('AMOUNT_BELOW_MINIMUM', 'The amount rounds down to zero. Raise it.');

/** The program rejects an action that leaves a position worth less than the market's minimum. */
export function belowMinimum({ market }: LendingState, valueSf: bigint): BuildWarning[] {
  const minimumSf = market.minNetValueInObligationSf;
  if (valueSf <= 0n || valueSf >= minimumSf) return [];
  const minimum = toDecimalString(fromScaledFraction(minimumSf));
  const message = `The remaining position would be worth less than the market's minimum of ${minimum} USD. Move all of it, or less.`;
  return [warning('AMOUNT_BELOW_MINIMUM', message)];
}
