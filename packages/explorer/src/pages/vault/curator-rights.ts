import type { CuratedState } from '../../act/tasks/curated-vault.ts';

export type Rights = 'ADMIN' | 'PENDING_ADMIN' | 'ALLOCATION_ADMIN' | 'NONE';

/** What a wallet is to a vault. The highest right, where it has several. */
export function rightsOf(
  {
    vaultAdminAuthority,
    pendingAdmin,
    allocationAdmin,
  }: Pick<CuratedState, 'vaultAdminAuthority' | 'pendingAdmin' | 'allocationAdmin'>,
  wallet: string | null,
): Rights {
  if (wallet === vaultAdminAuthority) return 'ADMIN';
  if (wallet === pendingAdmin) return 'PENDING_ADMIN';
  return wallet === allocationAdmin ? 'ALLOCATION_ADMIN' : 'NONE';
}
