import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { isActiveOrder, type OrderTerms } from '../../domain/obligation-orders.ts';
import { liquidationRatio, type OrderHindrance, storedLiquidationLtv } from '../../domain/order-outlook.ts';
import { hindranceInWords, inDigits, inPercent } from '../../domain/order-words.ts';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import { lendingError } from '../program-errors.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { OrderAccounts, ValuedPositions } from './accounts.ts';
import { ORDER_SLOTS } from './request.ts';

export function cannotTrigger(reason: string): CodedError {
  return new SluiceError('ORDER_CANNOT_TRIGGER', { reason });
}

/** Refuses an order that nothing can execute. A pause of everything that prices trigger is only a warning. */
export function refuseHindered(
  hindrance: OrderHindrance | null,
  terms: OrderTerms,
  { positions, stats }: ValuedPositions,
): void {
  if (hindrance === null || hindrance === 'PRICE_TRIGGERS_DISABLED') return;
  if (hindrance === 'LIQUIDATED_FIRST' && stats !== null) {
    const limit =
      terms.condition === 'PRICE_RATIO_ABOVE'
        ? `a ratio of prices of ${inDigits(liquidationRatio(positions, stats) ?? storedLiquidationLtv(stats))}`
        : `a loan-to-value of ${inPercent(storedLiquidationLtv(stats))}`;
    throw cannotTrigger(
      `the obligation is liquidated from ${limit}, before the order; choose a lower threshold`,
    );
  }
  throw cannotTrigger(inClause(hindranceInWords(hindrance)));
}

/** A sentence as the rest of one. */
const inClause = (sentence: string) => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1, -1)}`;

/** The slot for a new order: the first empty one. @throws BUILD_REFUSED when both are used */
export function freeIndex({ obligation }: OrderAccounts): number {
  const index = obligation.obligationOrders.findIndex((order) => !isActiveOrder(order));
  if (index >= 0) return index;
  const reason = `the obligation has ${ORDER_SLOTS} orders already; name the index of the one to replace, or cancel one`;
  throw new SluiceError('BUILD_REFUSED', { reason });
}

/** Refusals of the program, in the order of its checks. */
export function marketRefusals(market: LendingMarket, isCreated: boolean): BuildWarning[] {
  if (market.emergencyMode !== 0) return [refusal('GlobalEmergencyMode')];
  return isCreated && market.obligationOrderCreationEnabled === 0 ? [refusal('OrderCreationDisabled')] : [];
}

/** A refusal of the lending program, by the name of its error. */
export function refusal(name: string): BuildWarning {
  const { number, advice } = lendingError(name);
  return warning('ACTION_NOT_ALLOWED', `${advice} The program answers ${number} ${name}.`);
}
