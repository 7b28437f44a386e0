import type { VaultAllocation, VaultState } from '@sluice/protocol/kvault/vault-state';
import { ceilScaled, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from './accrued-reserve.ts';
import { collateralToLiquidity } from './reserve.ts';

/** The programs write both for "no cap". */
const isCap = (units: bigint): boolean => units !== 0n && units !== U64_MAX;

/** Assets above which the vault takes no deposit, base units; null for no cap. Interest may lift the assets above it. */
export function depositCap({ depositCap: cap }: Pick<VaultState, 'depositCap'>): bigint | null {
  return isCap(cap) ? cap : null;
}

/**
 * The most that one deposit can add, base units: without a cap, what fits into 64 bits.
 * @param aumSf assets of the shareholders after rewards and fees, scaled by 2^60
 */
export function depositRoom({ depositCap: cap }: Pick<VaultState, 'depositCap'>, aumSf: bigint): bigint {
  return atLeastZero((cap === 0n ? U64_MAX : cap) - ceilScaled(aumSf));
}

/** The cap of an allocation in collateral tokens, base units; null for none. */
export function collateralCap({
  ctokenAllocationCap: cap,
}: Pick<VaultAllocation, 'ctokenAllocationCap'>): bigint | null {
  return isCap(cap) ? cap : null;
}

/**
 * The most that a vault invests in a reserve, base units of the deposit token: the smaller of both caps, that in collateral
 * tokens at their present price. That one is left out when the reserve is null, because it could not be read.
 */
export function allocationCap(allocation: VaultAllocation, reserve: AccruedReserve | null): Rational {
  const tokens = integer(allocation.tokenAllocationCap);
  const collateral = collateralCap(allocation);
  return collateral === null || reserve === null
    ? tokens
    : tokens.min(collateralToLiquidity(reserve, collateral));
}
