import { readText } from '@sluice/protocol/layout/codec';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import type { VaultRecord } from '../../services/request/records.ts';
import { isNameVerified } from '../../services/tokens/verified-name.ts';
import { smallNumber, usedAllocations } from '../../services/vaults/vaults.ts';
import type { Call } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import type { Vault } from './schemas.ts';

const fraction = (scaled: bigint) => decimal(fromScaledFraction(scaled));

/** The account of a vault, with the field names of the REST contract. */
export function vaultAccount(view: Call['session']['view'], vault: VaultRecord): AnswerOf<typeof Vault> {
  const { address, owner, value } = vault;
  return {
    address,
    state: {
      vaultAdminAuthority: value.vaultAdminAuthority,
      baseVaultAuthority: value.baseVaultAuthority,
      baseVaultAuthorityBump: smallNumber(value.baseVaultAuthorityBump),
      tokenMint: value.tokenMint,
      tokenMintDecimals: smallNumber(value.tokenMintDecimals),
      tokenVault: value.tokenVault,
      tokenProgram: value.tokenProgram,
      sharesMint: value.sharesMint,
      sharesMintDecimals: smallNumber(value.sharesMintDecimals),
      tokenAvailable: String(value.tokenAvailable),
      sharesIssued: String(value.sharesIssued),
      availableCrankFunds: String(value.availableCrankFunds),
      performanceFeeBps: smallNumber(value.performanceFeeBps),
      managementFeeBps: smallNumber(value.managementFeeBps),
      lastFeeChargeTimestamp: smallNumber(value.lastFeeChargeTimestamp),
      prevAum: fraction(value.prevAumSf),
      pendingFees: fraction(value.pendingFeesSf),
      vaultAllocationStrategy: usedAllocations(value).map((allocation) => ({
        reserve: allocation.reserve,
        ctokenVault: allocation.ctokenVault,
        targetAllocationWeight: smallNumber(allocation.targetAllocationWeight),
        tokenAllocationCap: String(allocation.tokenAllocationCap),
        ctokenVaultBump: smallNumber(allocation.ctokenVaultBump),
        ctokenAllocation: String(allocation.ctokenAllocation),
        lastInvestSlot: String(allocation.lastInvestSlot),
        tokenTargetAllocation: fraction(allocation.tokenTargetAllocationSf),
      })),
      minDepositAmount: String(value.minDepositAmount),
      minWithdrawAmount: String(value.minWithdrawAmount),
      minInvestAmount: String(value.minInvestAmount),
      minInvestDelaySlots: smallNumber(value.minInvestDelaySlots),
      crankFundFeePerReserve: String(value.crankFundFeePerReserve),
      pendingAdmin: value.pendingAdmin,
      cumulativeEarnedInterest: fraction(value.cumulativeEarnedInterestSf),
      cumulativeMgmtFees: fraction(value.cumulativeMgmtFeesSf),
      cumulativePerfFees: fraction(value.cumulativePerfFeesSf),
      name: readText(value.name),
      vaultLookupTable: value.vaultLookupTable,
      vaultFarm: value.vaultFarm,
      creationTimestamp: smallNumber(value.creationTimestamp),
      allocationAdmin: value.allocationAdmin,
    },
    programId: owner,
    nameVerified: isNameVerified(view, vault),
  };
}
