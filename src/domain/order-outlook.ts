import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { ratio } from './arithmetic.ts';
import { collateralLiquidationPrice } from './health.ts';
import type { DepositPosition, Positions } from './obligation.ts';
import type { OrderTerms } from './obligation-orders.ts';
import { type ObligationStats, storedLoanToValue } from './obligation-stats.ts';

/** Why an order is not executed, whatever prices do. */
export const ORDER_HINDRANCES = [
  'UNKNOWN_TERMS',
  'EXECUTION_DISABLED',
  'NO_DEBT',
  'POSITIONS',
  'LIQUIDATED_FIRST',
  'PRICE_TRIGGERS_DISABLED',
] as const;

export type OrderHindrance = (typeof ORDER_HINDRANCES)[number];

/** Why no price of a collateral alone triggers an order. */
export const NO_TRIGGER_PRICES = [
  'VALUE_UNKNOWN',
  'NO_PRICE_CONDITION',
  'NO_DEBT',
  'POSITIONS',
  'AT_ANY_PRICE',
  'AT_NO_PRICE',
  'LIQUIDATED_FIRST',
] as const;

export type NoTriggerPrice = (typeof NO_TRIGGER_PRICES)[number];

/** The price of a collateral at which an order triggers, all other prices unchanged. */
export interface TriggerPrice {
  readonly reserve: Address;
  /** Null when it is unknown. */
  readonly currentUsd: Rational | null;
  /** Null when no price alone triggers the order; `reason` says why. */
  readonly triggerUsd: Rational | null;
  /** Side of the price on which the order triggers; null without a price. */
  readonly side: 'BELOW' | 'ABOVE' | null;
  readonly reason: NoTriggerPrice | null;
}

/** What an order means for an obligation as it is now. */
export interface OrderOutlook {
  /** The watched figure: a loan-to-value, a ratio of prices or a distance. Null when there is none or it is unknown. */
  readonly watched: Rational | null;
  /** Whether the condition holds now. Null when that is unknown. */
  readonly isMet: boolean | null;
  /** Null when nothing prevents the execution. */
  readonly hindrance: OrderHindrance | null;
  /** One per deposit, in their order. */
  readonly prices: readonly TriggerPrice[];
}

export type OrderMarket = Pick<
  LendingMarket,
  'obligationOrderExecutionEnabled' | 'priceTriggeredLiquidationDisabled'
>;

/** @param stats null when a value of the obligation is unknown */
export function orderOutlook(
  terms: OrderTerms,
  market: OrderMarket,
  positions: Positions,
  stats: ObligationStats | null,
): OrderOutlook {
  const state: State = { terms, positions, stats };
  const watched = watchedFigure(state);
  return {
    watched,
    isMet: isMet(terms, watched),
    hindrance: hindranceOf(state, market),
    prices: positions.deposits.map((deposit) => ({
      reserve: deposit.reserve,
      currentUsd: deposit.priceUsd,
      ...triggerOf(state, deposit),
    })),
  };
}

interface State {
  readonly terms: OrderTerms;
  readonly positions: Positions;
  readonly stats: ObligationStats | null;
}

/** The loan-to-value from which the program liquidates: it divides by all deposits. */
export function storedLiquidationLtv({ borrowLiquidationLimit, userTotalDeposit }: ObligationStats) {
  return ratio(borrowLiquidationLimit, userTotalDeposit);
}

function watchedFigure({ terms, positions, stats }: State): Rational | null {
  switch (terms.condition) {
    case 'LTV_ABOVE':
    case 'LTV_BELOW':
      return stats && storedLoanToValue(stats);
    case 'LIQUIDATION_LTV_CLOSER_THAN':
      return stats && storedLiquidationLtv(stats).sub(storedLoanToValue(stats));
    case 'PRICE_RATIO_ABOVE':
    case 'PRICE_RATIO_BELOW':
      return priceRatio(positions);
    default:
      return null;
  }
}

