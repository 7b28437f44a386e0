import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { VAULT_CODES } from './vault-errors.ts';

/** Checks the signature of a permissioned vault's authority, the last remaining account. Returns the accounts before it. */
export function checkPermission(
  { permissioningAuthority }: VaultState,
  remaining: readonly InstructionAccount[],
): readonly InstructionAccount[] {
  if (permissioningAuthority === NO_ADDRESS) return remaining;
  const authority = remaining.at(-1);
  ensure(authority?.address === permissioningAuthority, VAULT_CODES.invalidPermissioningAuthority);
  ensure(authority.isSigner, ANCHOR_ERRORS.accountNotSigner);
  return remaining.slice(0, -1);
}
