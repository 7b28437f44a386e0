import { AccountRole, type Address } from '@solana/kit';
import type { RemainingAccount } from './built-instruction.ts';
import { type BuildWarning, warning } from './warnings.ts';

/** The authority of a permissioned market or vault, which signs besides the wallet, as the last account; none for null. */
export function permissionAccounts(authority: Address | null): RemainingAccount[] {
  if (authority === null) return [];
  return [{ address: authority, role: AccountRole.READONLY_SIGNER, label: 'permissioningAuthority' }];
}

/**
 * Names the authority that must sign besides those that sign anyway; nothing for null.
 * @param signing the wallet and the fee payer
 */
export function permissionWarnings(
  authority: Address | null,
  of: 'market' | 'vault',
  signing: readonly Address[],
): BuildWarning[] {
  if (authority === null || signing.includes(authority)) return [];
  const message = `The ${of} accepts this action only with the signature of its permissioning authority: ${authority} must also sign.`;
  return [warning('NEEDS_PERMISSION', message)];
}
