import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { U64_MAX, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';
import { usedAllocations } from './vault.ts';
import { type CollateralRate, collateralValueSf } from './vault-assets.ts';
import { collateralCap } from './vault-cap.ts';

/** The division of a vault's assets, in base units of the deposit token scaled by 2^60. */
export interface VaultTargets {
  /** Assets of the shareholders. Never negative. */
  readonly aumSf: bigint;
  /** Idle tokens and investments, before pending fees. */
  readonly grossSf: bigint;
  readonly investedSf: ReadonlyMap<Address, bigint>;
  /** What the vault moves towards when it invests. */
  readonly targetSf: ReadonlyMap<Address, bigint>;
  /** The part that no reserve is to get. */
  readonly idleSf: bigint;
}

/**
 * Divides the assets by weight as the program does, with its rounding: first the part that stays idle, then what is left over
 * the reserves. What exceeds a cap goes to the others.
 *
 * @param vault after rewards and fees
 * @param rates of the reserves, refreshed; undefined for a reserve that counts as nothing
 */
export function vaultTargets(
  vault: VaultState,
  rates: (reserve: Address) => CollateralRate | undefined,
): VaultTargets {
  const shares = usedAllocations(vault).map((allocation) => {
    const { reserve, targetAllocationWeight: weight, tokenAllocationCap } = allocation;
    const rate = rates(reserve);
    const cap = collateralCap(allocation);
    const capSf = wholeScaled(tokenAllocationCap);
    return {
      reserve,
      weight,
      isOpen: tokenAllocationCap > 0n,
      investedSf: rate === undefined ? 0n : collateralValueSf(rate, allocation.ctokenAllocation),
      capSf: cap === null || rate === undefined ? capSf : lesser(capSf, collateralValueSf(rate, cap)),
      targetSf: 0n,
    };
  });
  const investedSf = shares.reduce((sum, share) => sum + share.investedSf, 0n);
  const grossSf = wholeScaled(vault.tokenAvailable) + investedSf;
  const aumSf = atLeastZero(grossSf - vault.pendingFeesSf);
  let weightLeft = shares.reduce((sum, { weight, isOpen }) => (isOpen ? sum + weight : sum), 0n);
  const keptSf = idlePartSf(vault, aumSf, weightLeft);
  let leftSf = aumSf - keptSf;
  let isCapped = true;
  while (isCapped && leftSf > 0n && weightLeft > 0n) {
    isCapped = false;
    // A round divides what was left at its start.
    const [roundSf, roundWeight] = [leftSf, weightLeft];
    for (const share of shares) {
      if (share.targetSf >= share.capSf) continue;
      const idealSf = (roundSf * share.weight) / roundWeight;
      const reachesCap = share.targetSf + idealSf >= share.capSf;
      const addedSf = reachesCap ? share.capSf - share.targetSf : idealSf;
      if (reachesCap) weightLeft -= share.weight;
      isCapped ||= reachesCap;
      leftSf -= addedSf;
      share.targetSf += addedSf;
    }
  }
  return {
    aumSf,
    grossSf,
    investedSf: new Map(shares.map((share) => [share.reserve, share.investedSf])),
    targetSf: new Map(shares.map((share) => [share.reserve, share.targetSf])),
    idleSf: keptSf + leftSf,
  };
}

/** The part of the assets that the vault keeps idle by its settings. */
function idlePartSf(
  { unallocatedWeight, unallocatedTokensCap }: VaultState,
  aumSf: bigint,
  weights: bigint,
): bigint {
  if (unallocatedWeight === 0n) return 0n;
  const cap = unallocatedTokensCap === 0n ? U64_MAX : unallocatedTokensCap;
  return lesser((aumSf * unallocatedWeight) / (weights + unallocatedWeight), wholeScaled(cap));
}
