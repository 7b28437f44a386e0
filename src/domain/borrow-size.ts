import type { Reserve } from '@sluice/protocol/klend/reserve';
import {
  divideScaled,
  FRACTION_ONE,
  multiplyScaled,
  toScaledFraction,
} from '@sluice/protocol/numeric/fraction';
import type { PricedReserve } from './obligation.ts';
import {
  amountScaled,
  borrowFactorScaled,
  type RefreshedObligation,
  remainingBorrowScaled,
  valueScaled,
} from './refreshed-obligation.ts';
import { borrowRemaining, freelyAvailableUnits, largestLoan, originationFee } from './reserve.ts';

/** The parts of a borrow. */
export interface BorrowSize {
  /** Added to the debt, base units in units of 2^-60. */
  readonly debtSf: bigint;
  /** Base units of the debt that pay the origination fee. */
  readonly fee: bigint;
  /** Base units that the wallet receives. */
  readonly received: bigint;
}

const NOTHING: BorrowSize = { debtSf: 0n, fee: 0n, received: 0n };

/** A borrow of an exact amount: the fee is charged on top. */
export function exactBorrow(reserve: Reserve, amount: bigint): BorrowSize {
  const fee = originationFee(reserve, amount);
  return { debtSf: (amount + fee) * FRACTION_ONE, fee, received: amount };
}

/** The largest exact borrow that adds at most so many base units of debt, fee included; 0 when there is none. */
export function largestExactBorrow(reserve: Reserve, debt: bigint): bigint {
  const amount = largestLoan(reserve.config.fees.originationFeeSf, debt);
  return feeConsumes(reserve, amount) ? 0n : amount;
}

/** Whether the fee of an exact borrow is as large as the amount, before rounding; the program rejects it. */
export function feeConsumes({ config }: Reserve, amount: bigint): boolean {
  const rateSf = config.fees.originationFeeSf;
  return rateSf > 0n && (amount <= 1n || rateSf >= FRACTION_ONE);
}

/** Base units that the collateral still lets the obligation owe in a reserve; amount and price in units of 2^-60. */
export function collateralBorrowScaled(
  obligation: RefreshedObligation,
  elevationGroup: number,
  reserve: Reserve,
  priceSf: bigint,
): bigint {
  if (priceSf === 0n) return 0n;
  const amountSf = amountScaled(reserve, remainingBorrowScaled(obligation), priceSf);
  return divideScaled(amountSf, borrowFactorScaled(reserve, elevationGroup));
}

/**
 * A borrow of at most an amount: "all" when the exact amount, with its fee on top, is more than collateral, borrow limit or
 * liquidity allow. The exact amount when the price is unknown.
 */
export function borrowAtMost(
  obligation: RefreshedObligation | null,
  elevationGroup: number,
  priced: PricedReserve | undefined,
  amount: bigint,
): bigint | 'all' {
  if (obligation === null || !priced?.priceUsd) return amount;
  const { accrued } = priced;
  const { account } = accrued;
  if (feeConsumes(account, amount)) return amount;
  const { debtSf } = exactBorrow(account, amount);
  const valueSf = valueScaled(account, debtSf, toScaledFraction(priced.priceUsd));
  const factoredSf = multiplyScaled(valueSf, borrowFactorScaled(account, elevationGroup));
  const fits =
    factoredSf <= remainingBorrowScaled(obligation) &&
    debtSf <= toScaledFraction(borrowRemaining(accrued)) &&
    debtSf <= freelyAvailableUnits(accrued) * FRACTION_ONE;
  return fits ? amount : 'all';
}

/**
 * A borrow of "all": the smallest of collateral, borrow limit and liquidity, with the fee inside. No other limit reduces
 * it; the program rejects the borrow if another one is exceeded. Zero when the fee would consume it, and when the price is
 * unknown.
 */
export function wholeBorrow(
  obligation: RefreshedObligation | null,
  elevationGroup: number,
  priced: PricedReserve | undefined,
): BorrowSize {
  if (obligation === null || !priced?.priceUsd) return NOTHING;
  const { accrued } = priced;
  const { account } = accrued;
  const priceSf = toScaledFraction(priced.priceUsd);
  const debtSf = [
    collateralBorrowScaled(obligation, elevationGroup, account, priceSf),
    toScaledFraction(borrowRemaining(accrued)),
    freelyAvailableUnits(accrued) * FRACTION_ONE,
  ].reduce((least, each) => (each < least ? each : least));
  const rateSf = account.config.fees.originationFeeSf;
  if (rateSf === 0n) return { debtSf, fee: 0n, received: debtSf / FRACTION_ONE };
  const shareSf = multiplyScaled(debtSf, divideScaled(rateSf, rateSf + FRACTION_ONE));
  const feeSf = shareSf > FRACTION_ONE ? shareSf : FRACTION_ONE;
  const fee = (feeSf + FRACTION_ONE / 2n) / FRACTION_ONE;
  const received = debtSf / FRACTION_ONE - fee;
  return feeSf >= debtSf || received <= 0n ? NOTHING : { debtSf, fee, received };
}