/** Price of the only debt / price of the only collateral. Null when there are several, or a price is unknown. */
function priceRatio(positions: Positions): Rational | null {
  const prices = pairPrices(positions);
  return prices === null ? null : prices.debtUsd.div(prices.collateralUsd);
}

function pairPrices({ deposits, borrows }: Positions) {
  if (deposits.length !== 1 || borrows.length !== 1) return null;
  const [[deposit], [borrow]] = [deposits, borrows];
  const [collateralUsd, debtUsd] = [deposit?.priceUsd ?? null, borrow?.priceUsd ?? null];
  if (collateralUsd === null || debtUsd === null || collateralUsd.isZero) return null;
  return { collateralUsd, debtUsd };
}

/** The program compares strictly, in both directions. */
function isMet({ condition, threshold }: OrderTerms, watched: Rational | null): boolean | null {
  if (condition === 'NEVER') return false;
  if (condition === 'ALWAYS') return true;
  if (condition === null || threshold === null || watched === null) return null;
  const isAbove = condition === 'LTV_ABOVE' || condition === 'PRICE_RATIO_ABOVE';
  return isAbove ? watched.compare(threshold) > 0 : watched.compare(threshold) < 0;
}

const lowersLeverage = ({ opportunity }: OrderTerms) =>
  opportunity === 'DELEVERAGE_ALL' ||
  opportunity === 'DELEVERAGE_AMOUNT' ||
  opportunity === 'DELEVERAGE_TO_LTV';

const watchesRatio = ({ condition }: OrderTerms) =>
  condition === 'PRICE_RATIO_ABOVE' || condition === 'PRICE_RATIO_BELOW';

function hindranceOf(state: State, market: OrderMarket): OrderHindrance | null {
  const { terms, positions } = state;
  const { condition, opportunity } = terms;
  if (condition === null || opportunity === null) return 'UNKNOWN_TERMS';
  if (market.obligationOrderExecutionEnabled === 0) return 'EXECUTION_DISABLED';
  const [deposits, debts] = [positions.deposits.length, positions.borrows.length];
  if (debts === 0 && lowersLeverage(terms)) return 'NO_DEBT';
  // An order that names the token of its debt, since klend 1.26, works beside other debts.
  const needsOneDebt = opportunity === 'DELEVERAGE_AMOUNT' && terms.debtMint === null;
  if (needsOneDebt && debts !== 1) return 'POSITIONS';
  if (watchesRatio(terms) && (deposits !== 1 || debts !== 1)) return 'POSITIONS';
  if (isLiquidatedFirst(state)) return 'LIQUIDATED_FIRST';
  const isPriceTriggered = condition !== 'ALWAYS' && condition !== 'NEVER';
  const areDisabled = market.priceTriggeredLiquidationDisabled !== 0;
  return isPriceTriggered && areDisabled ? 'PRICE_TRIGGERS_DISABLED' : null;
}

/** Whether the obligation is liquidated at a threshold below that of the order, whatever its collateral is worth. */
function isLiquidatedFirst({ terms: { condition, threshold }, positions, stats }: State): boolean {
  if (threshold === null) return false;
  if (condition === 'LTV_ABOVE') {
    const limits = positions.deposits.map(({ liquidationLtv }) => liquidationLtv);
    return limits.length > 0 && limits.every((limit) => limit !== null && threshold.compare(limit) >= 0);
  }
  if (condition !== 'PRICE_RATIO_ABOVE' || stats === null) return false;
  const atLiquidation = liquidationRatio(positions, stats);
  return atLiquidation !== null && threshold.compare(atLiquidation) >= 0;
}

/** The ratio of prices from which a pair is liquidated. Null when it is unknown, and for a position without value. */
export function liquidationRatio(positions: Positions, stats: ObligationStats): Rational | null {
  const current = priceRatio(positions);
  const debt = stats.userTotalBorrowBorrowFactorAdjusted;
  return current === null || debt.isZero ? null : current.mul(stats.borrowLiquidationLimit).div(debt);
}

type Trigger = Pick<TriggerPrice, 'triggerUsd' | 'side' | 'reason'>;

