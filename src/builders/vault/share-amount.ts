import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Instant } from '../../domain/moment.ts';
import { type Amount, toBaseUnits } from '../amount.ts';
import type { VaultAccounts } from './accounts.ts';
import { vaultDepositRules } from './deposit.ts';
import { sharesForTokens, vaultWithdrawRules } from './withdraw.ts';

/** An amount of a vault position: shares, a value in tokens before the penalty, or everything. */
export type ShareAmountInput =
  | { readonly shares: Rational }
  | { readonly tokens: Rational }
  | { readonly all: true };

/** Base units of shares that a caller asks for. */
export function sharesAsked(accounts: VaultAccounts, amount: ShareAmountInput, at: Instant): Amount {
  if ('all' in amount) return 'all';
  if ('shares' in amount) return toBaseUnits({ tokens: amount.shares }, vaultWithdrawRules(accounts));
  const tokens = tokensAsked(accounts, amount);
  return tokens === 'all' ? 'all' : sharesForTokens(accounts, tokens, at);
}

/** Base units of tokens that a caller wants for shares. */
export function tokensAsked(accounts: VaultAccounts, amount: { readonly tokens: Rational }): Amount {
  return toBaseUnits(amount, { ...vaultDepositRules(accounts), maxMeansAll: true });
}
