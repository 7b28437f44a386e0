import { type Action, Decimal } from '@sluice/client';

/** A borrow order of a loan. Addresses. */
export interface BorrowOrderTarget {
  readonly kind: 'borrowOrder';
  readonly market: string;
  readonly obligation: string;
  /** The order to cancel; null to place a new one. */
  readonly cancelled: number | null;
}

/** The fields of the form, as typed. */
export interface TypedBorrowOrder {
  /** Mint of the token; empty until one is chosen. */
  readonly mint: string;
  /** Tokens. */
  readonly amount: string;
  /** Percent a year. */
  readonly maxRate: string;
  /** Whole days; empty for debts without a term only. */
  readonly minDays: string;
  /** `2027-12-31`: the order can be filled until the end of that day, UTC. */
  readonly until: string;
  readonly rollsOver: boolean;
}

export const NEW_BORROW_ORDER: TypedBorrowOrder = {
  mint: '',
  amount: '',
  maxRate: '',
  minDays: '',
  until: '',
  rollsOver: false,
};

const DAY_SECONDS = 86_400n;
const MOST_RATE_BPS = 2_147_483_647n;

/** The action, or null while something is missing or malformed. */
export function setBorrowOrderOf(
  target: BorrowOrderTarget,
  wallet: string,
  typed: TypedBorrowOrder,
): Action | null {
  const amount = Decimal.parse(typed.amount.trim());
  const rate = bpsOf(typed.maxRate);
  const seconds = secondsOf(typed.minDays);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(typed.until);
  if (typed.mint === '' || amount === null || amount.isNegative || amount.isZero) return null;
  if (rate === null || seconds === null || !isDate) return null;
  return {
    setBorrowOrder: {
      wallet,
      market: target.market,
      obligation: { address: target.obligation },
      mint: typed.mint,
      amount: { tokens: amount.toString() },
      maxBorrowRateBps: rate,
      minTermSeconds: seconds,
      fillableUntil: `${typed.until}T23:59:59.000Z`,
      autoRollover: typed.rollsOver,
    },
  };
}

/** Percent as whole basis points; null for anything else. */
function bpsOf(text: string): number | null {
  const percent = Decimal.parse(text.trim());
  if (percent === null || percent.isNegative || percent.isZero || percent.places > 2) return null;
  const bps = percent.toBaseUnits(2);
  return bps > MOST_RATE_BPS ? null : Number(bps);
}

/** Whole days in seconds; null for anything else. */
function secondsOf(text: string): string | null {
  if (text.trim() === '') return '0';
  return /^\d{1,6}$/.test(text.trim()) ? String(BigInt(text.trim()) * DAY_SECONDS) : null;
}

export function cancelBorrowOrderOf(
  { market, obligation }: BorrowOrderTarget,
  wallet: string,
  index: number,
): Action {
  return { cancelBorrowOrder: { wallet, market, obligation: { address: obligation }, index } };
}
