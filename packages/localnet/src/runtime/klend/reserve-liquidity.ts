import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { ensure } from '../anchor.ts';
import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import {
  collateralToLiquidity,
  collateralToLiquidityUp,
  exchangeRateOf,
  liquidityToCollateral,
  liquidityToCollateralUp,
} from './exchange-rate.ts';
import { addSf, floorSf, leastOf, ONE_SF, ratioSf, subSfToZero, wholeSf } from './fraction.ts';
import { isStale, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import type { ReserveState } from './reserve-state.ts';
import { addOutflow, subtractInflow } from './withdrawal-cap.ts';

/** Amounts and values of a reserve, and what deposits, redemptions, loans and repayments do to it. */

const mintFactorSf = ({ data }: ReserveState) => 10n ** data.liquidity.mintDecimals * ONE_SF;

/** USD of a scaled amount of base units. */
export function marketValueSf(reserve: ReserveState, amountSf: bigint): bigint {
  return ratioSf(amountSf, reserve.marketPriceSf, mintFactorSf(reserve));
}

/** Base units, scaled, that a value in USD buys. */
export function liquidityWorthSf(reserve: ReserveState, valueSf: bigint): bigint {
  return ratioSf(valueSf, mintFactorSf(reserve), reserve.marketPriceSf);
}

/** Base units that the withdraw queue is owed. */
export function queuedLiquidity(reserve: ReserveState): bigint {
  return collateralToLiquidity(exchangeRateOf(reserve), reserve.queue.collateral);
}

/** Base units that are neither lent out nor owed to the withdraw queue. */
export function freelyAvailable(reserve: ReserveState): bigint {
  const queued = queuedLiquidity(reserve);
  return reserve.available > queued ? reserve.available - queued : 0n;
}

export function remainingBorrowCapacitySf(reserve: ReserveState): bigint {
  return subSfToZero(wholeSf(reserve.config.borrowLimit), reserve.borrowedSf);
}

/** Collateral tokens for which the reserve has the liquidity, that of the withdraw queue included. */
export function redeemableCollateral(reserve: ReserveState): bigint {
  const rate = exchangeRateOf(reserve);
  const up = liquidityToCollateralUp(rate, reserve.available);
  const isCovered = collateralToLiquidity(rate, up) <= reserve.available;
  return isCovered ? up : liquidityToCollateral(rate, reserve.available);
}

/** Takes liquidity out of the vault's accounting. */
export function withdrawFreely(reserve: ReserveState, amount: bigint): void {
  ensure(amount <= freelyAvailable(reserve), LENDING.insufficientLiquidity);
  reserve.available -= amount;
}

/** Takes liquidity out of the vault's accounting, which may be owed to the withdraw queue. */
export function withdrawQueued(reserve: ReserveState, amount: bigint): void {
  ensure(amount <= reserve.available, LENDING.insufficientLiquidity);
  reserve.available -= amount;
}

function checkedAdd(amount: bigint, added: bigint): bigint {
  if (amount + added > U64_MAX) throw customError(LENDING.mathOverflow);
  return amount + added;
}

/** Lends out a scaled amount, of which the vault pays the whole units. */
export function borrowFromReserve(reserve: ReserveState, amountSf: bigint): void {
  withdrawFreely(reserve, floorSf(amountSf));
  reserve.borrowedSf = addSf(reserve.borrowedSf, amountSf);
}

/** Lends out whole base units for a flash loan, which may use what is owed to the withdraw queue. */
export function flashBorrowFromReserve(reserve: ReserveState, amount: bigint): void {
  withdrawQueued(reserve, amount);
  reserve.borrowedSf = addSf(reserve.borrowedSf, wholeSf(amount));
}

/** Adds base units to the vault's accounting. */
export function takeIn(reserve: ReserveState, amount: bigint): void {
  reserve.available = checkedAdd(reserve.available, amount);
}

/** Takes in `amount` base units, which settle a scaled amount of debt. */
export function repayToReserve(reserve: ReserveState, amount: bigint, settledSf: bigint): void {
  takeIn(reserve, amount);
  reserve.borrowedSf -= leastOf(settledSf, reserve.borrowedSf);
}

export interface DepositResult {
  /** Base units to take: at most what was offered, and no more than the collateral tokens are worth. */
  readonly liquidity: bigint;
  /** Collateral tokens to mint. */
  readonly collateral: bigint;
}

/** Deposits up to `amount` base units, and leaves the reserve stale. */
export function depositLiquidity(reserve: ReserveState, clock: Clock, amount: bigint): DepositResult {
  ensure(amount !== 0n, LENDING.invalidAmount);
  ensure(!isStale(reserve.lastUpdate, clock, PRICE_STATUS.none), LENDING.reserveStale);
  const rate = exchangeRateOf(reserve);
  const collateral = liquidityToCollateral(rate, amount);
  const liquidity = collateralToLiquidityUp(rate, collateral);
  ensure(amount >= liquidity, LENDING.mathOverflow);
  const supply = addSf(wholeSf(liquidity), reserve.totalSupplySf);
  ensure(supply <= wholeSf(reserve.config.depositLimit), LENDING.depositLimitExceeded);
  subtractInflow(reserve.depositCap, liquidity, clock.unixTimestamp);
  takeIn(reserve, liquidity);
  reserve.collateralSupply = checkedAdd(reserve.collateralSupply, collateral);
  reserve.lastUpdate.stale = true;
  return { liquidity, collateral };
}

/**
 * Redeems collateral tokens, and leaves the reserve stale. Returns the base units to pay.
 * @param withdraw takes the payment out of the vault's accounting
 */
export function redeemCollateral(
  reserve: ReserveState,
  clock: Clock,
  collateral: bigint,
  withdraw = withdrawFreely,
): bigint {
  ensure(collateral !== 0n, LENDING.invalidAmount);
  ensure(!isStale(reserve.lastUpdate, clock, PRICE_STATUS.none), LENDING.reserveStale);
  const liquidity = collateralToLiquidity(exchangeRateOf(reserve), collateral);
  withdraw(reserve, liquidity);
  ensure(reserve.collateralSupply >= collateral, LENDING.mathOverflow);
  reserve.collateralSupply -= collateral;
  updateLimitTimestamps(reserve, clock);
  reserve.lastUpdate.stale = true;
  addOutflow(reserve.depositCap, liquidity, clock.unixTimestamp);
  return liquidity;
}

/** Notes when supply and debt first exceeded their limits; zero while they do not. */
export function updateLimitTimestamps(reserve: ReserveState, { unixTimestamp }: Clock): void {
  const { depositLimit, borrowLimit } = reserve.config;
  const since = (isCrossed: boolean, start: bigint) => (isCrossed ? start || unixTimestamp : 0n);
  reserve.depositLimitCrossedAt = since(
    reserve.totalSupplySf > wholeSf(depositLimit),
    reserve.depositLimitCrossedAt,
  );
  reserve.borrowLimitCrossedAt = since(
    reserve.borrowedSf > wholeSf(borrowLimit),
    reserve.borrowLimitCrossedAt,
  );
}
