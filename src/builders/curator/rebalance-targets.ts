import { COLLATERAL_DECIMALS } from '@sluice/protocol/klend/reserve';
import type { VaultAllocation, VaultState } from '@sluice/protocol/kvault/vault-state';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import { allocationAt, refused } from './refusals.ts';
import type { VaultSettings } from './setting-rows.ts';
import { type CapInput, capUnits, capUnitsAboveZero } from './units.ts';

/** The terms that a reserve of a vault is to have. What is omitted stays as it is. */
export interface VaultTarget {
  readonly reserve: Address;
  readonly weight?: bigint;
  /** Whole tokens. */
  readonly cap?: CapInput;
  /** Whole collateral tokens. */
  readonly collateralCap?: CapInput;
  /** Whether the vault leaves the reserve for good. Its weight is 0 then. */
  readonly remove?: boolean;
}

/** The division of a vault's tokens that its admin wants. Reserves that are not named keep their terms. */
export interface VaultTargetsInput extends Pick<VaultSettings, 'unallocatedWeight' | 'unallocatedCap'> {
  readonly targets: readonly VaultTarget[];
}

/** A vault has that many allocations. */
export const MOST_TARGETS = 25;

/** Checks what does not depend on accounts. @throws BUILD_REFUSED */
export function checkTargets(vault: Address, { targets }: VaultTargetsInput): void {
  if (targets.length > MOST_TARGETS) {
    throw refused(`a vault uses at most ${MOST_TARGETS} reserves, and there are ${targets.length} targets`);
  }
  const seen = new Set<Address>();
  for (const { reserve, weight, remove } of targets) {
    if (seen.has(reserve)) throw refused(`reserve ${reserve} has two targets; name it once`);
    seen.add(reserve);
    if (remove === true && weight !== undefined && weight > 0n) {
      throw refused(`reserve ${reserve} cannot be removed from vault ${vault} and have weight ${weight}`);
    }
  }
}

/** The target as a change of the present terms; null when there is nothing to change. @throws BUILD_REFUSED */
export function changedTerms(
  vault: VaultState,
  target: VaultTarget,
): Pick<VaultTarget, 'weight' | 'cap' | 'collateralCap'> | null {
  const present = allocationAt(vault, target.reserve);
  const { cap, collateralCap, remove } = target;
  if (present === undefined && remove === true) {
    throw refused(`the vault has no allocation to reserve ${target.reserve}, so there is none to remove`);
  }
  const weight = remove === true ? 0n : target.weight;
  const isChanged = present === undefined || differs(vault, present, { weight, cap, collateralCap });
  if (!isChanged) return null;
  return {
    // A new allocation needs a term, and its weight is 0 unless given.
    ...(weight === undefined && present !== undefined ? {} : { weight: weight ?? 0n }),
    ...(cap === undefined ? {} : { cap }),
    ...(collateralCap === undefined ? {} : { collateralCap }),
  };
}

interface Terms {
  readonly weight: bigint | undefined;
  readonly cap: CapInput | undefined;
  readonly collateralCap: CapInput | undefined;
}

function differs(
  { tokenMintDecimals }: VaultState,
  present: VaultAllocation,
  { weight, cap, collateralCap }: Terms,
): boolean {
  const { targetAllocationWeight, tokenAllocationCap, ctokenAllocationCap } = present;
  return (
    (weight !== undefined && weight !== targetAllocationWeight) ||
    (cap !== undefined && capUnits(cap, Number(tokenMintDecimals)) !== tokenAllocationCap) ||
    (collateralCap !== undefined &&
      capUnitsAboveZero(collateralCap, COLLATERAL_DECIMALS, 'the collateral cap') !==
        (ctokenAllocationCap === 0n ? U64_MAX : ctokenAllocationCap))
  );
}
