import type { Moment } from '../domain/moment.ts';
import type { Rational } from '../numeric/rational.ts';
import { type Amount, type AmountInput, toBaseUnits } from './amount.ts';
import type { ActionOptions, BuiltAction } from './built-instruction.ts';
import type { LendingAccounts } from './lending-accounts.ts';
import { buildLendingBorrow } from './lending-borrow.ts';
import { buildLendingDeposit } from './lending-deposit.ts';
import { lendingOutcome, lendingPreview } from './lending-preview.ts';
import { buildLendingRepay } from './lending-repay.ts';
import { lendingAmountRules } from './lending-terms.ts';
import { lendingWarnings } from './lending-warnings.ts';
import { buildLendingWithdraw } from './lending-withdraw.ts';
import type { Preview } from './preview.ts';
import type { VaultAccounts } from './vault-accounts.ts';
import { buildVaultDeposit, vaultDepositRules } from './vault-deposit.ts';
import { vaultOutcome, vaultPreview, vaultWarnings } from './vault-preview.ts';
import { buildVaultWithdraw, sharesForTokens, vaultWithdrawRules } from './vault-withdraw.ts';

/** How much to withdraw from a vault: shares, a value in tokens before the penalty, or everything. */
export type ShareAmountInput =
  | { readonly shares: Rational }
  | { readonly tokens: Rational }
  | { readonly all: true };

/** A built action. The preview is computed on demand. */
export interface Build {
  readonly action: BuiltAction;
  preview(): Preview;
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
  return {
    action,
    preview() {
      // A deposit of "all" is already resolved to the balance; other actions resolve "all" on chain.
      const outcome = lendingOutcome(accounts, action.all ? 'all' : action.amount, moment);
      return lendingPreview(accounts, outcome, moment, lendingWarnings(accounts, action, outcome, moment));
    },
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
  const action = buildVaultWithdraw(
    accounts,
    sharesAsked(accounts, input, moment.slot),
    moment.slot,
    options,
  );
  return withVaultPreview(accounts, 'withdraw', action, moment);
}

function sharesAsked(accounts: VaultAccounts, input: ShareAmountInput, slot: bigint): Amount {
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
  return {
    action,
    preview() {
      const effect = vaultOutcome(accounts, kind, action, moment);
      const warnings = vaultWarnings(accounts, kind, action, effect, moment);
      return vaultPreview(accounts, kind, effect, moment, warnings);
    },
  };
}
