import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { BorrowOrder } from '@sluice/protocol/klend/obligation';
import { integer } from '@sluice/protocol/numeric/rational';
import { toTokens } from '../../domain/arithmetic.ts';
import { bpsInWords } from '../../domain/borrow-order-words.ts';
import { borrowOrderMisfit, highestBorrowRateBps, isBelowOrderMinimum } from '../../domain/borrow-orders.ts';
import { refusal } from '../orders/refusals.ts';
import { type Change, NO_FIGURES, type Preview } from '../preview.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import {
  type BorrowOrderAccounts,
  describedOrder,
  fittingReserves,
  placedOrder,
  type TokenReserve,
  tokensInWords,
} from './accounts.ts';

/** A new or changed order. */
export interface SetOrder {
  readonly index: number;
  /** Null for a new order. */
  readonly before: BorrowOrder | null;
  readonly order: BorrowOrder;
  /** Values the order. */
  readonly reserve: TokenReserve;
}

/** What is still to be borrowed, in whole tokens. */
export function remainingChange(
  { value }: TokenReserve,
  before: BorrowOrder | null,
  after: BorrowOrder | null,
): Change {
  const tokens = (order: BorrowOrder | null) =>
    toTokens(integer(order?.remainingDebtAmount ?? 0n), value.liquidity.mintDecimals);
  return { before: tokens(before), after: tokens(after) };
}

/** The outcome of a new order, or of other terms: what it says, and who could fill it. */
export function setPreview(accounts: BorrowOrderAccounts, set: SetOrder, timestamp: bigint): Preview {
  const { market, reserves } = accounts;
  const { index, before, order, reserve } = set;
  const described = before && describedOrder(accounts.symbolOf, reserve.value, before);
  const fitting = fittingReserves(reserves, market, order, timestamp);
  return {
    ...NO_FIGURES,
    borrowOrder: {
      index,
      before: described,
      after: describedOrder(accounts.symbolOf, reserve.value, order),
      remaining: remainingChange(reserve, before, order),
      received: null,
      reserves: fitting.map(({ address }) => address),
    },
    warnings: [
      ...marketRefusals(market, before === null),
      ...tooSmall(accounts, set),
      ...(described === null
        ? []
        : [warning('ORDER_REPLACED', `Borrow order ${index} is changed. Before: ${described}`)]),
      ...unfillable(accounts, order, fitting, timestamp),
    ],
  };
}

/** The outcome of a cancellation. */
export function cancelPreview(accounts: BorrowOrderAccounts, index: number): Preview {
  const cancelled = placedOrder(accounts.obligation, index);
  const [reserve] = accounts.reserves;
  return {
    ...NO_FIGURES,
    borrowOrder: {
      index,
      before: cancelled && describedOrder(accounts.symbolOf, reserve.value, cancelled),
      after: null,
      remaining: remainingChange(reserve, cancelled, null),
      received: null,
      reserves: [],
    },
    warnings: marketRefusals(accounts.market, false),
  };
}

/** Refusals of the program that the order has no part in. */
function marketRefusals(market: LendingMarket, isCreated: boolean): BuildWarning[] {
  if (market.emergencyMode !== 0) return [refusal('GlobalEmergencyMode')];
  return isCreated && market.borrowOrderCreationEnabled === 0 ? [refusal('OrderCreationDisabled')] : [];
}

/** The program compares with the price that the reserve has stored. */
function tooSmall(
  { market, symbolOf }: BorrowOrderAccounts,
  { order, reserve: { value } }: SetOrder,
): BuildWarning[] {
  const { remainingDebtAmount } = order;
  if (!isBelowOrderMinimum(market, value, remainingDebtAmount, value.liquidity.marketPriceSf)) return [];
  const message = `${tokensInWords(symbolOf, value, remainingDebtAmount)} are worth less than the market's minimum of ${market.minBorrowOrderFillValue} USD. Raise the amount. The program answers 6153 BorrowOrderValueTooSmall.`;
  return [warning('AMOUNT_BELOW_MINIMUM', message)];
}

function unfillable(
  { reserves, market }: BorrowOrderAccounts,
  order: BorrowOrder,
  fitting: readonly TokenReserve[],
  timestamp: bigint,
): BuildWarning[] {
  const because = (reason: string) => [warning('BORROW_ORDER_UNFILLABLE', reason)];
  if (market.borrowOrderExecutionEnabled === 0) {
    return because(
      'The market has switched off the filling of borrow orders. The order waits until that ends.',
    );
  }
  const isRolledOver = order.enableAutoRolloverOnFilledBorrows !== 0;
  if (isRolledOver && market.obligationBorrowRolloverConfigurationEnabled === 0) {
    return because(
      'The market has switched off rollovers, so an order with one cannot be filled. Place it without.',
    );
  }
  if (fitting.length > 0) return [];
  const isTooDear = ({ value }: TokenReserve) =>
    borrowOrderMisfit(order, value.config, timestamp) === 'RATE_TOO_HIGH';
  const rates = reserves.filter(isTooDear).map(({ value }) => highestBorrowRateBps(value.config));
  const lowest =
    rates.length === 0 ? '' : `: the lowest maximum of their rates is ${bpsInWords(Math.min(...rates))}`;
  return because(
    `No reserve of the market lends the token on these terms now${rates.length === reserves.length ? lowest : ''}. The order waits for one, or choose other terms.`,
  );
}
