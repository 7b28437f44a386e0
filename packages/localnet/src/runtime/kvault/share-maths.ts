import type { VaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { FULL_BPS } from '@sluice/protocol/numeric/fraction';
import { greater, lesser } from '@sluice/protocol/numeric/integer';
import { ensure } from '../anchor.ts';
import {
  bpsSf,
  ceilSf,
  divSf,
  floorSf,
  mulSf,
  ONE_SF,
  ratioSf,
  ratioSfUp,
  subSf,
  wholeSf,
} from '../klend/fraction.ts';
import { VAULT_CODES } from './vault-errors.ts';

/** Shares and tokens in base units; assets (`aumSf`) scaled by 2^60. */

/** Shares for a deposit, rounded down; the first deposit gets one share per base unit. */
export function sharesForDeposit(aumSf: bigint, tokens: bigint, issued: bigint): bigint {
  if (issued === 0n) return tokens;
  ensure(aumSf > 0n, VAULT_CODES.vaultAumZero);
  return floorSf(ratioSf(wholeSf(issued), tokens, ceilSf(aumSf)));
}

/** Price of the shares of a deposit, rounded up. */
export function tokensForShares(aumSf: bigint, shares: bigint, issued: bigint): bigint {
  if (issued === 0n) return shares;
  return ceilSf(ratioSfUp(aumSf, shares, issued));
}

/** The value of shares, scaled by 2^60. */
export function sharesValueSf(aumSf: bigint, shares: bigint, issued: bigint): bigint {
  return issued === shares ? aumSf : ratioSf(aumSf, shares, issued);
}

/** The greater of the vault's and the program's penalties. */
function penaltyTerms(vault: VaultState, config: VaultGlobalConfig): { bps: bigint; units: bigint } {
  return {
    bps: greater(config.withdrawalPenaltyBps, vault.withdrawalPenaltyBps),
    units: greater(config.withdrawalPenaltyLamports, vault.withdrawalPenaltyLamports),
  };
}

/** The part of a withdrawal, scaled by 2^60, that stays with the other shareholders. */
export function penaltySfOf(vault: VaultState, config: VaultGlobalConfig, grossSf: bigint): bigint {
  const { bps, units } = penaltyTerms(vault, config);
  return greater(ratioSf(grossSf, bps, FULL_BPS), wholeSf(units));
}

/** The penalty to add to an amount that is paid out in full; scaled by 2^60. */
export function penaltySfOnTop(vault: VaultState, config: VaultGlobalConfig, netSf: bigint): bigint {
  const { bps, units } = penaltyTerms(vault, config);
  const rateSf = bpsSf(bps);
  return greater(divSf(mulSf(netSf, rateSf), subSf(ONE_SF, rateSf)), wholeSf(units));
}

/** Shares that pay for an amount, scaled by 2^60; rounded up, but no more than the given ones. */
export function sharesToBurn(amountSf: bigint, issued: bigint, aumSf: bigint, most: bigint): bigint {
  return lesser(ceilSf(ratioSfUp(amountSf, wholeSf(issued), aumSf)), most);
}
