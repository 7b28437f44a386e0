import { updateAdmin } from '@sluice/protocol/kvault/curator-instructions';
import { instruction } from '../built-instruction.ts';
import { changed } from '../changed-account.ts';
import type { CuratorAccounts } from './accounts.ts';
import { type CuratorBuild, withoutAmount } from './curator-action.ts';
import { checkPendingAdmin } from './refusals.ts';

/** The pending admin becomes the admin. @throws NOT_VAULT_ADMIN for another wallet */
export function buildAcceptAdmin(accounts: CuratorAccounts): CuratorBuild {
  const { request, vault } = accounts;
  checkPendingAdmin(accounts);
  const built = instruction(
    updateAdmin,
    request.programs.kvault,
    { pendingAdmin: request.wallet, vaultState: request.vault },
    {},
    { summary: 'Become the admin of the vault' },
  );
  const before = vault.vaultAdminAuthority;
  return {
    action: withoutAmount([built]),
    effect: {
      vault: changed(vault, { vaultAdminAuthority: request.wallet }),
      reserves: new Map(),
      received: null,
    },
    notes: () => ({ settings: [{ setting: 'ADMIN', before, after: request.wallet }] }),
  };
}
