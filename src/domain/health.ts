import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { fromPercent } from '@sluice/protocol/numeric/fraction';
import { ONE, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { positivePart } from './arithmetic.ts';
import type { BorrowPosition, DepositPosition } from './obligation.ts';
import type { ObligationStats } from './obligation-stats.ts';

/** Liquidation limit / factored debt: liquidatable at 1 and below. Null without debt. */
export function healthFactor(stats: ObligationStats): Rational | null {
  const debt = stats.userTotalBorrowBorrowFactorAdjusted;
  return debt.isZero ? null : stats.borrowLiquidationLimit.div(debt);
}

/** Whether a liquidator could act now: there is debt, and it has reached the liquidation limit. */
export function isLiquidatable(stats: ObligationStats): boolean {
  const debt = stats.userTotalBorrowBorrowFactorAdjusted;
  return !debt.isZero && debt.compare(stats.borrowLiquidationLimit) >= 0;
}

/** Fraction by which all collateral may lose value before liquidation; 0 once liquidatable, null without debt. */
export function bufferToLiquidation(stats: ObligationStats): Rational | null {
  const debt = stats.userTotalBorrowBorrowFactorAdjusted;
  if (debt.isZero) return null;
  const limit = stats.borrowLiquidationLimit;
  return limit.isZero ? ZERO : positivePart(ONE.sub(debt.div(limit)));
}

/**
 * The USD price of a deposited token at which the obligation can be liquidated, all other prices unchanged. Null
 * without debt, without value, and when the other collateral covers the debt alone.
 */
export function collateralLiquidationPrice(
  stats: ObligationStats,
  deposit: DepositPosition,
): Rational | null {
  const { priceUsd, valueUsd, liquidationLtv } = deposit;
  const debt = stats.userTotalBorrowBorrowFactorAdjusted;
  if (priceUsd === null || valueUsd === null || liquidationLtv === null || debt.isZero) return null;
  const counted = valueUsd.mul(liquidationLtv);
  if (counted.isZero) return null;
  const needed = debt.sub(stats.borrowLiquidationLimit.sub(counted));
  return needed.n <= 0n ? null : priceUsd.mul(needed).div(counted);
}

/**
 * The USD price of a borrowed token at which the obligation can be liquidated, all other prices unchanged. Null without
 * value, and when the other debts alone exceed the limit.
 */
export function debtLiquidationPrice(stats: ObligationStats, borrow: BorrowPosition): Rational | null {
  const { priceUsd, factoredUsd } = borrow;
  if (priceUsd === null || factoredUsd === null || factoredUsd.isZero) return null;
  const otherDebts = stats.userTotalBorrowBorrowFactorAdjusted.sub(factoredUsd);
  const headroom = stats.borrowLiquidationLimit.sub(otherDebts);
  return headroom.n <= 0n ? null : priceUsd.mul(headroom).div(factoredUsd);
}

/** The fraction of a debt that one liquidation may close. */
export function closeFactor(market: LendingMarket): Rational {
  return fromPercent(market.liquidationMaxDebtCloseFactorPct);
}
