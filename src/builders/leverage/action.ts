import type { Address } from '@solana/kit';
import { type Action, once, walletTokenAccount } from '../action.ts';
import type { AmountInput } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { expectedLendingReads, knownOracles } from '../lending/expected-reads.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../lending/obligation-choice.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { type LeverageAccounts, leverageAccounts } from './accounts.ts';
import type { LeverageBuild } from './build.ts';
import { buildMultiply, type MultiplyAmounts } from './multiply.ts';
import { leveragePreview } from './preview.ts';
import { buildRepayWithCollateral } from './repay-with-collateral.ts';
import {
  type CollateralAction,
  checkLeverageSeeds,
  checkLeverageTag,
  firstLeverageReads,
  type LeverageRequest,
  lendingPart,
  secondLeverageReads,
} from './request.ts';
import { checkSwapForm, type SwapLeg } from './swap-leg.ts';

/** Kinds of action in this folder, with their descriptions. */
export const LEVERAGE_ACTIONS = {
  MULTIPLY: 'Deposit own and borrowed tokens, with a swap of the caller inside a flash loan.',
  DELEVERAGE: 'Repay debt of a Multiply or Leverage obligation with its collateral, inside a flash loan.',
  REPAY_WITH_COLLATERAL: 'Repay debt of any obligation with a part of its collateral, inside a flash loan.',
} as const;

/** Input of all actions around a flash loan. */
export interface LeverageActionRequest extends ActionOptions {
  readonly wallet: Address;
  readonly market: Address;
  readonly collateralReserve: Address;
  readonly debtReserve: Address;
  readonly swap: SwapLeg;
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
 * Deposits own and borrowed money, by a flash loan and the caller's swap.
 *
 * @example
 * const target = { wallet, market, collateralReserve, debtReserve, swap };
 * multiplyAction(known, { ...target, deposit: { tokens: ONE }, borrow: { tokens: parseDecimal('150') } });
 */
export function multiplyAction(known: KnownAccounts, request: MultiplyRequest): Action {
  const obligation = request.obligation ?? multiplyObligation(known, request);
  return leverageAction(known, request, obligation, {
    kind: 'MULTIPLY',
    collateralAction: 'deposit',
    build(accounts, read) {
      checkLeverageTag(accounts.request, accounts.lending.obligation);
      checkLeverageSeeds(accounts.request, [accounts.collateral.mint, accounts.debt.mint]);
      return buildMultiply(accounts, request, read, request);
    },
  });
}

/**
 * Repays debt of a Multiply or Leverage obligation with its collateral. All of the debt closes the position.
 *
 * @example
 * deleverageAction(known, { wallet, market, collateralReserve, debtReserve, swap, amount: { all: true } });
 */
export function deleverageAction(known: KnownAccounts, request: DeleverageRequest): Action {
  const obligation = request.obligation ?? multiplyObligation(known, request);
  return leverageAction(known, request, obligation, {
    kind: 'DELEVERAGE',
    collateralAction: 'withdraw',
    build(accounts, read) {
      checkLeverageTag(accounts.request, accounts.lending.obligation);
      const amounts = { repay: request.amount, closes: true };
      return buildRepayWithCollateral(accounts, amounts, read, request);
    },
  });
}

/**
 * Repays debt of any obligation with a part of its collateral.
 *
 * @example
 * const target = { wallet, market, collateralReserve, debtReserve, swap };
 * repayWithCollateralAction(known, { ...target, amount: { tokens: ONE }, obligation: { address } });
 */
export function repayWithCollateralAction(known: KnownAccounts, request: RepayWithCollateralRequest): Action {
  return leverageAction(known, request, request.obligation ?? DEFAULT_OBLIGATION, {
    kind: 'REPAY_WITH_COLLATERAL',
    collateralAction: 'withdraw',
    build: (accounts, read) =>
      buildRepayWithCollateral(accounts, { repay: request.amount, closes: false }, read, request),
  });
}

const MULTIPLY_TAG = 1;

/** The wallet's Multiply obligation with id 0 for the two tokens. */
function multiplyObligation(
  known: KnownAccounts,
  { collateralReserve, debtReserve }: LeverageActionRequest,
): ObligationChoice {
  const [seed1, seed2] = [known.mintOf(collateralReserve), known.mintOf(debtReserve)];
  return { key: { tag: MULTIPLY_TAG, id: 0, seed1, seed2 } };
}

interface Leverage {
  readonly kind: keyof typeof LEVERAGE_ACTIONS;
  readonly collateralAction: CollateralAction;
  readonly build: (accounts: LeverageAccounts, read: ReadAccounts) => LeverageBuild;
}

/** An action around a flash loan of the debt token. */
function leverageAction(
  known: KnownAccounts,
  { wallet, market, collateralReserve, debtReserve, swap }: LeverageActionRequest,
  obligation: ObligationChoice,
  { kind, collateralAction, build }: Leverage,
): Action {
  const { programs } = known;
  checkSwapForm(swap, programs);
  const request: LeverageRequest = {
    programs,
    wallet,
    market,
    obligation,
    collateralReserve,
    debtReserve,
    swap,
    lookupTables: known.tablesOfMarket(market),
    oracles: knownOracles(known, market),
    isShareMint: (mint) => known.isShareMint(mint),
    rewardApys: (reserve, state) => known.rewardApys(reserve, state),
  };
  return {
    wallet,
    named: firstLeverageReads(request, collateralAction),
    expected: expectedLendingReads(known, lendingPart(request, collateralAction)),
    needed: (read) => secondLeverageReads(request, collateralAction, read),
    build(read, at) {
      const accounts = leverageAccounts(request, collateralAction, read, at);
      const built = build(accounts, read);
      const { sequence, amount, all, wrappedSol } = built;
      return {
        kind,
        action: { instructions: sequence.instructions, amount, all, wrappedSol },
        tables: accounts.tables,
        walletTokens: [accounts.collateral, accounts.debt].map(({ token, mint, decimals }) =>
          walletTokenAccount(token, mint, BigInt(decimals)),
        ),
        preview: once(() => leveragePreview(built, read)),
        after: () => sequence.changes,
        fresh: sequence.fresh,
      };
    },
  };
}
