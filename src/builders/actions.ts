import type { Address } from '@solana/kit';
import type { Moment } from '../domain/moment.ts';
import type { Rational } from '../numeric/rational.ts';
import type { AccountChanges } from './account-changes.ts';
import { once } from './action.ts';
import { type Amount, type AmountInput, toBaseUnits } from './amount.ts';
import type { ActionOptions, BuiltAction } from './built-instruction.ts';
import type { LendingAccounts } from './lending/accounts.ts';
import { buildLendingBorrow } from './lending/borrow.ts';
import { lendingChanges } from './lending/changes.ts';
import { buildLendingDeposit } from './lending/deposit.ts';
import { lendingOutcome, lendingPreview } from './lending/preview.ts';
import { freshAfter } from './lending/refresh.ts';
import { buildLendingRepay } from './lending/repay.ts';
import { lendingAmountRules } from './lending/terms.ts';
import { lendingWarnings } from './lending/warnings.ts';
import { buildLendingWithdraw } from './lending/withdraw.ts';
import type { Preview } from './preview.ts';
import type { ReadAccounts } from './read-accounts.ts';
import type { VaultAccounts } from './vault/accounts.ts';
import { vaultChanges } from './vault/changes.ts';
import { buildVaultDeposit, vaultDepositRules } from './vault/deposit.ts';
import { vaultOutcome, vaultPreview, vaultWarnings } from './vault/preview.ts';
import { buildVaultWithdraw, sharesForTokens, vaultWithdrawRules } from './vault/withdraw.ts';

/** How much to withdraw from a vault: shares, a value in tokens before the penalty, or everything. */
export type ShareAmountInput =
  | { readonly shares: Rational }
  | { readonly tokens: Rational }
  | { readonly all: true };

/** A built action. Its preview and its changes are computed on demand. */
export interface Build {
  readonly action: BuiltAction;
  preview(): Preview;
  /** The accounts after it. @param read the accounts that it was built on. */
  after(read: ReadAccounts): AccountChanges;
  /** Given the reserves that were refreshed before it in its transaction, those that still are. */
  fresh(before: ReadonlySet<Address>): ReadonlySet<Address>;
}

/** Builds any lending action from its accounts. */
export function buildLending(
  accounts: LendingAccounts,
  input: AmountInput,
  moment: Moment,
  options: ActionOptions = {},
): Build {
  const { action: kind } = accounts.request;
  const asked = toBaseUnits(input, lendingAmountRules(kind, accounts));
  const action = lendingAction(accounts, asked, moment.slot, options);
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

function lendingAction(
  accounts: LendingAccounts,
  asked: Amount,
  slot: bigint,
  options: ActionOptions,
): BuiltAction {
  switch (accounts.request.action) {
    case 'deposit':
      return buildLendingDeposit(accounts, asked, options);
    case 'borrow':
      return buildLendingBorrow(accounts, asked, options);
    case 'repay':
      return buildLendingRepay(accounts, asked, slot, options);
    case 'withdraw':
      return buildLendingWithdraw(accounts, asked, slot, options);
  }
}

/** Builds a vault deposit from its accounts. */
export function buildVaultEntry(
  accounts: VaultAccounts,
  input: AmountInput,
  moment: Moment,
  options: ActionOptions = {},
): Build {
  const action = buildVaultDeposit(accounts, toBaseUnits(input, vaultDepositRules(accounts)), options);
  return withVaultPreview(accounts, 'deposit', action, moment);
}

/** Builds a vault withdrawal from its accounts. */
export function buildVaultExit(
  accounts: VaultAccounts,
  input: ShareAmountInput,
  moment: Moment,
  options: ActionOptions = {},
): Build {
  const action = buildVaultWithdraw(accounts, sharesAsked(accounts, input, moment.slot), moment, options);
  return withVaultPreview(accounts, 'withdraw', action, moment);
}

/** Base units of shares that a caller asks for. */
export function sharesAsked(accounts: VaultAccounts, input: ShareAmountInput, slot: bigint): Amount {
  if ('all' in input) return 'all';
  if ('shares' in input) return toBaseUnits({ tokens: input.shares }, vaultWithdrawRules(accounts));
  const tokens = toBaseUnits(input, { ...vaultDepositRules(accounts), maxMeansAll: true });
  return tokens === 'all' ? 'all' : sharesForTokens(accounts, tokens, slot);
}

function withVaultPreview(
  accounts: VaultAccounts,
  kind: 'deposit' | 'withdraw',
  action: BuiltAction,
  moment: Moment,
): Build {
  const effect = once(() => vaultOutcome(accounts, kind, action, moment));
  return {
    action,
    preview() {
      const warnings = vaultWarnings(accounts, kind, action, effect(), moment);
      return vaultPreview(accounts, kind, effect(), moment, warnings);
    },
    after: (read) => vaultChanges(accounts, kind, action, effect(), moment, read),
    // A deposit only refreshes reserves, without their prices. A withdrawal may change any of them.
    fresh: (before) =>
      kind === 'deposit' ? before : new Set([...before].filter((address) => !accounts.reserves.has(address))),
  };
}
