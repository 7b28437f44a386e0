import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Action, FirstReads, StepContext } from '../action.ts';
import { priceAtRefresh } from '../lending/accounts.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import type { LoanAccounts, LoanSide } from './accounts.ts';
import type { SwapLeg } from './swap-leg.ts';

/** Base units: all that a swap spends, or the least that it must pay. */
export type NeededAmount = { readonly spend: bigint } | { readonly receive: bigint };

/** The swap that an action needs. */
export interface SwapNeed {
  readonly sold: PricedSide;
  readonly bought: PricedSide;
  readonly amount: NeededAmount;
}

export interface PricedSide extends LoanSide {
  /** Price of the oracle per whole token; null when it is unknown. */
  readonly priceUsd: Rational | null;
}

/** An action around a flash loan whose swap is still missing. */
export interface SwappingAction extends FirstReads, Pick<Action, 'wallet' | 'needed'> {
  /** Throws when the action cannot be built with any swap. */
  readonly need: (read: ReadAccounts, at: StepContext) => SwapNeed;
  /** @throws SluiceError SWAP_REFUSED */
  readonly withSwap: (swap: SwapLeg) => Action;
}

export function swapNeed(
  { lending, at }: LoanAccounts,
  sold: LoanSide,
  bought: LoanSide,
  amount: NeededAmount,
): SwapNeed {
  const priced = (side: LoanSide): PricedSide => ({
    ...side,
    priceUsd: priceAtRefresh(lending, side.reserve, at.moment.timestamp)?.usd ?? null,
  });
  return { sold: priced(sold), bought: priced(bought), amount };
}