const none = (reason: NoTriggerPrice): Trigger => ({ triggerUsd: null, side: null, reason });

function triggerOf(state: State, deposit: DepositPosition): Trigger {
  const { terms, positions, stats } = state;
  const { condition, threshold } = terms;
  if (condition === null || threshold === null) return none('NO_PRICE_CONDITION');
  if (positions.borrows.length === 0) return none('NO_DEBT');
  if (watchesRatio(terms)) {
    if (positions.deposits.length !== 1 || positions.borrows.length !== 1) return none('POSITIONS');
    const prices = pairPrices(positions);
    if (prices === null || threshold.isZero) return none('VALUE_UNKNOWN');
    const side = condition === 'PRICE_RATIO_ABOVE' ? 'BELOW' : 'ABOVE';
    return unlessLiquidated(state, deposit, { triggerUsd: prices.debtUsd.div(threshold), side });
  }
  const { priceUsd, valueUsd, liquidationLtv } = deposit;
  if (stats === null || priceUsd === null || valueUsd === null || liquidationLtv === null) {
    return none('VALUE_UNKNOWN');
  }
  if (priceUsd.isZero || valueUsd.isZero) return none('AT_NO_PRICE');
  const line = lineOf(terms, stats, valueUsd, liquidationLtv, threshold);
  const trigger = crossing(line);
  if (typeof trigger === 'string') return none(trigger);
  return unlessLiquidated(state, deposit, { triggerUsd: priceUsd.mul(trigger.factor), side: trigger.side });
}

/** The condition holds while `base + slope * factor` is positive; the factor is that of the deposit's price. */
interface Line {
  readonly base: Rational;
  readonly slope: Rational;
}

/**
 * With debt D, deposits C of which V counts with factor x, and liquidation limit U of which V has the threshold l:
 * LTV above t: D - t * (C - V + x * V) > 0. Below: the reverse. Distance below d: D - U + d * C > 0, with x in U and C.
 */
function lineOf(
  { condition }: OrderTerms,
  stats: ObligationStats,
  valueUsd: Rational,
  liquidationLtv: Rational,
  threshold: Rational,
): Line {
  const debt = stats.userTotalBorrowBorrowFactorAdjusted;
  const others = stats.userTotalDeposit.sub(valueUsd);
  if (condition === 'LIQUIDATION_LTV_CLOSER_THAN') {
    const limitOfOthers = stats.borrowLiquidationLimit.sub(valueUsd.mul(liquidationLtv));
    return {
      base: debt.sub(limitOfOthers).add(others.mul(threshold)),
      slope: valueUsd.mul(threshold.sub(liquidationLtv)),
    };
  }
  const above = { base: debt.sub(others.mul(threshold)), slope: valueUsd.mul(threshold).neg() };
  return condition === 'LTV_BELOW' ? { base: above.base.neg(), slope: above.slope.neg() } : above;
}

function crossing({
  base,
  slope,
}: Line): { readonly factor: Rational; readonly side: 'BELOW' | 'ABOVE' } | NoTriggerPrice {
  const factor = slope.isZero ? null : base.neg().div(slope);
  if (factor === null || factor.compare(ZERO) <= 0) {
    const isAlways = slope.isZero ? base.compare(ZERO) > 0 : slope.compare(ZERO) > 0;
    return isAlways ? 'AT_ANY_PRICE' : 'AT_NO_PRICE';
  }
  return { factor, side: slope.isNegative ? 'BELOW' : 'ABOVE' };
}

/** A falling price that reaches the liquidation first never triggers the order. */
function unlessLiquidated(
  { stats }: State,
  deposit: DepositPosition,
  { triggerUsd, side }: { readonly triggerUsd: Rational; readonly side: 'BELOW' | 'ABOVE' },
): Trigger {
  const liquidationUsd = stats && collateralLiquidationPrice(stats, deposit);
  const isLate = side === 'BELOW' && liquidationUsd !== null && triggerUsd.compare(liquidationUsd) <= 0;
  return isLate ? none('LIQUIDATED_FIRST') : { triggerUsd, side, reason: null };
}
