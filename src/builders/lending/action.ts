import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { type Action, type Build, type ObligationReferences, once, walletTokenAccount } from '../action.ts';
import { type Amount, type AmountInput, toBaseUnits } from '../amount.ts';
import type { ActionOptions, BuiltAction } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { type LendingAccounts, lendingAccounts } from './accounts.ts';
import { buildLendingBorrow } from './borrow.ts';
import { lendingChanges } from './changes.ts';
import { buildLendingDeposit } from './deposit.ts';
import { expectedLendingReads, knownOracles } from './expected-reads.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from './obligation-choice.ts';
import { lendingOutcome, lendingPreview } from './preview.ts';
import { freshAfter } from './refresh.ts';
import { buildLendingRepay } from './repay.ts';
import {
  farmModeOf,
  firstLendingReads,
  type LendingAction,
  type LendingRequest,
  obligationReads,
  secondLendingReads,
} from './request.ts';
import { lendingAmountRules } from './terms.ts';
import { lendingWarnings } from './warnings.ts';
import { buildLendingWithdraw } from './withdraw.ts';

/** Kinds of action in this folder, with their descriptions. */
export const LENDING_ACTIONS = {
  LENDING_DEPOSIT: 'Deposit into a reserve.',
  LENDING_BORROW: 'Borrow from a reserve.',
  LENDING_REPAY: 'Repay a debt to a reserve.',
  LENDING_WITHDRAW: 'Withdraw a deposit from a reserve.',
} as const;

export interface LendingActionRequest extends ActionOptions {
  readonly action: LendingAction;
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly amount: AmountInput;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
}

const KINDS = {
  deposit: 'LENDING_DEPOSIT',
  borrow: 'LENDING_BORROW',
  repay: 'LENDING_REPAY',
  withdraw: 'LENDING_WITHDRAW',
} as const satisfies Record<LendingAction, keyof typeof LENDING_ACTIONS>;

/**
 * A deposit, borrow, repayment or withdrawal of an obligation.
 *
 * @example
 * lendingAction(known, { action: 'borrow', wallet, market, reserve, amount: { tokens: parseDecimal('250') } });
 */
export function lendingAction(known: KnownAccounts, request: LendingActionRequest): Action {
  const { action, wallet, market, reserve, amount, obligation = DEFAULT_OBLIGATION } = request;
  const kind = KINDS[action];
  const lending: LendingRequest = {
    action,
    wallet,
    market,
    reserve,
    obligation,
    lookupTables: known.tablesOfMarket(market),
    oracles: knownOracles(known, market),
    programs: known.programs,
  };
  return {
    wallet,
    named: firstLendingReads(lending),
    expected: expectedLendingReads(known, lending),
    needed: (read) => secondLendingReads(lending, read),
    build(read, { slot, moment, payer, fresh }) {
      const accounts = lendingAccounts(lending, read, slot, payer, fresh);
      const build = buildLending(accounts, amount, moment, request);
      const { mintPubkey, mintDecimals } = accounts.reserve.liquidity;
      return {
        kind,
        action: build.action,
        tables: accounts.tables,
        walletTokens: [walletTokenAccount(accounts.token, mintPubkey, mintDecimals)],
        preview: once(() => build.preview()),
        after: once(() => build.after(read)),
        fresh: build.fresh(fresh),
        about: {
          account: accounts.obligationAddress,
          pool: reserve,
          side: farmModeOf(action) === 0 ? 'deposit' : 'debt',
        },
        references: referencesOf(accounts),
      };
    },
  };
}

/** The accounts that the obligation refers to now. */
export function referencesOf(accounts: LendingAccounts): ObligationReferences {
  return {
    obligation: accounts.obligationAddress,
    addresses: obligationReads(accounts.request, accounts),
  };
}

/**
 * Builds any lending action from its accounts.
 *
 * @example
 * const { action, preview } = buildLending(lendingAccounts(request, read, slot), { tokens: ONE }, moment);
 */
export function buildLending(
  accounts: LendingAccounts,
  amount: AmountInput,
  moment: Moment,
  options: ActionOptions = {},
): Build {
  const asked = toBaseUnits(amount, lendingAmountRules(accounts));
  const action = builtAction(accounts, asked, moment, options);
  // A deposit of "all" is already resolved to the balance; other actions resolve "all" on chain.
  const outcome = once(() => lendingOutcome(accounts, action.all ? 'all' : action.amount, moment));
  return {
    action,
    preview() {
      const warnings = lendingWarnings(accounts, action, outcome(), moment);
      return lendingPreview(accounts, outcome(), moment, warnings);
    },
    after: (read) => lendingChanges(accounts, action, outcome(), moment, read),
    fresh: () => freshAfter(accounts),
  };
}

function builtAction(
  accounts: LendingAccounts,
  asked: Amount,
  moment: Moment,
  options: ActionOptions,
): BuiltAction {
  switch (accounts.request.action) {
    case 'deposit':
      return buildLendingDeposit(accounts, asked, options);
    case 'borrow':
      return buildLendingBorrow(accounts, asked, options);
    case 'repay':
      return buildLendingRepay(accounts, asked, moment, options);
    case 'withdraw':
      return buildLendingWithdraw(accounts, asked, moment, options);
  }
}
