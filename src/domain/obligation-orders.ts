import type { ObligationOrder } from '@sluice/protocol/klend/obligation';
import { FULL_BPS, fromScaledFraction, U128_MAX } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';

/** Conditions by the program's number. */
const CONDITIONS = [
  'NEVER',
  'LTV_ABOVE',
  'LTV_BELOW',
  'PRICE_RATIO_ABOVE',
  'PRICE_RATIO_BELOW',
  'ALWAYS',
  'LIQUIDATION_LTV_CLOSER_THAN',
] as const;

export type OrderCondition = (typeof CONDITIONS)[number];

export type OrderOpportunity =
  | 'DELEVERAGE_AMOUNT'
  | 'DELEVERAGE_ALL'
  | 'DELEVERAGE_TO_LTV'
  | 'LEVER_UP_AMOUNT'
  | 'LEVER_UP_TO_LTV';

/** An order of an obligation: what others may do to it, and when. */
export interface OrderTerms {
  /** Null for a number that is not known. */
  readonly condition: OrderCondition | null;
  /** An LTV, a price ratio (debt / collateral) or a distance of LTVs. Null where the condition has none. */
  readonly threshold: Rational | null;
  /** Null for a number that is not known. */
  readonly opportunity: OrderOpportunity | null;
  /** Base units of the debt. Null where the opportunity has no amount. */
  readonly amount: Rational | null;
  /** Null where the opportunity has no target. */
  readonly targetLtv: Rational | null;
  /** Fractions of the amount that the executor earns. */
  readonly minBonus: Rational;
  readonly maxBonus: Rational;
  /** Null for any token, and in every order placed before klend 1.26, as are the fields below. */
  readonly debtMint: Address | null;
  readonly collateralMint: Address | null;
  readonly maxBorrowRateBps: number | null;
  readonly minDebtTermSeconds: number | null;
}

/** The program clears an order by setting its condition to "never". */
export const isActiveOrder = ({ conditionType }: ObligationOrder): boolean => conditionType !== 0;

/** `DebtCollPriceRatioAbove` and `DebtCollPriceRatioBelow`. */
const PRICE_RATIO_CONDITIONS: readonly number[] = [3, 4];
/** `DeleverageSingleDebtAmount`. */
const SINGLE_DEBT_OPPORTUNITY = 0;

/** Whether klend 1.25 accepts an order for an obligation with this many deposits and debts. An empty one always. */
export function isOrderSupported(order: ObligationOrder, deposits: number, debts: number): boolean {
  if (isEmptyOrder(order)) return true;
  if (order.opportunityType === SINGLE_DEBT_OPPORTUNITY && debts !== 1) return false;
  return !PRICE_RATIO_CONDITIONS.includes(order.conditionType) || (deposits === 1 && debts === 1);
}

function isEmptyOrder(order: ObligationOrder): boolean {
  const { conditionType, opportunityType, minExecutionBonusBps, maxExecutionBonusBps } = order;
  return (
    order.conditionThresholdSf === 0n &&
    order.opportunityParameterSf === 0n &&
    [minExecutionBonusBps, maxExecutionBonusBps, conditionType, opportunityType].every((each) => each === 0)
  );
}

export function orderTerms(order: ObligationOrder): OrderTerms {
  const condition = CONDITIONS[order.conditionType] ?? null;
  const opportunity = opportunityOf(order);
  const parameter = fromScaledFraction(order.opportunityParameterSf);
  const hasAmount = opportunity === 'DELEVERAGE_AMOUNT' || opportunity === 'LEVER_UP_AMOUNT';
  const hasTarget = opportunity === 'DELEVERAGE_TO_LTV' || opportunity === 'LEVER_UP_TO_LTV';
  const hasThreshold = condition !== null && condition !== 'NEVER' && condition !== 'ALWAYS';
  return {
    condition,
    threshold: hasThreshold ? fromScaledFraction(order.conditionThresholdSf) : null,
    opportunity,
    amount: hasAmount ? parameter : null,
    targetLtv: hasTarget ? parameter : null,
    minBonus: Rational.of(BigInt(order.minExecutionBonusBps), FULL_BPS),
    maxBonus: Rational.of(BigInt(order.maxExecutionBonusBps), FULL_BPS),
    debtMint: presentAddress(order.debtMintAddress),
    collateralMint: presentAddress(order.collateralMintAddress),
    maxBorrowRateBps: order.maxBorrowRateBps || null,
    minDebtTermSeconds: order.minDebtTermSeconds || null,
  };
}

/**
 * klend 1.26 gave number 1 another meaning. Up to 1.25 it repays all debt and its parameter must be the largest number;
 * since 1.26 it levers up by an amount, and the order must name its tokens and a rate, which were padding before.
 */
function opportunityOf(order: ObligationOrder): OrderOpportunity | null {
  switch (order.opportunityType) {
    case 0:
      return 'DELEVERAGE_AMOUNT';
    case 1:
      return order.opportunityParameterSf === U128_MAX && !hasNewerFields(order)
        ? 'DELEVERAGE_ALL'
        : 'LEVER_UP_AMOUNT';
    case 2:
      return 'DELEVERAGE_TO_LTV';
    case 3:
      return 'LEVER_UP_TO_LTV';
    default:
      return null;
  }
}

/** Whether fields that only klend 1.26 writes are set. */
function hasNewerFields(order: ObligationOrder): boolean {
  const { maxBorrowRateBps, minDebtTermSeconds, debtMintAddress, collateralMintAddress } = order;
  const hasMint = presentAddress(debtMintAddress) !== null || presentAddress(collateralMintAddress) !== null;
  return hasMint || maxBorrowRateBps !== 0 || minDebtTermSeconds !== 0;
}
