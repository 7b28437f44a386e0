import type { Address } from '@solana/kit';
import type { View } from '../chain/view.ts';
import { netApy as netApyOf, type YieldingValue } from '../domain/apy.ts';
import { toTokens, totalIfKnown } from '../domain/arithmetic.ts';
import {
  borrowCapacities,
  maxAmount,
  type ObligationInView,
  withdrawCapacities,
} from '../domain/capacity.ts';
import { potentialElevationGroup } from '../domain/elevation-move.ts';
import {
  bufferToLiquidation,
  collateralLiquidationPrice,
  debtLiquidationPrice,
  healthFactor,
  isLiquidatable,
} from '../domain/health.ts';
import {
  activeBorrows,
  activeDeposits,
  type BorrowPosition,
  type DepositPosition,
  obligationPositions,
  type Positions,
} from '../domain/obligation.ts';
import { maxLtv as maxLtvOf, type ObligationStats, obligationStats } from '../domain/obligation-stats.ts';
import { inSol } from '../domain/price.ts';
import type { Rational } from '../numeric/rational.ts';
import { presentAddress } from '../programs/program-ids.ts';
import { type Rounding, type TokenAmount, tokenAmount, valuedAmount } from './amounts.ts';
import type { MarketRecord, ObligationRecord, ReserveRecord, Session } from './records.ts';
import { borrowYield, reserveDenomination, supplyYield, wholeCollateral } from './reserves.ts';
import { Valuation } from './valuation.ts';

/** An obligation with its market and positions in the View. */
export interface ValuedObligation {
  readonly record: ObligationRecord;
  readonly view: View;
  /** Null when it could not be read; then nothing can be valued. */
  readonly market: MarketRecord | null;
  readonly positions: Positions | null;
  /** Null when a reserve or price of a position is unknown. */
  readonly stats: ObligationStats | null;
}

const valued = new WeakMap<ObligationRecord, ValuedObligation>();

/** Values an obligation at the View's slot. */
export function valueObligation({ view }: Pick<Session, 'view'>, record: ObligationRecord): ValuedObligation {
  const known = valued.get(record);
  if (known?.view === view) return known;
  const market = view.get('market', record.value.lendingMarket) ?? null;
  const reserves = (address: Address) => Valuation.of(view).priced(address);
  const positions = market && obligationPositions(record.value, market.value, reserves);
  const result = { record, view, market, positions, stats: positions && obligationStats(positions) };
  valued.set(record, result);
  return result;
}

/** A deposit with derived values. */
export interface ObligationDeposit {
  readonly position: DepositPosition;
  readonly collateral: Rational;
  readonly amount: TokenAmount | null;
  readonly liquidationPriceUsd: Rational | null;
}

export interface ObligationBorrow {
  readonly position: BorrowPosition;
  readonly amount: TokenAmount | null;
  readonly liquidationPriceUsd: Rational | null;
}

const reserveOf = (view: View, address: Address): ReserveRecord | undefined => view.get('reserve', address);

/** Has the published value of the position, so values add up to the totals of the obligation. */
function amountOf(
  view: View,
  { reserve, amount, valueUsd: usd }: DepositPosition | BorrowPosition,
  rounding: Rounding,
): TokenAmount | null {
  const record = reserveOf(view, reserve);
  if (amount === null || record === undefined) return null;
  const sol = inSol(usd, Valuation.of(view).solPriceUsd);
  return valuedAmount(reserveDenomination(view, record), amount, { usd, sol }, rounding);
}

export function obligationDeposits({
  view,
  positions,
  stats,
  record,
}: ValuedObligation): ObligationDeposit[] {
  if (positions === null) return unvaluedDeposits(view, record);
  return positions.deposits.map((position) => ({
    position,
    collateral: wholeCollateral(view, reserveOf(view, position.reserve), position.collateral),
    amount: amountOf(view, position, 'down'),
    liquidationPriceUsd: stats && collateralLiquidationPrice(stats, position),
  }));
}

export function obligationBorrows({ view, positions, stats, record }: ValuedObligation): ObligationBorrow[] {
  if (positions === null) return unvaluedBorrows(record);
  return positions.borrows.map((position) => ({
    position,
    amount: amountOf(view, position, 'up'),
    liquidationPriceUsd: stats && debtLiquidationPrice(stats, position),
  }));
}

function unvaluedDeposits(view: View, { value }: ObligationRecord): ObligationDeposit[] {
  return value.deposits.flatMap(({ depositReserve, depositedAmount }) => {
    if (presentAddress(depositReserve) === null) return [];
    const unknown = { amount: null, priceUsd: null, valueUsd: null, maxLtv: null, liquidationLtv: null };
    const position = { reserve: depositReserve, collateral: depositedAmount, ...unknown };
    const collateral = wholeCollateral(view, reserveOf(view, depositReserve), depositedAmount);
    return [{ position, collateral, amount: null, liquidationPriceUsd: null }];
  });
}

function unvaluedBorrows({ value }: ObligationRecord): ObligationBorrow[] {
  return value.borrows.flatMap(({ borrowReserve }) => {
    if (presentAddress(borrowReserve) === null) return [];
    const unknown = { amount: null, priceUsd: null, valueUsd: null, borrowFactor: null, factoredUsd: null };
    return [{ position: { reserve: borrowReserve, ...unknown }, amount: null, liquidationPriceUsd: null }];
  });
}

