import type { Address } from '@solana/kit';
import { usedAllocations } from '../domain/vault.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { farmUserState } from '../programs/farms/addresses.ts';
import { vaultGlobalConfigAddress } from '../programs/kvault/addresses.ts';
import { type VaultState, vaultState } from '../programs/kvault/vault-state.ts';
import { type ProgramIds, presentAddress, TOKEN_PROGRAM } from '../programs/program-ids.ts';
import { associatedTokenAddress } from '../programs/token/addresses.ts';
import { checkDecimals, distinct, namedAccount, type ReadAccounts } from './read-accounts.ts';

/** What a vault action is about, before anything has been read. */
export interface VaultRequest {
  readonly programs: ProgramIds;
  /** Holder of the shares, signer and fee payer. */
  readonly wallet: Address;
  readonly vault: Address;
  /** Tables to try besides the vault's own. */
  readonly lookupTables: readonly Address[];
}

/** What can be read before anything is known. */
export function firstVaultReads({ programs, wallet, vault, lookupTables }: VaultRequest): Address[] {
  return distinct([vault, vaultGlobalConfigAddress(programs.kvault).address, wallet, ...lookupTables]);
}

export function vaultAt({ programs, vault }: VaultRequest, read: ReadAccounts): VaultState {
  const notFound = (cause?: unknown) => new SluiceError('KVAULT_NOT_FOUND', { vault }, { cause });
  const state = namedAccount(read, vault, vaultState, programs.kvault, notFound);
  checkDecimals('VaultState', vault, state.tokenMintDecimals, state.sharesMintDecimals);
  return state;
}

/** The wallet's accounts that belong to a vault: its token, its shares, and its stake in the vault's farm. */
export function vaultWalletAddresses({ programs, wallet }: VaultRequest, state: VaultState) {
  const farm = presentAddress(state.vaultFarm);
  return {
    token: associatedTokenAddress(wallet, vaultTokenProgram(state), state.tokenMint).address,
    // The vault program mints its shares with SPL Token, whatever the deposit token belongs to.
    shares: associatedTokenAddress(wallet, TOKEN_PROGRAM, state.sharesMint).address,
    farm,
    farmUser: farm && farmUserState(programs.farms, farm, wallet).address,
  };
}

export function vaultTokenProgram(state: VaultState): Address {
  return presentAddress(state.tokenProgram) ?? TOKEN_PROGRAM;
}

/** What has to be read besides, once the vault has been. */
export function secondVaultReads(request: VaultRequest, read: ReadAccounts): Address[] {
  return vaultReads(request, vaultAt(request, read));
}

/** What a vault makes known: its reserves, farm and table, and the wallet's accounts. */
export function vaultReads(request: VaultRequest, state: VaultState): Address[] {
  const { token, shares, farm, farmUser } = vaultWalletAddresses(request, state);
  const known = new Set(firstVaultReads(request));
  return distinct([
    ...usedAllocations(state).map(({ reserve }) => reserve),
    token,
    shares,
    farm,
    farmUser,
    presentAddress(state.vaultLookupTable),
  ]).filter((address) => !known.has(address));
}
