import { farmUserState } from '@sluice/protocol/farms/addresses';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { vaultGlobalConfigAddress } from '@sluice/protocol/kvault/addresses';
import { type VaultState, vaultState } from '@sluice/protocol/kvault/vault-state';
import { type ProgramIds, presentAddress, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { givesRewards } from '../../domain/reserve-rewards.ts';
import { usedAllocations } from '../../domain/vault.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { reserveAt } from '../lending/request.ts';
import { checkDecimals, distinct, namedAccount, type ReadAccounts } from '../read-accounts.ts';

/** A requested vault action, before any account is read. */
export interface VaultRequest {
  readonly programs: ProgramIds;
  /** Holder of the shares, and a signer. */
  readonly wallet: Address;
  readonly vault: Address;
  /** Candidates besides the vault's own table. */
  readonly lookupTables: readonly Address[];
  /** Whether the markets of all its reserves are read, for their withdraw queues. */
  readonly withQueues?: boolean;
}

/** Accounts to read in the first round. */
export function firstVaultReads({ programs, wallet, vault, lookupTables }: VaultRequest): Address[] {
  return distinct([vault, vaultGlobalConfigAddress(programs.kvault).address, wallet, ...lookupTables]);
}

export function vaultAt({ programs, vault }: VaultRequest, read: ReadAccounts): VaultState {
  const notFound = (cause?: unknown) => new SluiceError('KVAULT_NOT_FOUND', { vault }, { cause });
  const state = namedAccount(read, vault, vaultState, programs.kvault, notFound);
  checkDecimals('VaultState', vault, state.tokenMintDecimals, state.sharesMintDecimals);
  return state;
}

/** The wallet's accounts for a vault: token, shares, and stake in the vault's farm. */
export function vaultWalletAddresses(
  { programs, wallet }: Pick<VaultRequest, 'programs' | 'wallet'>,
  state: VaultState,
) {
  const farm = presentAddress(state.vaultFarm);
  return {
    token: associatedTokenAddress(wallet, vaultTokenProgram(state), state.tokenMint).address,
    // The vault program mints its shares with SPL Token, regardless of the deposit token's program.
    shares: associatedTokenAddress(wallet, TOKEN_PROGRAM, state.sharesMint).address,
    farm,
    farmUser: farm && farmUserState(programs.farms, farm, wallet).address,
  };
}

export function vaultTokenProgram(state: VaultState): Address {
  return presentAddress(state.tokenProgram) ?? TOKEN_PROGRAM;
}

/** Accounts to read in the second round. */
export function secondVaultReads(request: VaultRequest, read: ReadAccounts): Address[] {
  const { klend } = request.programs;
  const state = vaultAt(request, read);
  const reserves = usedAllocations(state).flatMap(({ reserve }) =>
    read(reserve) === null ? [] : [reserveAt(read, reserve, klend)],
  );
  return vaultReads(request, state, reserves);
}

/** The markets of reserves that give rewards of their own. */
export function rewardingMarkets(reserves: Iterable<Reserve>): Address[] {
  return distinct([...reserves].filter(givesRewards).map(({ lendingMarket }) => lendingMarket));
}

/** Accounts derived from a vault: its reserves, farm and table, and the wallet's accounts. */
export function vaultReads(
  request: VaultRequest,
  state: VaultState,
  reserves: readonly Reserve[],
): Address[] {
  const { token, shares, farm, farmUser } = vaultWalletAddresses(request, state);
  const known = new Set(firstVaultReads(request));
  return distinct([
    ...usedAllocations(state).map(({ reserve }) => reserve),
    ...rewardingMarkets(reserves),
    ...(request.withQueues ? reserves.map(({ lendingMarket }) => lendingMarket) : []),
    token,
    shares,
    farm,
    farmUser,
    presentAddress(state.vaultLookupTable),
  ]).filter((address) => !known.has(address));
}