/** Mints of the first deposit and the first debt, the pair of a leveraged position. Null without one, or when its reserve cannot be read. */
export function positionPair(
  view: View,
  { value }: ObligationRecord,
): { readonly depositMint: Address | null; readonly borrowMint: Address | null } {
  const mintOf = (reserve: Address | undefined) =>
    (reserve && reserveOf(view, reserve)?.value.liquidity.mintPubkey) ?? null;
  return {
    depositMint: mintOf(activeDeposits(value)[0]?.depositReserve),
    borrowMint: mintOf(activeBorrows(value)[0]?.borrowReserve),
  };
}

export type BorrowOrder = ObligationRecord['value']['borrowOrder'];

/** The open borrow order; null without one. */
export function borrowOrder({ value }: ObligationRecord): BorrowOrder | null {
  // The program clears the whole order when it is cancelled or filled.
  return presentAddress(value.borrowOrder.debtLiquidityMint) === null ? null : value.borrowOrder;
}

/** The elevation group that would raise the obligation's borrow limit the most; 0 for none. */
export function potentialGroup({ view, market, positions, stats }: ValuedObligation): number {
  if (market === null || positions === null || stats === null) return 0;
  return potentialElevationGroup(
    positions,
    market.value,
    (address) => Valuation.of(view).priced(address),
    stats,
  );
}

export function health({ stats }: ValuedObligation): Rational | null {
  return stats && healthFactor(stats);
}

export function liquidatable({ stats }: ValuedObligation): boolean | null {
  return stats && isLiquidatable(stats);
}

export function liquidationBuffer({ stats }: ValuedObligation): Rational | null {
  return stats && bufferToLiquidation(stats);
}

/** The highest LTV up to which it may borrow; null when a value is unknown. */
export function maxLtv({ stats }: ValuedObligation): Rational | null {
  return stats && maxLtvOf(stats);
}

/** Deposits minus debts; null when a value is unknown. */
export function netValue({
  view,
  stats,
}: ValuedObligation): { usd: Rational | null; sol: Rational | null } | null {
  if (stats === null) return null;
  const usd = stats.netAccountValue;
  return { usd, sol: inSol(usd, Valuation.of(view).solPriceUsd) };
}

/** Deposits minus debts in SOL: by USD prices, or with liquid-staking tokens at their stake rate. */
export function netValueSol(valuedObligation: ValuedObligation, useStakeRate: boolean): Rational | null {
  const { view, positions } = valuedObligation;
  if (!useStakeRate || positions === null) return netValue(valuedObligation)?.sol ?? null;
  const deposits = totalIfKnown(positions.deposits.map((position) => positionSol(view, position)));
  const borrows = totalIfKnown(positions.borrows.map((position) => positionSol(view, position)));
  return deposits === null || borrows === null ? null : deposits.sub(borrows);
}

function positionSol(
  view: View,
  { reserve, amount, valueUsd }: DepositPosition | BorrowPosition,
): Rational | null {
  const record = reserveOf(view, reserve);
  if (record === undefined || amount === null) return null;
  const { mintPubkey, mintDecimals } = record.value.liquidity;
  const rate = Valuation.of(view).stakeRateSol(mintPubkey);
  return rate === null
    ? inSol(valueUsd, Valuation.of(view).solPriceUsd)
    : toTokens(amount, mintDecimals).mul(rate);
}

/** Yield on the net value: earnings of deposits minus cost of debts. Null when a value is unknown. */
export function netApy({ view, positions, stats }: ValuedObligation): Rational | null {
  if (positions === null || stats === null) return null;
  const earning = yielding(view, positions.deposits, (reserve) => supplyYield(view, reserve).total);
  const owing = yielding(view, positions.borrows, (reserve) => borrowYield(view, reserve).total);
  return earning === null || owing === null ? null : netApyOf(earning, owing);
}

function yielding(
  view: View,
  positions: readonly { readonly reserve: Address; readonly valueUsd: Rational | null }[],
  apyOf: (reserve: ReserveRecord) => Rational,
): YieldingValue[] | null {
  const values: YieldingValue[] = [];
  for (const { reserve, valueUsd } of positions) {
    const record = reserveOf(view, reserve);
    if (record === undefined || valueUsd === null) return null;
    values.push({ valueUsd, apy: apyOf(record) });
  }
  return values;
}

function inView({ view, market, positions, stats, record }: ValuedObligation): ObligationInView | null {
  if (market === null || positions === null || stats === null) return null;
  const reserves = (address: Address) => Valuation.of(view).priced(address);
  return { obligation: record.value, market: market.value, reserves, positions, stats };
}

/** The maximum borrow from a reserve, after the fee. Null when an input is unknown. */
export function maxBorrow(valuedObligation: ValuedObligation, reserve: ReserveRecord): TokenAmount | null {
  return capacity(valuedObligation, reserve, borrowCapacities);
}

/** The maximum withdrawal of a deposit. Null when an input is unknown. */
export function maxWithdraw(valuedObligation: ValuedObligation, reserve: ReserveRecord): TokenAmount | null {
  return capacity(valuedObligation, reserve, withdrawCapacities);
}

function capacity(
  valuedObligation: ValuedObligation,
  reserve: ReserveRecord,
  capacitiesOf: typeof borrowCapacities,
): TokenAmount | null {
  const { view } = valuedObligation;
  const known = inView(valuedObligation);
  const priced = Valuation.of(view).priced(reserve.address);
  const capacities = known && priced && capacitiesOf(known, reserve.address, priced, view.moment);
  if (!capacities) return null;
  return tokenAmount(view, reserveDenomination(view, reserve), maxAmount(capacities).floor());
}
