import { updateAdmin as layout } from '@sluice/protocol/kvault/curator-instructions';
import { vaultState as vaultLayout } from '@sluice/protocol/kvault/vault-state';
import { anchorInstruction, patch } from '../anchor.ts';
import { checkHasOne } from '../anchor-accounts.ts';
import { loadVault } from './vault-books.ts';

/** The pending admin becomes the admin, and stays the pending one. */
export const updateAdmin = anchorInstruction(layout, 6_000, ({ accounts }) => {
  const { pendingAdmin, vaultState } = accounts;
  const vault = loadVault(vaultState);
  checkHasOne(vault.pendingAdmin, pendingAdmin);
  patch(vaultState, vaultLayout, { vaultAdminAuthority: pendingAdmin.address });
});
