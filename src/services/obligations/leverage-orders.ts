import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import type { Address } from '@solana/kit';
import { shortened } from '../../builders/shortened.ts';
import type { View } from '../../chain/view/view.ts';
import { activeBorrows } from '../../domain/obligation.ts';
import { isActiveOrder, type OrderTerms, orderTerms } from '../../domain/obligation-orders.ts';
import {
  type OrderHindrance,
  type OrderOutlook,
  orderOutlook,
  type TriggerPrice,
} from '../../domain/order-outlook.ts';
import { orderInWords, outlookInWords } from '../../domain/order-words.ts';
import type { ObligationRecord } from '../request/records.ts';
import { reserveDenomination } from '../reserves/reserves.ts';
import { denominationOf, type TokenAmount, tokenAmount } from '../tokens/amounts.ts';
import { tokenSymbol } from '../tokens/tokens.ts';
import type { ValuedObligation } from './obligations.ts';

export { NO_TRIGGER_PRICES, ORDER_HINDRANCES } from '../../domain/order-outlook.ts';
export type { OrderHindrance, TriggerPrice };

/** An order to change the leverage of an obligation, its place in it, and what would trigger it. */
export interface PlacedOrder extends OrderTerms {
  /** 0 or 1. */
  readonly index: number;
  /** The amount of the debt that it names. Null where it names none, or the token is unknown. */
  readonly debtAmount: TokenAmount | null;
  /** Null when the market cannot be read. */
  readonly outlook: OrderOutlook | null;
  /** One sentence with condition, action and bonus. */
  readonly description: string;
  /** What is watched now, and what would trigger the order. Null without an outlook. */
  readonly trigger: string | null;
}

/** The active orders to change the leverage, by index. */
export function leverageOrders({ view, record, market, positions, stats }: ValuedObligation): PlacedOrder[] {
  return record.value.obligationOrders.flatMap((stored, index) => {
    if (!isActiveOrder(stored)) return [];
    const terms = orderTerms(stored);
    const debtAmount = orderAmount(view, record.value, terms);
    const outlook = market && positions && orderOutlook(terms, market.value, positions, stats);
    return [
      {
        ...terms,
        index,
        debtAmount,
        outlook,
        description: orderInWords(terms, amountInWords(terms, debtAmount, view)),
        trigger: outlook && outlookInWords(terms, outlook, (reserve) => symbolIn(view, reserve)),
      },
    ];
  });
}

/** Before klend 1.26 an order with an amount names no token: it is that of the only debt. */
function orderAmount(
  view: View,
  value: ObligationRecord['value'],
  { amount, debtMint }: OrderTerms,
): TokenAmount | null {
  if (amount === null) return null;
  if (debtMint !== null) {
    const decimals = view.get('mint', debtMint)?.value.decimals;
    return decimals === undefined
      ? null
      : tokenAmount(view, denominationOf(view, debtMint, decimals), amount);
  }
  const [debt, ...others] = activeBorrows(value);
  const reserve = debt && others.length === 0 ? view.get('reserve', debt.borrowReserve) : undefined;
  return reserve === undefined ? null : tokenAmount(view, reserveDenomination(view, reserve), amount);
}

function amountInWords({ amount }: OrderTerms, debtAmount: TokenAmount | null, view: View): string {
  return debtAmount === null
    ? `${amount?.floor() ?? 0n} base units of the debt`
    : `${toDecimalString(debtAmount.amount)} ${tokenSymbol(view, debtAmount.mint)}`;
}

function symbolIn(view: View, reserve: Address): string {
  const record = view.get('reserve', reserve);
  return record === undefined ? shortened(reserve) : tokenSymbol(view, record.value.liquidity.mintPubkey);
}
