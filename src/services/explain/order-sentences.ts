import { obligationOrder } from '@sluice/protocol/klend/obligation';
import { setObligationOrder } from '@sluice/protocol/klend/order-instructions';
import { viewOf } from '@sluice/protocol/layout/account';
import { placePoint, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { shortened } from '../../builders/shortened.ts';
import { isActiveOrder, type OrderTerms, orderTerms } from '../../domain/obligation-orders.ts';
import type { Writer } from './writer.ts';

/** The first version of an instruction has no index and acts on order 0. */
export const orderIndex = (w: Writer): string => String(w.arg('orderIdx') ?? 0);

/** Basis points as a percentage. */
export const percent = (bps: bigint): string => `${placePoint(bps, 2)}%`;

export function borrowOrderSet(w: Writer): string {
  const order = `borrow order ${orderIndex(w)} of the obligation`;
  if (w.units('remainingDebtAmount') === 0n) return `Cancel ${order}`;
  const rate = percent(BigInt(Number(w.arg('maxBorrowRateBps'))));
  const term = w.units('minDebtTermSeconds');
  const terms = `at ${rate} a year or less${term === 0n ? '' : `, for at least ${term} seconds`}`;
  return `Set ${order}: borrow up to ${w.tokens('remainingDebtAmount', 'debtLiquidityMint')} ${terms}`;
}

export function obligationOrderSet(w: Writer): string {
  const order = `order ${String(w.arg('index'))} of the obligation`;
  const start =
    setObligationOrder.discriminator.length + setObligationOrder.args.offsets.conditionThresholdSf;
  const stored = obligationOrder.read(viewOf(w.data), start);
  if (!isActiveOrder(stored)) return `Cancel ${order}`;
  const terms = orderTerms(stored);
  return `Set ${order}: ${opportunity(terms)} ${condition(terms)}`;
}

const FULL_PERCENT = Rational.of(100n, 1n);
const asPercent = (value: Rational | null) =>
  `${value === null ? '?' : toDecimalString(value.mul(FULL_PERCENT))}%`;

function condition({ condition: kind, threshold }: OrderTerms): string {
  switch (kind) {
    case 'NEVER':
      return 'never';
    case 'LTV_ABOVE':
      return `when the loan-to-value is above ${asPercent(threshold)}`;
    case 'LTV_BELOW':
      return `when the loan-to-value is below ${asPercent(threshold)}`;
    case 'PRICE_RATIO_ABOVE':
      return `when the price of the debt in collateral is above ${threshold === null ? '?' : toDecimalString(threshold)}`;
    case 'PRICE_RATIO_BELOW':
      return `when the price of the debt in collateral is below ${threshold === null ? '?' : toDecimalString(threshold)}`;
    case 'ALWAYS':
      return 'at any time';
    case 'LIQUIDATION_LTV_CLOSER_THAN':
      return `when the loan-to-value is closer than ${asPercent(threshold)} to liquidation`;
    case null:
      return 'on an unknown condition';
  }
}

function opportunity({ opportunity: kind, amount, targetLtv, debtMint }: OrderTerms): string {
  const of = debtMint === null ? 'the debt' : shortened(debtMint);
  const units = `${amount?.floor() ?? 0n} base units of ${of}`;
  switch (kind) {
    case 'DELEVERAGE_AMOUNT':
      return `sell collateral to repay ${units}`;
    case 'DELEVERAGE_ALL':
      return 'sell collateral to repay all debt';
    case 'DELEVERAGE_TO_LTV':
      return `sell collateral to lower the loan-to-value to ${asPercent(targetLtv)}`;
    case 'LEVER_UP_AMOUNT':
      return `borrow ${units} for more collateral`;
    case 'LEVER_UP_TO_LTV':
      return `borrow for more collateral to raise the loan-to-value to ${asPercent(targetLtv)}`;
    case null:
      return 'an unknown action';
  }
}
