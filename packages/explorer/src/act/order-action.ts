import { type Action, Decimal } from '@sluice/client';
import { typedAmount } from './amount.ts';

/** An order of a loan. Addresses. */
export interface OrderTarget {
  readonly kind: 'order';
  readonly market: string;
  readonly obligation: string;
  /** The order to cancel; null to set a new one. */
  readonly cancelled: number | null;
  /** Debts of the loan: the amount of an order is in tokens of the only one. Null when there are several. */
  readonly debtSymbol: string | null;
}

/** The conditions of orders in words, by the gateway's names. */
export const WATCHED = {
  LTV_ABOVE: { name: 'Loan to value rises above', isPercent: true },
  LTV_BELOW: { name: 'Loan to value falls below', isPercent: true },
  LIQUIDATION_LTV_CLOSER_THAN: { name: 'Loan to value comes closer to liquidation than', isPercent: true },
  PRICE_RATIO_ABOVE: { name: 'Price of the debt in collateral rises above', isPercent: false },
  PRICE_RATIO_BELOW: { name: 'Price of the debt in collateral falls below', isPercent: false },
} as const;

export type Watched = keyof typeof WATCHED;

/** The fields of the form, as typed. */
export interface TypedOrder {
  readonly condition: Watched;
  /** Percent, or a ratio of prices. */
  readonly threshold: string;
  /** Tokens of the debt; empty for all debts. */
  readonly amount: string;
  /** Percent. */
  readonly minBonus: string;
  readonly maxBonus: string;
}

/** A stop-loss at a bonus that liquidators usually take. */
export const NEW_ORDER: TypedOrder = {
  condition: 'LTV_ABOVE',
  threshold: '',
  amount: '',
  minBonus: '0.5',
  maxBonus: '2',
};

const HUNDRED = Decimal.of('100');
/** As exact as the program stores a threshold. */
const PLACES = 15;

/** The action, or null while something is missing or malformed. */
export function setOrderOf(target: OrderTarget, wallet: string, typed: TypedOrder): Action | null {
  const { condition } = typed;
  const threshold = typedAmount(typed.threshold, PLACES, 'A threshold');
  const [min, max] = [bpsOf(typed.minBonus), bpsOf(typed.maxBonus)];
  if (threshold.kind !== 'amount' || min === null || max === null) return null;
  const amount = typed.amount.trim() === '' ? ({ all: 'ALL' } as const) : { tokens: typed.amount.trim() };
  if ('tokens' in amount && Decimal.parse(amount.tokens) === null) return null;
  const isPercent = WATCHED[condition].isPercent;
  return {
    setObligationOrder: {
      wallet,
      market: target.market,
      obligation: { address: target.obligation },
      condition,
      threshold: (isPercent ? threshold.amount.dividedBy(HUNDRED, PLACES + 2) : threshold.amount).toString(),
      amount,
      minBonusBps: min,
      maxBonusBps: max,
    },
  };
}

/** Percent as whole basis points; null for anything else. */
function bpsOf(text: string): number | null {
  const percent = Decimal.parse(text.trim());
  if (percent === null || percent.isNegative || percent.places > 2) return null;
  return Number(percent.toBaseUnits(2));
}

export function cancelOrderOf({ market, obligation }: OrderTarget, wallet: string, index: number): Action {
  return { cancelObligationOrder: { wallet, market, obligation: { address: obligation }, index } };
}
