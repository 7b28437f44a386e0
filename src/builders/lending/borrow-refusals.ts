import {
  ceilScaled,
  divideScaled,
  fromScaledFraction,
  multiplyScaled,
  percentScaled,
  toScaledFraction,
} from '@sluice/protocol/numeric/fraction';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import { capsOfBorrow, remainingUnder } from '../../domain/borrow-caps.ts';
import { collateralBorrowScaled, feeConsumes } from '../../domain/borrow-size.ts';
import type { Moment } from '../../domain/moment.ts';
import {
  borrowFactorScaled,
  owedTo,
  type RefreshedObligation,
  remainingBorrowScaled,
  valueScaled,
} from '../../domain/refreshed-obligation.ts';
import { borrowRemaining, freelyAvailableUnits, remainingWithdrawalCap } from '../../domain/reserve.ts';
import { type BuildWarning, type WarningCode, warning } from '../warnings.ts';
import type { LendingState } from './accounts.ts';
import type { LendingOutcome } from './preview.ts';
import { belowMinimum, inTokens, priceScaled } from './refusals.ts';

/**
 * Rejections that depend on the size of a borrow. "All" is the smallest of collateral, borrow limit and liquidity; every
 * other limit rejects it as it rejects an exact amount.
 */
export function borrowRefusals(
  accounts: LendingState,
  outcome: LendingOutcome,
  isAll: boolean,
  moment: Moment,
): BuildWarning[] {
  return [
    ...reserveRefusals(accounts, outcome, moment),
    ...trackerRefusals(accounts, outcome),
    ...collateralRefusals(accounts, outcome),
    ...feeRefusals(accounts, outcome, isAll),
  ];
}

const limited = (accounts: LendingState, code: WarningCode, most: Rational, more = '') =>
  warning(
    code,
    `At most ${inTokens(accounts, most)} can be borrowed, fee included. Lower the amount${more}.`,
  );

/** Limits of the reserve itself. */
function reserveRefusals(accounts: LendingState, outcome: LendingOutcome, moment: Moment): BuildWarning[] {
  const { config } = accounts.reserve;
  const { debtSf } = outcome.effect;
  const accrued = outcome.before.reserve;
  const warnings: BuildWarning[] = [];
  const remaining = borrowRemaining(accrued);
  if (remaining.isZero || toScaledFraction(remaining) < debtSf) {
    warnings.push(limited(accounts, 'BORROW_LIMIT_EXCEEDED', remaining));
  }
  const free = freelyAvailableUnits(accrued);
  if (free === 0n || free < ceilScaled(debtSf)) {
    warnings.push(limited(accounts, 'LIQUIDITY_TOO_LOW', integer(free)));
  }
  const cap = remainingWithdrawalCap(config.debtWithdrawalCap, moment.timestamp);
  if (cap !== null && cap.compare(integer(ceilScaled(debtSf))) < 0) {
    const message = `Only ${inTokens(accounts, cap)} can still be borrowed from the reserve in this interval, fee included. Lower the amount, or wait.`;
    warnings.push(warning('OUTFLOW_CAP_EXCEEDED', message));
  }
  const blockPct = config.utilizationLimitBlockBorrowingAbovePct;
  const supplySf = toScaledFraction(accrued.totalSupply);
  const borrowedSf = toScaledFraction(accrued.borrowed) + debtSf;
  if (blockPct !== 0 && supplySf > 0n && divideScaled(borrowedSf, supplySf) >= percentScaled(blockPct)) {
    const message = `Utilization must stay below ${blockPct} %. Lower the amount, or wait for repayments.`;
    warnings.push(warning('UTILIZATION_BLOCK', message));
  }
  return warnings;
}

/** Limits on the debt outside elevation groups, or against the collateral inside one, as a refresh counts it. */
function trackerRefusals(
  accounts: LendingState,
  { before, refreshed, effect }: LendingOutcome,
): BuildWarning[] {
  const caps = capsOfBorrow(
    {
      obligation: before.obligation,
      reserveAt: (address) => accounts.reserves.get(address),
      owedTo: (address) => owedTo(refreshed, address),
    },
    accounts.request.reserve,
  );
  const added = integer(ceilScaled(effect.debtSf));
  const over = caps.flatMap((cap) => remainingUnder(cap) ?? []).filter((most) => most.compare(added) < 0);
  return over.slice(0, 1).map((most) => limited(accounts, 'BORROW_LIMIT_EXCEEDED', most));
}

/** Limits of the collateral, and the minimum value of a debt. Unknown without prices. */
function collateralRefusals(accounts: LendingState, outcome: LendingOutcome): BuildWarning[] {
  const { refreshed, effect } = outcome;
  const priceSf = priceScaled(accounts, outcome);
  if (refreshed === null || priceSf === null) return [];
  const addedSf = valueScaled(accounts.reserve, effect.debtSf, priceSf);
  const { elevationGroup } = outcome.before.obligation;
  const factoredSf = multiplyScaled(addedSf, borrowFactorScaled(accounts.reserve, elevationGroup));
  const warnings: BuildWarning[] = [];
  if (exceedsCollateral(refreshed, addedSf, factoredSf)) {
    const mostSf = collateralBorrowScaled(refreshed, elevationGroup, accounts.reserve, priceSf);
    const most = fromScaledFraction(mostSf);
    warnings.push(limited(accounts, 'COLLATERAL_TOO_LOW', most, ', or add collateral'));
  }
  const held = refreshed.debts.find(({ reserve }) => reserve === accounts.request.reserve)?.valueSf ?? 0n;
  return [...warnings, ...belowMinimum(accounts, held + addedSf)];
}

function exceedsCollateral(
  obligation: RefreshedObligation,
  addedSf: bigint,
  addedFactoredSf: bigint,
): boolean {
  const { depositedSf, unhealthySf, borrowedSf, factoredSf } = obligation;
  const remainingSf = remainingBorrowScaled(obligation);
  if (remainingSf === 0n || addedFactoredSf > remainingSf) return true;
  const ltvSf = divideScaled(factoredSf + addedFactoredSf, depositedSf);
  return ltvSf > divideScaled(unhealthySf, depositedSf) || borrowedSf + addedSf >= depositedSf;
}

function feeRefusals(accounts: LendingState, outcome: LendingOutcome, isAll: boolean): BuildWarning[] {
  const { effect, refreshed, amount } = outcome;
  const consumed = isAll ? refreshed !== null && effect.moved === 0n : feeConsumes(accounts.reserve, amount);
  if (!consumed) return [];
  return [warning('AMOUNT_BELOW_MINIMUM', 'Nothing would be left of this borrow after the fee. Raise it.')];
}
