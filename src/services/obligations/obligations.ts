import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { toTokens, totalIfKnown } from '../../domain/arithmetic.ts';
import { largestExactBorrow } from '../../domain/borrow-size.ts';
import { borrowCapacities, maxAmount, withdrawCapacities } from '../../domain/capacity.ts';
import { potentialElevationGroup } from '../../domain/elevation-move.ts';
import {
  bufferToLiquidation,
  collateralLiquidationPrice,
  debtLiquidationPrice,
  healthFactor,
  isLiquidatable,
} from '../../domain/health.ts';
import { hasEndedDebt } from '../../domain/liquidation-reason.ts';
import { netApy as netApyOf } from '../../domain/net-apy.ts';
import {
  activeBorrows,
  activeDeposits,
  type BorrowPosition,
  type DepositPosition,
  obligationPositions,
  type Positions,
  type PricedReserves,
} from '../../domain/obligation.ts';
import {
  maxLtv as maxLtvOf,
  type ObligationStats,
  obligationStats,
  storedLoanToValue,
} from '../../domain/obligation-stats.ts';
import { inSol } from '../../domain/price.ts';
import type { MarketRecord, ObligationRecord, ReserveRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import {
  borrowYield,
  isInEmergency,
  reserveAmount,
  reserveDenomination,
  supplyYield,
  wholeCollateral,
} from '../reserves/reserves.ts';
import { type Rounding, type TokenAmount, valuedAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';

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
  /** As stored in the obligation. */
  readonly stored: ObligationLiquidity;
  /** The obligation that owes it. */
  readonly record: ObligationRecord;
  readonly market: Address;
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
  // Positions are in the order of the account.
  return activeBorrows(record.value).flatMap((stored, i) => {
    const position = positions.borrows[i];
    if (position === undefined) return [];
    return {
      position,
      stored,
      record,
      market: record.value.lendingMarket,
      amount: amountOf(view, position, 'up'),
      liquidationPriceUsd: stats && debtLiquidationPrice(stats, position),
    };
  });
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

function unvaluedBorrows(record: ObligationRecord): ObligationBorrow[] {
  const { value } = record;
  return activeBorrows(value).map((stored) => {
    const unknown = { amount: null, priceUsd: null, valueUsd: null, borrowFactor: null, factoredUsd: null };
    const position = { reserve: stored.borrowReserve, ...unknown };
    return { position, stored, record, market: value.lendingMarket, amount: null, liquidationPriceUsd: null };
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

/** Factored debt / all deposits, as the program computes it; null when a value is unknown. */
export function loanToValue({ stats }: ValuedObligation): Rational | null {
  return stats && storedLoanToValue(stats);
}

/**
 * Whether its debt has reached the limit, or anyone may liquidate a debt because it has ended. False in an emergency of the
 * market or of one of the obligation's reserves, which stops liquidations.
 */
export function liquidatable({ record, view, market, positions, stats }: ValuedObligation): boolean | null {
  if (stats === null || positions === null) return null;
  const used = [...positions.deposits, ...positions.borrows].map(({ reserve }) => reserve);
  const isStopped =
    (market !== null && market.value.emergencyMode !== 0) ||
    used.some((address) => {
      const reserve = view.get('reserve', address)?.value;
      return reserve !== undefined && isInEmergency(reserve);
    });
  if (isStopped || isLiquidatable(stats)) return !isStopped;
  if (market === null || stats.userTotalDeposit.isZero) return false;
  const reserves = (address: Address) => Valuation.of(view).priced(address);
  return hasEndedDebt(record.value, market.value, reserves, view.moment.timestamp);
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
  const totalOf = (yieldOf: typeof supplyYield) => (address: Address) => {
    const reserve = reserveOf(view, address);
    return reserve && yieldOf(view, reserve).total;
  };
  return netApyOf(positions, { supply: totalOf(supplyYield), borrow: totalOf(borrowYield) });
}

/** The maximum borrow from a reserve, after the fee, to the base unit at the View's moment. Null when an input is unknown. */
export function maxBorrow(valuedObligation: ValuedObligation, reserve: ReserveRecord): TokenAmount | null {
  const { view } = valuedObligation;
  const most = capacity(valuedObligation, reserve, borrowCapacities);
  return most === null ? null : reserveAmount(view, reserve, largestExactBorrow(reserve.value, most));
}

/** The maximum withdrawal of a deposit. Null when an input is unknown. */
export function maxWithdraw(valuedObligation: ValuedObligation, reserve: ReserveRecord): TokenAmount | null {
  const { view } = valuedObligation;
  const most = capacity(valuedObligation, reserve, withdrawCapacities);
  return most === null ? null : reserveAmount(view, reserve, most);
}

/** Whole base units. */
function capacity(
  { view, market, positions, stats, record }: ValuedObligation,
  { address }: ReserveRecord,
  capacitiesOf: typeof borrowCapacities,
): bigint | null {
  const reserves: PricedReserves = (each) => Valuation.of(view).priced(each);
  const priced = reserves(address);
  if (market === null || positions === null || stats === null || priced === undefined) return null;
  const known = { obligation: record.value, market: market.value, reserves, positions, stats };
  const capacities = capacitiesOf(known, address, priced, view.moment);
  return capacities && maxAmount(capacities).floor();
}
