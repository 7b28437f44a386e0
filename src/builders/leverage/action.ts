import { multiplyObligation } from '@sluice/protocol/klend/addresses';
import type { Address } from '@solana/kit';
import type { StepContext } from '../action.ts';
import type { AmountInput } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../lending/obligation-choice.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { type LeverageAccounts, leverageAccounts } from './accounts.ts';
import type { LeverageBuild } from './build.ts';
import { swappingAction } from './loan-action.ts';
import { buildMultiply, type MultiplyAmounts, multiplyNeed } from './multiply.ts';
import { leveragePreview } from './preview.ts';
import {
  buildRepayWithCollateral,
  repayWithCollateralNeed,
  type UnwindAmounts,
} from './repay-with-collateral.ts';
import {
  type CollateralAction,
  checkLeverageSeeds,
  checkLeverageTag,
  type LeverageRequest,
  leveragePair,
} from './request.ts';
import type { SwapNeed, SwappingAction } from './swap-need.ts';

/** Kinds of action in this folder, with their descriptions. */
export const LEVERAGE_ACTIONS = {
  MULTIPLY: 'Deposit own and borrowed tokens, with a swap inside a flash loan.',
  DELEVERAGE: 'Repay debt of a Multiply or Leverage obligation with its collateral, inside a flash loan.',
  REPAY_WITH_COLLATERAL: 'Repay debt of any obligation with a part of its collateral, inside a flash loan.',
} as const;

/** Input of all actions around a flash loan. */
export interface LeverageActionRequest extends ActionOptions {
  readonly wallet: Address;
  readonly market: Address;
  readonly collateralReserve: Address;
  readonly debtReserve: Address;
}

export interface MultiplyRequest extends LeverageActionRequest, MultiplyAmounts {
  /** By default the Multiply obligation with id 0 for the two tokens. */
  readonly obligation?: ObligationChoice;
}

export interface DeleverageRequest extends LeverageActionRequest {
  /** Debt to repay; "all" closes the position. */
  readonly amount: AmountInput;
  /** By default the Multiply obligation with id 0 for the two tokens. */
  readonly obligation?: ObligationChoice;
}

export interface RepayWithCollateralRequest extends LeverageActionRequest {
  /** Debt to repay. */
  readonly amount: AmountInput;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
}

/**
 * Deposits own and borrowed money, by a flash loan and a swap.
 *
 * @example
 * const target = { wallet, market, collateralReserve, debtReserve };
 * const amounts = { deposit: { tokens: ONE }, borrow: { tokens: parseDecimal('150') } };
 * multiplyAction(known, { ...target, ...amounts }).withSwap(swap);
 */
export function multiplyAction(known: KnownAccounts, request: MultiplyRequest): SwappingAction {
  const obligation = request.obligation ?? ofBothTokens(known, request);
  const check = ({ request: { obligation }, lending, collateral, debt }: LeverageAccounts) => {
    checkLeverageTag({ obligation }, lending.obligation);
    checkLeverageSeeds({ obligation }, [collateral.mint, debt.mint]);
  };
  return leverageAction(known, request, obligation, {
    kind: 'MULTIPLY',
    collateralAction: 'deposit',
    check,
    need: (accounts) => multiplyNeed(accounts, request),
    build: (accounts, read) => buildMultiply(accounts, request, read, request),
  });
}

/**
 * Repays debt of a Multiply or Leverage obligation with its collateral. All of the debt closes the position.
 *
 * @example
 * deleverageAction(known, { wallet, market, collateralReserve, debtReserve, amount: { all: true } }).withSwap(swap);
 */
export function deleverageAction(known: KnownAccounts, request: DeleverageRequest): SwappingAction {
  const obligation = request.obligation ?? ofBothTokens(known, request);
  return leverageAction(known, request, obligation, {
    kind: 'DELEVERAGE',
    collateralAction: 'withdraw',
    check: ({ request, lending }) => checkLeverageTag(request, lending.obligation),
    ...repayment({ repay: request.amount, closes: true }, request),
  });
}

/**
 * Repays debt of any obligation with a part of its collateral.
 *
 * @example
 * const target = { wallet, market, collateralReserve, debtReserve };
 * repayWithCollateralAction(known, { ...target, amount: { tokens: ONE }, obligation: { address } }).withSwap(swap);
 */
export function repayWithCollateralAction(
  known: KnownAccounts,
  request: RepayWithCollateralRequest,
): SwappingAction {
  return leverageAction(known, request, request.obligation ?? DEFAULT_OBLIGATION, {
    kind: 'REPAY_WITH_COLLATERAL',
    collateralAction: 'withdraw',
    check: () => undefined,
    ...repayment({ repay: request.amount, closes: false }, request),
  });
}

const repayment = (amounts: UnwindAmounts, options: ActionOptions): Pick<Leverage, 'need' | 'build'> => ({
  need: (accounts) => repayWithCollateralNeed(accounts, amounts),
  build: (accounts, read) => buildRepayWithCollateral(accounts, amounts, read, options),
});

/** The wallet's Multiply obligation with id 0 for the two tokens. */
const ofBothTokens = (
  known: KnownAccounts,
  { collateralReserve, debtReserve }: LeverageActionRequest,
): ObligationChoice => ({
  key: multiplyObligation(known.mintOf(collateralReserve), known.mintOf(debtReserve)),
});

interface Leverage {
  readonly kind: keyof typeof LEVERAGE_ACTIONS;
  readonly collateralAction: CollateralAction;
  /** Refuses an obligation that is not for the action. */
  readonly check: (accounts: LeverageAccounts) => void;
  readonly need: (accounts: LeverageAccounts) => SwapNeed;
  readonly build: (accounts: LeverageAccounts, read: ReadAccounts) => LeverageBuild;
}

/** An action on a deposit and a debt, around a flash loan of the debt token. */
function leverageAction(
  known: KnownAccounts,
  { wallet, market, collateralReserve, debtReserve }: LeverageActionRequest,
  obligation: ObligationChoice,
  { kind, collateralAction, check, need, build }: Leverage,
): SwappingAction {
  const accountsOf = (request: LeverageRequest, read: ReadAccounts, at: StepContext) => {
    const accounts = leverageAccounts(request, collateralAction, read, at);
    check(accounts);
    return accounts;
  };
  return swappingAction<LeverageRequest>(
    known,
    { wallet, market, obligation },
    {
      kind,
      pair: leveragePair(collateralAction),
      requestOf: (request) => ({ ...request, collateralReserve, debtReserve }),
      need: (request, read, at) => need(accountsOf(request, read, at)),
      build(request, read, at) {
        const built = build(accountsOf(request, read, at), read);
        return { built, preview: () => leveragePreview(built, read) };
      },
    },
  );
}
