import type { Address } from '@solana/kit';
import { type Action, once, type StepContext, walletTokenAccount } from '../action.ts';
import type { ActionKind } from '../action-kinds.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { expectedLendingReads, knownOracles } from '../lending/expected-reads.ts';
import type { ObligationChoice } from '../lending/obligation-choice.ts';
import type { Preview } from '../preview.ts';
import { distinct, type ReadAccounts } from '../read-accounts.ts';
import type { LoanBuild } from './build.ts';
import {
  firstLoanReads,
  type LendingPair,
  type LoanRequest,
  lendingPart,
  type SwappingRequest,
  secondLoanReads,
} from './request.ts';
import { checkSwapForm, NO_SWAP, type SwapLeg } from './swap-leg.ts';
import type { SwapNeed, SwappingAction } from './swap-need.ts';

export interface LoanTarget {
  readonly wallet: Address;
  readonly market: Address;
  readonly obligation: ObligationChoice;
}

/** What every action around a flash loan asks for. */
function swappingRequest(
  known: KnownAccounts,
  { wallet, market, obligation }: LoanTarget,
  swap: SwapLeg,
): SwappingRequest {
  return {
    programs: known.programs,
    wallet,
    market,
    obligation,
    swap,
    lookupTables: known.tablesOfMarket(market),
    oracles: knownOracles(known, market),
    isShareMint: (mint) => known.isShareMint(mint),
    rewardApys: (reserve, state) => known.rewardApys(reserve, state),
  };
}

interface LoanDefinition<R extends LoanRequest> {
  readonly kind: ActionKind;
  readonly pair: LendingPair;
  /** Adds the reserves. */
  readonly requestOf: (request: SwappingRequest) => R;
  readonly need: (request: R, read: ReadAccounts, at: StepContext) => SwapNeed;
  readonly build: (
    request: R,
    read: ReadAccounts,
    at: StepContext,
  ) => { readonly built: LoanBuild; readonly preview: () => Preview };
}

/** Defines an action around a flash loan, which needs a swap. */
export function swappingAction<R extends LoanRequest>(
  known: KnownAccounts,
  target: LoanTarget,
  definition: LoanDefinition<R>,
): SwappingAction {
  const requestWith = (swap: SwapLeg) => definition.requestOf(swappingRequest(known, target, swap));
  const withoutSwap = requestWith(NO_SWAP);
  return {
    ...loanReads(known, withoutSwap, definition.pair),
    need: (read, at) => definition.need(withoutSwap, read, at),
    withSwap(swap) {
      checkSwapForm(swap, known.programs);
      return loanAction(known, requestWith(swap), definition);
    },
  };
}

const loanReads = (known: KnownAccounts, request: LoanRequest, pair: LendingPair) => ({
  wallet: request.wallet,
  named: firstLoanReads(request, pair),
  expected: distinct(pair.flatMap((action) => expectedLendingReads(known, lendingPart(request, action)))),
  needed: (read: ReadAccounts) => secondLoanReads(request, pair, read),
});

function loanAction<R extends LoanRequest>(
  known: KnownAccounts,
  request: R,
  { kind, pair, build }: LoanDefinition<R>,
): Action {
  return {
    ...loanReads(known, request, pair),
    build(read, at) {
      const { built, preview } = build(request, read, at);
      const { accounts, sequence, amount, all, wrappedSol } = built;
      return {
        kind,
        action: { instructions: sequence.instructions, amount, all, wrappedSol },
        tables: accounts.tables,
        walletTokens: accounts.sides.map(({ token, mint, decimals }) =>
          walletTokenAccount(token, mint, BigInt(decimals)),
        ),
        preview: once(preview),
        after: () => sequence.changes,
        fresh: sequence.fresh,
      };
    },
  };
}
