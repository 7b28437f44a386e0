import type { Address } from '@solana/kit';
import { viewOf } from '../../programs/layout/account.ts';
import { readAddress } from '../../programs/layout/base58.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/program-ids.ts';
import { TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_OFFSETS } from '../../programs/token/token-account.ts';
import type { LedgerAccount } from '../ledger.ts';
import type { AccountStore } from './account-store.ts';
import type { Farm, Obligation, Reserve, Vault, Wallet } from './model.ts';

/**
 * A model stops describing its accounts once a transaction has written one of them. The world's own actors then leave it
 * alone, because their changes would not show, or not in all accounts.
 */

export function isLiveWallet(store: AccountStore, { address, holdings, metadata }: Wallet): boolean {
  if (store.isTaken(address) || store.isTaken(metadata)) return false;
  for (const holding of holdings.values()) if (store.isTaken(holding.address)) return false;
  return true;
}

export function isLiveReserve(store: AccountStore, reserve: Reserve): boolean {
  return (
    !store.isTaken(reserve.address) &&
    !store.isTaken(reserve.liquidityVault.address) &&
    isLiveFarm(store, reserve.collateralFarm) &&
    isLiveFarm(store, reserve.debtFarm)
  );
}

export function isLiveVault(store: AccountStore, vault: Vault): boolean {
  return (
    !store.isTaken(vault.address) &&
    !store.isTaken(vault.tokenVault.address) &&
    !store.isTaken(vault.sharesMint.address) &&
    isLiveFarm(store, vault.farm) &&
    vault.allocations.every(({ reserve }) => isLiveReserve(store, reserve))
  );
}

export function isLiveObligation(store: AccountStore, obligation: Obligation): boolean {
  const slots = [...obligation.deposits, ...obligation.borrows];
  return (
    !store.isTaken(obligation.address) &&
    slots.every((slot) => slot === null || isLiveReserve(store, slot.reserve))
  );
}

export function isLiveFarm(store: AccountStore, farm: Farm | null): boolean {
  return farm === null || !store.isTaken(farm.address);
}

/** The wallets whose token accounts are among the changes. */
export function tokenOwnersOf(changes: ReadonlyMap<Address, LedgerAccount>): Address[] {
  const owners: Address[] = [];
  for (const { owner, data } of changes.values()) {
    if (owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) continue;
    if (data.length < TOKEN_ACCOUNT_BYTES) continue;
    owners.push(readAddress(viewOf(data), TOKEN_ACCOUNT_OFFSETS.owner));
  }
  return owners;
}
