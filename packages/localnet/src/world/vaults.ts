import { vaultAllocation, vaultState } from '@sluice/protocol/kvault/vault-state';
import { viewOf } from '@sluice/protocol/layout/account';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { textBytes } from '@sluice/protocol/layout/codec';
import { derive } from '@sluice/protocol/layout/pda';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccountStore } from '../runtime/account-store.ts';
import { putAddresses } from './address-bytes.ts';
import { lookupTableAddress } from './markets.ts';
import type { Allocation, Reserve, Token, Vault } from './model.ts';
import { labelledAddress, Random } from './prng.ts';
import { timeOf } from './time.ts';
import { newHolding, newMint } from './token-accounts.ts';
import type { VaultSpec } from './vault-specs.ts';

const { kvault } = MAINNET_PROGRAMS;
export const MIN_DEPOSIT = 1000n;
export const MIN_WITHDRAW = 10n;
export const MIN_INVEST = 1000n;
export const MIN_INVEST_DELAY_SLOTS = 150n;

/** A vault over the first candidate reserves. */
export function createVault(
  { seed, cell, createdSlot }: Pick<Vault, 'cell' | 'createdSlot'> & { readonly seed: string },
  spec: VaultSpec,
  token: Token,
  candidates: readonly Reserve[],
): Vault {
  const name = cell === 0 ? spec.name : `${spec.name} ${cell + 1}`;
  const address = labelledAddress(seed, 'vault', name);
  const key = addressBytes(address);
  const authority = derive(kvault, 'authority', key);
  const random = new Random(seed, 'vault', name);
  const admin = labelledAddress(seed, 'vault-admin', name);
  const vault: Vault = {
    address,
    name,
    cell,
    spec,
    token,
    tokenVault: newHolding(derive(kvault, 'token_vault', key).address, token.mint, authority.address),
    sharesMint: newMint(
      derive(kvault, 'shares', key).address,
      token.mint.decimals,
      TOKEN_PROGRAM,
      authority.address,
    ),
    authority: authority.address,
    authorityBump: authority.bump,
    admin,
    pendingAdmin: null,
    allocations: candidates.slice(0, spec.allocations).map((reserve): Allocation => {
      const derived = derive(kvault, 'ctoken_vault', key, addressBytes(reserve.address));
      return {
        reserve,
        holding: newHolding(derived.address, reserve.collateralMint, authority.address),
        bump: derived.bump,
        weight: 100 * random.between(1, 9),
        cap: random.chance(20) ? 10n ** BigInt(token.mint.decimals + 8) : (1n << 64n) - 1n,
        lastInvestSlot: 0n,
        targetSf: 0n,
      };
    }),
    lookupTable: lookupTableAddress(admin, name),
    createdSlot,
    farm: null,
    keeper: null,
    available: 0n,
    crankFunds: 0n,
    prevAumSf: 0n,
    pendingFeesSf: 0n,
    depositCap: 0n,
    lastFeeChargeTime: 0,
    cumulativeInterestSf: 0n,
    cumulativeManagementFeesSf: 0n,
    cumulativePerformanceFeesSf: 0n,
    holders: [],
  };
  for (const { reserve } of vault.allocations) reserve.vaults.push(vault);
  return vault;
}

export function addVault(store: AccountStore, vault: Vault): void {
  store.add({
    address: vault.address,
    owner: kvault,
    encode(previous) {
      if (previous === undefined) {
        const data = vaultState.encode({ ...fixedFields(vault), ...movingFields(vault) });
        putAddresses(data, addressesOf(vault));
        return data;
      }
      const data = previous.slice();
      vaultState.body.write(viewOf(data), 8, movingFields(vault));
      return data;
    },
  });
}

type VaultFields = StructInput<typeof vaultState.body.fields>;

function fixedFields({ spec, token, ...vault }: Vault): VaultFields {
  return {
    baseVaultAuthorityBump: BigInt(vault.authorityBump),
    tokenMintDecimals: BigInt(token.mint.decimals),
    sharesMintDecimals: BigInt(vault.sharesMint.decimals),
    unallocatedWeight: BigInt(spec.unallocatedWeight),
    performanceFeeBps: BigInt(spec.performanceFeeBps),
    managementFeeBps: BigInt(spec.managementFeeBps),
    minDepositAmount: MIN_DEPOSIT,
    minWithdrawAmount: MIN_WITHDRAW,
    minInvestAmount: MIN_INVEST,
    minInvestDelaySlots: MIN_INVEST_DELAY_SLOTS,
    crankFundFeePerReserve: spec.crankFeePerReserve,
    name: textBytes(vault.name),
    creationTimestamp: BigInt(timeOf(vault.createdSlot)),
    unallocatedTokensCap: (1n << 64n) - 1n,
    withdrawalPenaltyLamports: spec.penaltyUnits,
    withdrawalPenaltyBps: BigInt(spec.penaltyBps),
  };
}

function movingFields(vault: Vault): VaultFields {
  return {
    tokenAvailable: vault.available,
    sharesIssued: vault.sharesMint.supply,
    availableCrankFunds: vault.crankFunds,
    lastFeeChargeTimestamp: BigInt(vault.lastFeeChargeTime),
    prevAumSf: vault.prevAumSf,
    pendingFeesSf: vault.pendingFeesSf,
    depositCap: vault.depositCap,
    vaultAllocationStrategy: vault.allocations.map((allocation) => ({
      targetAllocationWeight: BigInt(allocation.weight),
      tokenAllocationCap: allocation.cap,
      ctokenVaultBump: BigInt(allocation.bump),
      ctokenAllocation: allocation.holding.amount,
      lastInvestSlot: allocation.lastInvestSlot,
      tokenTargetAllocationSf: allocation.targetSf,
    })),
    cumulativeEarnedInterestSf: vault.cumulativeInterestSf,
    cumulativeMgmtFeesSf: vault.cumulativeManagementFeesSf,
    cumulativePerfFeesSf: vault.cumulativePerformanceFeesSf,
  };
}

function* addressesOf(vault: Vault): Iterable<readonly [number, Address]> {
  yield [vaultState.offsetOf('vaultAdminAuthority'), vault.admin];
  yield [vaultState.offsetOf('baseVaultAuthority'), vault.authority];
  yield [vaultState.offsetOf('tokenMint'), vault.token.mint.address];
  yield [vaultState.offsetOf('tokenVault'), vault.tokenVault.address];
  yield [vaultState.offsetOf('tokenProgram'), vault.token.mint.program];
  yield [vaultState.offsetOf('sharesMint'), vault.sharesMint.address];
  if (vault.pendingAdmin !== null) yield [vaultState.offsetOf('pendingAdmin'), vault.pendingAdmin];
  yield [vaultState.offsetOf('allocationAdmin'), vault.admin];
  yield [vaultState.offsetOf('vaultLookupTable'), vault.lookupTable];
  if (vault.farm !== null) yield [vaultState.offsetOf('vaultFarm'), vault.farm.address];
  const strategy = vaultState.offsetOf('vaultAllocationStrategy');
  for (const [i, { reserve, holding }] of vault.allocations.entries()) {
    const start = strategy + i * vaultAllocation.size;
    yield [start + vaultAllocation.offsets.reserve, reserve.address];
    yield [start + vaultAllocation.offsets.ctokenVault, holding.address];
  }
}
