import type { Action } from '@sluice/client';
import { typedAmount } from './amount.ts';

/** A debt or a deposit to choose. */
export interface PositionOption {
  readonly reserve: string;
  /** Null when the reserve cannot be read. */
  readonly symbol: string | null;
}

/** A loan of which debt is repaid and collateral withdrawn at once. Addresses. */
export interface RepayWithdrawTarget {
  readonly kind: 'repay-withdraw';
  readonly market: string;
  readonly obligation: string;
  /** At least one of each. */
  readonly debts: readonly [PositionOption, ...PositionOption[]];
  readonly deposits: readonly [PositionOption, ...PositionOption[]];
}

/** The fields of the form, as typed. */
export interface TypedRepayWithdraw {
  readonly debt: string;
  readonly repay: string;
  readonly deposit: string;
  readonly withdraw: string;
}

/** As exact as any token. The gateway refuses what a mint cannot express. */
const PLACES = 18;

const ALL = 'all';

/** The action, or null while an amount is missing or malformed. `all` is everything. */
export function repayWithdrawOf(
  { market, obligation }: RepayWithdrawTarget,
  wallet: string,
  typed: TypedRepayWithdraw,
): Action | null {
  const [repay, withdraw] = [amountOf(typed.repay), amountOf(typed.withdraw)];
  if (repay === null || withdraw === null) return null;
  return {
    repayAndWithdraw: {
      wallet,
      market,
      obligation: { address: obligation },
      repayReserve: typed.debt,
      withdrawReserve: typed.deposit,
      repay,
      withdraw,
    },
  };
}

function amountOf(text: string) {
  if (text.trim().toLowerCase() === ALL) return { all: 'ALL' } as const;
  const typed = typedAmount(text, PLACES, 'A token');
  return typed.kind === 'amount' ? { tokens: typed.amount.toString() } : null;
}
