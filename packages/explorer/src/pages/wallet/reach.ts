import { Decimal } from '@sluice/client';
import type { Verb } from '../../act/action.ts';
import type { HealthAction, HealthTarget } from './reach-documents.ts';

export const HEALTH_VERBS: Readonly<Record<HealthAction, Verb>> = {
  REPAY: 'repay',
  DEPOSIT: 'deposit',
  WITHDRAW: 'withdraw',
};

/** Why there is no amount, or what bounds it. */
export const TARGET_LIMITS: Readonly<Record<NonNullable<HealthTarget['limit']>, string>> = {
  ALREADY_REACHED: 'The loan is at this health already, or above it.',
  BORROW_LIMIT: 'The debt would exceed the borrow limit of what remains.',
  DEPOSIT_LIMIT: 'The deposit limit of the reserve would be exceeded.',
  LIQUIDITY: 'The reserve does not have the liquidity.',
  MINIMUM_VALUE: 'What remains would be worth less than the market allows.',
  NOTHING_TO_SPARE: 'The loan is below this health already, so that nothing can be withdrawn.',
  NOT_ALLOWED: 'The market, the reserve or the state of the loan does not allow it.',
  NOT_COLLATERAL: 'A deposit of this token does not raise the health.',
  NO_DEBT: 'The loan has no debt, and so no health factor.',
  NO_POSITION: 'The loan has no such position.',
  OUTFLOW: 'The reserve has reached its cap on outflow for now.',
  POSITION: 'The whole position, and no more.',
  PRICE_REFUSED: 'The lending program does not accept a price now.',
  PRICE_UNKNOWN: 'A price is unknown, or a reserve cannot be read.',
};

export interface ReserveOption {
  readonly reserve: string;
  /** Null when the reserve cannot be read. */
  readonly symbol: string | null;
}

interface Side {
  readonly reserveAddress: string;
  readonly reserve: { readonly token: { readonly symbol: string } } | null;
}

/** Reserves in which an action can be done: those of the debts, or those of the deposits. */
export function reserveOptions(
  { deposits, borrows }: { readonly deposits: readonly Side[]; readonly borrows: readonly Side[] },
  by: HealthAction,
): readonly ReserveOption[] {
  return (by === 'REPAY' ? borrows : deposits).map(({ reserve, reserveAddress }) => ({
    reserve: reserveAddress,
    symbol: reserve?.token.symbol ?? null,
  }));
}

const LARGEST = Decimal.of('1000000');

/** A health factor that was typed. Null when it is none. */
export function typedHealth(text: string): string | null {
  const health = Decimal.parse(text.trim());
  if (health === null || health.isNegative || health.isZero || health.compare(LARGEST) > 0) return null;
  return health.toString();
}
