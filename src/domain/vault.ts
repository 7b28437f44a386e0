import type { VaultAllocation, VaultState } from '@sluice/protocol/kvault/vault-state';
import { roundParts, roundToPublished } from '@sluice/protocol/numeric/decimal';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from './accrued-reserve.ts';
import { positivePart, ratio, total, unitsPerToken } from './arithmetic.ts';
import { type Moment, SECONDS_PER_YEAR } from './moment.ts';
import { supplyApr } from './rates.ts';
import { collateralToLiquidity, redeemableNow } from './reserve.ts';

/** Finds a reserve of the View by address; undefined when it could not be read. */
export type AccruedReserves = (address: Address) => AccruedReserve | undefined;

/** One used slot of the allocation strategy, with its value. */
export interface AllocationHolding {
  readonly allocation: VaultAllocation;
  /** Null when the reserve could not be read. */
  readonly reserve: AccruedReserve | null;
  /** Base units of the deposit token; null when the vault has invested in the reserve and it could not be read. */
  readonly invested: Rational | null;
}

/** A vault's assets at a slot. Base units of the deposit token. */
export interface VaultHoldings {
  readonly idle: Rational;
  /** Exactly the sum of the published allocations. */
  readonly invested: Rational;
  /** Idle plus invested, before pending fees. */
  readonly gross: Rational;
  /** Charged by the program, not yet withdrawn. */
  readonly pendingFees: Rational;
  /** Assets under management: gross minus pending fees, owned by the shareholders. Never negative. */
  readonly aum: Rational;
  readonly allocations: readonly AllocationHolding[];
}

const usedByVault = new WeakMap<VaultState, readonly VaultAllocation[]>();

/** The used slots of the strategy, in order. */
export function usedAllocations(vault: VaultState): readonly VaultAllocation[] {
  const cached = usedByVault.get(vault);
  if (cached !== undefined) return cached;
  const used = vault.vaultAllocationStrategy.filter(({ reserve }) => presentAddress(reserve) !== null);
  usedByVault.set(vault, used);
  return used;
}

/** Each used allocation with its reserve and value. */
export function allocationHoldings(vault: VaultState, reserves: AccruedReserves): AllocationHolding[] {
  return usedAllocations(vault).map((allocation) => {
    const reserve = reserves(allocation.reserve) ?? null;
    return { allocation, reserve, invested: investedIn(allocation, reserve) };
  });
}

function investedIn(allocation: VaultAllocation, reserve: AccruedReserve | null): Rational | null {
  if (allocation.ctokenAllocation === 0n) return ZERO;
  return reserve && collateralToLiquidity(reserve, allocation.ctokenAllocation);
}

/** Null when a reserve with invested tokens could not be read. */
export function vaultHoldings(vault: VaultState, reserves: AccruedReserves): VaultHoldings | null {
  const exact = allocationHoldings(vault, reserves);
  const parts = [integer(vault.tokenAvailable)];
  for (const { invested } of exact) {
    if (invested === null) return null;
    parts.push(invested);
  }
  const [idle = ZERO, ...rounded] = roundParts(parts);
  const allocations = exact.map((holding, i) => ({ ...holding, invested: rounded[i] ?? ZERO }));
  const invested = total(rounded);
  const gross = total([idle, invested]);
  const pendingFees = fromScaledFraction(vault.pendingFeesSf);
  return { idle, invested, gross, pendingFees, aum: positivePart(gross.sub(pendingFees)), allocations };
}

/** Tokens per share, both in whole units; 0 without shares. */
export function tokensPerShare(vault: VaultState, { aum }: VaultHoldings): Rational {
  if (vault.sharesIssued === 0n) return ZERO;
  return Rational.of(
    aum.n * unitsPerToken(vault.sharesMintDecimals),
    aum.d * vault.sharesIssued * unitsPerToken(vault.tokenMintDecimals),
  );
}

/** Price of one share, from tokens per share and the token's price in the same currency (USD or SOL). */
export function sharePrice(tokensForOneShare: Rational, tokenPrice: Rational): Rational {
  return tokensForOneShare.mul(tokenPrice);
}

/** Converts shares to the deposit token, both in base units; 0 when no shares exist. */
export function sharesToTokens(vault: VaultState, { aum }: VaultHoldings, shares: Rational): Rational {
  return ratio(aum.mul(shares), integer(vault.sharesIssued));
}

/** An allocation's target fraction of the vault's value, including unallocated weight; 0 without weights. */
export function targetShare(vault: VaultState, allocation: VaultAllocation): Rational {
  let weights = vault.unallocatedWeight;
  for (const { targetAllocationWeight } of usedAllocations(vault)) weights += targetAllocationWeight;
  return weightShare(allocation.targetAllocationWeight, weights);
}

/** The fraction of a vault for a weight among all of its weights, the unallocated one included; 0 without weights. */
export function weightShare(weight: bigint, allWeights: bigint): Rational {
  return ratio(integer(weight), integer(allWeights));
}

/** An allocation's actual fraction of the vault's value; null when its reserve could not be read. */
export function actualShare({ gross }: VaultHoldings, { invested }: AllocationHolding): Rational | null {
  return invested && ratio(invested, gross);
}

/** The fraction of the vault's value that is not invested: what the actual shares leave. 1 for an empty vault. */
export function unallocatedShare(holdings: VaultHoldings): Rational {
  return ONE.sub(ratio(holdings.invested, holdings.gross));
}

/**
 * Base units that shareholders could withdraw now: idle tokens plus each reserve's available liquidity up to the vault's
 * investment, never more than the value of the shares.
 */
export function withdrawableNow(holdings: VaultHoldings): Rational {
  const parts = [holdings.idle];
  for (const { reserve, invested } of holdings.allocations) {
    if (reserve !== null && invested !== null)
      parts.push(invested.min(roundToPublished(redeemableNow(reserve))));
  }
  return total(parts).min(holdings.aum);
}

/** Fraction of the vault's value that its reserves have lent out; 0 for an empty vault. */
export function vaultUtilization(holdings: VaultHoldings): Rational {
  const lent: Rational[] = [];
  for (const { reserve, invested } of holdings.allocations) {
    if (reserve !== null && invested !== null) lent.push(invested.mul(roundToPublished(reserve.utilization)));
  }
  return ratio(total(lent), holdings.gross);
}

/** Current interest before vault fees: base units of the deposit token per second. */
export function interestPerSecond(holdings: VaultHoldings, moment: Moment): Rational {
  const yearly: Rational[] = [];
  for (const { reserve, invested } of holdings.allocations) {
    if (reserve !== null && invested !== null) yearly.push(invested.mul(supplyApr(reserve, moment)));
  }
  return total(yearly).div(integer(SECONDS_PER_YEAR));
}
