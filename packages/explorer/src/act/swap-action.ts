import type { Action } from '@sluice/client';
import { typedAmount } from './amount.ts';

/** A deposit or a debt of a loan, or a reserve of its market. */
export interface SwapSide {
  readonly reserve: string;
  readonly symbol: string;
}

/** Positions of a loan that a swap changes. Addresses. */
export interface SwapTarget {
  readonly kind: 'swap';
  readonly market: string;
  readonly obligation: string;
  readonly deposits: readonly SwapSide[];
  readonly debts: readonly SwapSide[];
  /** Fields to start with. */
  readonly start?: Partial<TypedSwap>;
}

/** The swaps in words, by the names of their actions. */
export const SWAPS = {
  repayWithCollateral: 'Repay debt with collateral',
  swapDebt: 'Swap debt',
  swapCollateral: 'Swap collateral',
} as const;

export type SwapKind = keyof typeof SWAPS;

/** Those that the positions of the loan allow. */
export function swapsOf({ deposits, debts }: SwapTarget): readonly SwapKind[] {
  return [
    ...(deposits.length > 0 && debts.length > 0 ? (['repayWithCollateral'] as const) : []),
    ...(debts.length > 0 ? (['swapDebt'] as const) : []),
    ...(deposits.length > 0 ? (['swapCollateral'] as const) : []),
  ];
}

/** The positions that the amount may be of. */
export const fromSides = ({ deposits, debts }: SwapTarget, kind: SwapKind): readonly SwapSide[] =>
  kind === 'swapCollateral' ? deposits : debts;

/** Deposits that can pay for a repayment, or reserves into which a position can be swapped. @param reserves those of the market */
export function toSides(
  { deposits }: SwapTarget,
  kind: SwapKind,
  from: string,
  reserves: readonly SwapSide[],
): readonly SwapSide[] {
  const sides = kind === 'repayWithCollateral' ? deposits : reserves;
  return sides.filter(({ reserve }) => reserve !== from);
}

/** The fields of the form, as typed. */
export interface TypedSwap {
  readonly kind: SwapKind;
  /** Reserves. */
  readonly from: string;
  readonly to: string;
  /** Whole tokens, or `all`. */
  readonly amount: string;
}

const MOST_PLACES = 18;

/** The action, or null while something is missing or malformed. The gateway quotes its swap. */
export function swapOf(
  target: SwapTarget,
  wallet: string,
  { kind, from, to, amount }: TypedSwap,
): Action | null {
  const typed = typedAmount(amount, MOST_PLACES, 'A token');
  const isAll = amount.trim().toLowerCase() === 'all';
  if (from === '' || to === '' || (!isAll && typed.kind !== 'amount')) return null;
  const { market, obligation: address } = target;
  const tokens = typed.kind === 'amount' ? { tokens: typed.amount.toString() } : ({ all: 'ALL' } as const);
  const input = { wallet, market, obligation: { address }, amount: tokens };
  switch (kind) {
    case 'repayWithCollateral':
      return { repayWithCollateral: { ...input, debtReserve: from, collateralReserve: to } };
    case 'swapDebt':
      return { swapDebt: { ...input, repayReserve: from, borrowReserve: to } };
    case 'swapCollateral':
      return { swapCollateral: { ...input, withdrawReserve: from, depositReserve: to } };
  }
}
