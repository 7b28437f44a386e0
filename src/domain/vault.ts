import type { Address } from '@solana/kit';
import { roundToPublished } from '../numeric/decimal.ts';
import { fromScaledFraction } from '../numeric/fraction.ts';
import { integer, Rational, ZERO } from '../numeric/rational.ts';
import type { VaultAllocation, VaultState } from '../programs/kvault/vault-state.ts';
import { presentAddress } from '../programs/program-ids.ts';
import { positivePart, ratio, total, unitsPerToken } from './arithmetic.ts';
import type { AccruedReserve } from './interest.ts';
import { type Moment, SECONDS_PER_YEAR } from './moment.ts';
import { supplyApr } from './rates.ts';
import { collateralToLiquidity, freelyAvailable } from './reserve.ts';

/** Finds a reserve of the View by address; undefined when it could not be read. */
export type AccruedReserves = (address: Address) => AccruedReserve | undefined;

/** One used place of the strategy, with what it is worth. */
export interface AllocationHolding {
  readonly allocation: VaultAllocation;
  /** Null when the reserve could not be read. */
  readonly reserve: AccruedReserve | null;
  /** Base units of the deposit token; null when the reserve could not be read and the vault holds a part of it. */
  readonly invested: Rational | null;
}

/** What a vault owns at a slot. Base units of the deposit token. */
export interface VaultHoldings {
  readonly idle: Rational;
  /** The sum of the allocations, to the last published digit. */
  readonly invested: Rational;
  /** Idle and invested, before pending fees. */
  readonly gross: Rational;
  /** Charged by the program, not yet taken out. */
  readonly pendingFees: Rational;
  /** Assets under management: gross less pending fees, which belongs to the holders of shares. Never negative. */
  readonly aum: Rational;
  readonly allocations: readonly AllocationHolding[];
}

const used = new WeakMap<VaultState, readonly VaultAllocation[]>();

/** The places of the strategy that are in use, in order. */
export function usedAllocations(vault: VaultState): readonly VaultAllocation[] {
  const known = used.get(vault);
  if (known !== undefined) return known;
  const places = vault.vaultAllocationStrategy.filter(({ reserve }) => presentAddress(reserve) !== null);
  used.set(vault, places);
  return places;
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
  return reserve && roundToPublished(collateralToLiquidity(reserve, allocation.ctokenAllocation));
}

/** Null when a reserve that the vault has invested in could not be read. */
export function vaultHoldings(vault: VaultState, reserves: AccruedReserves): VaultHoldings | null {
  const allocations = allocationHoldings(vault, reserves);
  const parts: Rational[] = [];
  for (const { invested } of allocations) {
    if (invested === null) return null;
    parts.push(invested);
  }
  const idle = integer(vault.tokenAvailable);
  const invested = total(parts);
  const gross = total([idle, invested]);
  const pendingFees = fromScaledFraction(vault.pendingFeesSf);
  return { idle, invested, gross, pendingFees, aum: positivePart(gross.sub(pendingFees)), allocations };
}

/** Tokens that one share is worth, both as whole units; 0 without shares. */
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

/** Base units of the deposit token that an amount of shares (base units) is worth; 0 without shares. */
export function sharesToTokens(vault: VaultState, { aum }: VaultHoldings, shares: Rational): Rational {
  return ratio(aum.mul(shares), integer(vault.sharesIssued));
}

/** Share of the vault's value that an allocation aims at, by weight, unallocated weight included; 0 without weights. */
export function targetShare(vault: VaultState, allocation: VaultAllocation): Rational {
  let weights = vault.unallocatedWeight;
  for (const { targetAllocationWeight } of usedAllocations(vault)) weights += targetAllocationWeight;
  return ratio(integer(allocation.targetAllocationWeight), integer(weights));
}

/** Share of the vault's value that an allocation has; null when its reserve could not be read. */
export function actualShare({ gross }: VaultHoldings, { invested }: AllocationHolding): Rational | null {
  return invested && ratio(invested, gross);
}

/**
 * Base units that holders could take out at this moment: what is idle and what each reserve has free for the vault's
 * part in it, never more than the shares are worth.
 */
export function withdrawableNow(holdings: VaultHoldings): Rational {
  const parts = [holdings.idle];
  for (const { reserve, invested } of holdings.allocations) {
    if (reserve !== null && invested !== null)
      parts.push(invested.min(roundToPublished(freelyAvailable(reserve))));
  }
  return total(parts).min(holdings.aum);
}

/** Share of the vault's value that its reserves have lent out; 0 for an empty vault. */
export function vaultUtilization(holdings: VaultHoldings): Rational {
  const lent: Rational[] = [];
  for (const { reserve, invested } of holdings.allocations) {
    if (reserve !== null && invested !== null) lent.push(invested.mul(roundToPublished(reserve.utilization)));
  }
  return ratio(total(lent), holdings.gross);
}

/** Interest that the invested part earns now, before vault fees: base units of the deposit token per second. */
export function interestPerSecond(holdings: VaultHoldings, moment: Moment): Rational {
  const yearly: Rational[] = [];
  for (const { reserve, invested } of holdings.allocations) {
    if (reserve !== null && invested !== null) yearly.push(invested.mul(supplyApr(reserve, moment)));
  }
  return total(yearly).div(integer(SECONDS_PER_YEAR));
}
