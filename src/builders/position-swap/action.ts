import type { Address } from '@solana/kit';
import type { AmountInput } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../lending/obligation-choice.ts';
import type { LoanBuild } from '../leverage/build.ts';
import { swappingAction } from '../leverage/loan-action.ts';
import type { LendingPair, PositionSwapRequest } from '../leverage/request.ts';
import type { SwapNeed, SwappingAction } from '../leverage/swap-need.ts';
import type { PreviewPosition } from '../preview.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { COLLATERAL_PAIR, DEBT_PAIR, type PositionSwapAccounts, positionSwapAccounts } from './accounts.ts';
import { positionSwapPreview } from './preview.ts';
import { buildSwapCollateral, swapCollateralNeed } from './swap-collateral.ts';
import { buildSwapDebt, swapDebtNeed } from './swap-debt.ts';

/** Kinds of action in this folder, with their descriptions. */
export const POSITION_SWAP_ACTIONS = {
  SWAP_DEBT: 'Replace debt in one reserve by debt in another one, with a swap inside a flash loan.',
  SWAP_COLLATERAL:
    'Replace collateral in one reserve by collateral in another one, with a swap inside a flash loan.',
} as const;

interface PositionSwapActionRequest extends ActionOptions {
  readonly wallet: Address;
  readonly market: Address;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
}

export interface SwapDebtRequest extends PositionSwapActionRequest {
  readonly repayReserve: Address;
  readonly borrowReserve: Address;
  /** Debt of the first reserve to repay. */
  readonly amount: AmountInput;
}

export interface SwapCollateralRequest extends PositionSwapActionRequest {
  readonly withdrawReserve: Address;
  readonly depositReserve: Address;
  /** Collateral of the first reserve to withdraw. */
  readonly amount: AmountInput;
}

/**
 * Replaces debt in one reserve by debt in another one. The collateral stays.
 *
 * @example
 * const target = { wallet, market, repayReserve, borrowReserve };
 * swapDebtAction(known, { ...target, amount: { all: true } }).withSwap(swap);
 */
export function swapDebtAction(known: KnownAccounts, asked: SwapDebtRequest): SwappingAction {
  const reserves = { oldReserve: asked.repayReserve, newReserve: asked.borrowReserve };
  return positionSwapAction(known, asked, reserves, {
    kind: 'SWAP_DEBT',
    pair: DEBT_PAIR,
    side: 'DEBT',
    need: (accounts) => swapDebtNeed(accounts, asked.amount),
    build: (accounts, read) => buildSwapDebt(accounts, asked.amount, read, asked),
  });
}

/**
 * Replaces collateral in one reserve by collateral in another one. The debts stay.
 *
 * @example
 * const target = { wallet, market, withdrawReserve, depositReserve };
 * swapCollateralAction(known, { ...target, amount: { tokens: ONE } }).withSwap(swap);
 */
export function swapCollateralAction(known: KnownAccounts, asked: SwapCollateralRequest): SwappingAction {
  const reserves = { oldReserve: asked.withdrawReserve, newReserve: asked.depositReserve };
  return positionSwapAction(known, asked, reserves, {
    kind: 'SWAP_COLLATERAL',
    pair: COLLATERAL_PAIR,
    side: 'DEPOSIT',
    need: (accounts, read) => swapCollateralNeed(accounts, asked.amount, read),
    build: (accounts, read) => buildSwapCollateral(accounts, asked.amount, read, asked),
  });
}

interface PositionSwap {
  readonly kind: keyof typeof POSITION_SWAP_ACTIONS;
  readonly pair: LendingPair;
  readonly side: PreviewPosition['side'];
  readonly need: (accounts: PositionSwapAccounts, read: ReadAccounts) => SwapNeed;
  readonly build: (accounts: PositionSwapAccounts, read: ReadAccounts) => LoanBuild;
}

function positionSwapAction(
  known: KnownAccounts,
  { wallet, market, obligation = DEFAULT_OBLIGATION }: PositionSwapActionRequest,
  reserves: Pick<PositionSwapRequest, 'oldReserve' | 'newReserve'>,
  { kind, pair, side, need, build }: PositionSwap,
): SwappingAction {
  return swappingAction<PositionSwapRequest>(
    known,
    { wallet, market, obligation },
    {
      kind,
      pair,
      requestOf: (request) => ({ ...request, ...reserves }),
      need: (request, read, at) => need(positionSwapAccounts(request, pair, read, at), read),
      build(request, read, at) {
        const built = build(positionSwapAccounts(request, pair, read, at), read);
        return { built, preview: () => positionSwapPreview(built, side, read) };
      },
    },
  );
}
