import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { VaultAllocation, VaultState } from '@sluice/protocol/kvault/vault-state';
import type { Address } from '@solana/kit';
import { usedAllocations } from '../../domain/vault.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { CuratorAccounts } from './accounts.ts';

/** Refusals of actions that the program keeps to certain wallets, or that do not fit the vault. */

export const refused = (reason: string): SluiceError => new SluiceError('BUILD_REFUSED', { reason });

function notAllowed({ request }: Pick<CuratorAccounts, 'request'>, allowed: string): SluiceError {
  return new SluiceError('NOT_VAULT_ADMIN', { wallet: request.wallet, vault: request.vault, allowed });
}

/** @throws NOT_VAULT_ADMIN unless the wallet is the admin of the vault */
export function checkAdmin(accounts: Pick<CuratorAccounts, 'request' | 'vault'>): void {
  const { request, vault } = accounts;
  const admin = vault.vaultAdminAuthority;
  if (request.wallet !== admin) throw notAllowed(accounts, `only its admin ${admin} may`);
}

/** The admin of the allocations may change those that are there. @throws NOT_VAULT_ADMIN */
export function checkAllocationAdmin(accounts: CuratorAccounts, isNew: boolean): void {
  const { request, vault } = accounts;
  const { vaultAdminAuthority: admin, allocationAdmin } = vault;
  if (request.wallet === admin || (!isNew && request.wallet === allocationAdmin)) return;
  const allowed = isNew
    ? `only its admin ${admin} may add a reserve`
    : `only its admin ${admin} and its allocation admin ${allocationAdmin} may`;
  throw notAllowed(accounts, allowed);
}

/** Some settings are open to the admin of the program too. @throws NOT_VAULT_ADMIN */
export function checkSettingAdmin(accounts: CuratorAccounts, isGlobalAllowed: boolean, what: string): void {
  const { request, vault, globalConfig } = accounts;
  if (request.wallet === vault.vaultAdminAuthority) return;
  const globalAdmin = globalConfig?.globalAdmin;
  if (isGlobalAllowed && request.wallet === globalAdmin) return;
  const allowed = `only its admin ${vault.vaultAdminAuthority} may change ${what}`;
  throw notAllowed(accounts, allowed);
}

/** A setting that the admin of the program alone may take back. @throws NOT_VAULT_ADMIN */
export function checkGlobalAdmin(accounts: CuratorAccounts, what: string): void {
  const globalAdmin = accounts.globalConfig?.globalAdmin;
  if (accounts.request.wallet === globalAdmin) return;
  throw notAllowed(
    accounts,
    `only the admin ${globalAdmin ?? 'of the vault program'} of the program may end ${what}`,
  );
}

/** @throws NOT_VAULT_ADMIN unless the wallet is the pending admin */
export function checkPendingAdmin(accounts: Pick<CuratorAccounts, 'request' | 'vault'>): void {
  const { pendingAdmin } = accounts.vault;
  if (accounts.request.wallet !== pendingAdmin)
    throw notAllowed(accounts, `only its pending admin ${pendingAdmin} may accept`);
}

/** A reserve of the vault with its slot. */
export interface AllocatedReserve {
  readonly address: Address;
  readonly reserve: Reserve;
  readonly allocation: VaultAllocation;
}

/** @throws BUILD_REFUSED when the vault does not use the reserve */
export function allocatedReserve(accounts: CuratorAccounts, address: Address): AllocatedReserve {
  const reserve = accounts.reserves.get(address);
  const allocation = allocationAt(accounts.vault, address);
  if (reserve === undefined || allocation === undefined) {
    throw refused(`vault ${accounts.request.vault} has no allocation to reserve ${address}`);
  }
  return { address, reserve, allocation };
}

export const allocationAt = (vault: VaultState, address: Address): VaultAllocation | undefined =>
  usedAllocations(vault).find(({ reserve }) => reserve === address);
