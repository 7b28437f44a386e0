import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { roundParts, roundToPublished } from '@sluice/protocol/numeric/decimal';
import { fromBps } from '@sluice/protocol/numeric/fraction';
import { power } from '@sluice/protocol/numeric/power';
import { integer, ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { ratio, total } from './arithmetic.ts';
import { type Moment, SECONDS_PER_YEAR } from './moment.ts';
import { lendingApy, supplyApr } from './rates.ts';
import type { AllocationHolding, VaultHoldings } from './vault.ts';

/** Yearly yields as fractions. The four published parts add up to the published total exactly. */
export interface ApyBreakdown {
  readonly total: Rational;
  /** Interest; for a vault, after vault fees. */
  readonly base: Rational;
  /** From the farm in which the position is staked. */
  readonly farmRewards: Rational;
  /** From a reserve's own rewards; for a vault, from those and campaigns of the reserves that it invests in. */
  readonly reserveRewards: Rational;
  /** From campaigns. */
  readonly incentives: Rational;
  /** Base before vault fees; null where no vault fee applies. */
  readonly grossBase: Rational | null;
  /** Base minus gross base, so usually negative or zero; null where no vault fee applies. */
  readonly feeImpact: Rational | null;
}

/** The parts other than interest; an omitted part is zero. */
export interface RewardApys {
  readonly farmRewards?: Rational;
  readonly reserveRewards?: Rational;
  readonly incentives?: Rational;
}

/** Yearly interest before and after vault fees. */
export interface BaseApy {
  readonly gross: Rational;
  readonly net: Rational;
}

/** Rounds the parts together for publication; the total is the sum of the rounded parts. */
export function apyBreakdown(base: Rational | BaseApy, rewards: RewardApys = {}): ApyBreakdown {
  const hasFees = 'net' in base;
  const [net, farmRewards, reserveRewards, incentives, gross] = roundParts([
    hasFees ? base.net : base,
    rewards.farmRewards ?? ZERO,
    rewards.reserveRewards ?? ZERO,
    rewards.incentives ?? ZERO,
    hasFees ? base.gross : ZERO,
  ] as const);
  return {
    total: total([net, farmRewards, reserveRewards, incentives]),
    base: net,
    farmRewards,
    reserveRewards,
    incentives,
    grossBase: hasFees ? gross : null,
    feeImpact: hasFees ? net.sub(gross) : null,
  };
}

/** The cost of a debt. Rewards lower it, so their parts are negative. */
export function borrowApyBreakdown(base: Rational, rewards: RewardApys = {}): ApyBreakdown {
  return apyBreakdown(base, {
    farmRewards: (rewards.farmRewards ?? ZERO).neg(),
    reserveRewards: (rewards.reserveRewards ?? ZERO).neg(),
    incentives: (rewards.incentives ?? ZERO).neg(),
  });
}

/** A vault's APR after its performance fee (on interest) and management fee (on all assets). */
function afterVaultFees(vault: VaultState, grossApr: Rational): Rational {
  const shareholdersPart = ONE.sub(fromBps(vault.performanceFeeBps));
  return grossApr.mul(shareholdersPart).sub(fromBps(vault.managementFeeBps));
}

/** Computes each yield on demand: the recorder needs only the net one. */
class CompoundedApy implements BaseApy {
  readonly #vault: VaultState;
  readonly #grossApr: Rational;

  constructor(vault: VaultState, grossApr: Rational) {
    this.#vault = vault;
    this.#grossApr = grossApr;
  }

  get gross(): Rational {
    return lendingApy(this.#grossApr);
  }

  get net(): Rational {
    return lendingApy(afterVaultFees(this.#vault, this.#grossApr));
  }
}

const NO_YIELD: BaseApy = { gross: ZERO, net: ZERO };

/** Yield of the vault's current allocation; idle tokens earn nothing. Zero, before and after fees, for an empty vault. */
export function actualApy(vault: VaultState, holdings: VaultHoldings, moment: Moment): BaseApy {
  if (holdings.gross.isZero) return NO_YIELD;
  const earned: Rational[] = [];
  for (const { reserve, invested } of holdings.allocations) {
    if (reserve !== null && invested !== null) earned.push(invested.mul(supplyApr(reserve, moment)));
  }
  return new CompoundedApy(vault, ratio(total(earned), holdings.gross));
}

/**
 * Yield if every token were invested by target weight, ignoring unallocated weight. Zero without weights; null when a
 * weighted reserve could not be read.
 */
export function theoreticalApy(
  vault: VaultState,
  allocations: readonly AllocationHolding[],
  moment: Moment,
): BaseApy | null {
  const weighted: Rational[] = [];
  let weights = 0n;
  for (const { allocation, reserve } of allocations) {
    const weight = allocation.targetAllocationWeight;
    if (weight === 0n) continue;
    if (reserve === null) return null;
    weighted.push(supplyApr(reserve, moment).mul(integer(weight)));
    weights += weight;
  }
  return weights === 0n ? NO_YIELD : new CompoundedApy(vault, total(weighted).div(integer(weights)));
}

/**
 * Reward yield of the reserves that a vault invests in, weighted by the amount invested; idle tokens earn none.
 *
 * @param apyOf reward APY for suppliers of a reserve; 0 for none.
 */
export function reserveRewardsApy(
  { allocations, gross }: VaultHoldings,
  apyOf: (reserve: Address) => Rational,
): Rational {
  const earned: Rational[] = [];
  for (const { allocation, invested } of allocations) {
    const apy = apyOf(allocation.reserve);
    if (invested !== null && !apy.isZero) earned.push(invested.mul(roundToPublished(apy)));
  }
  return earned.length === 0 ? ZERO : ratio(total(earned), gross);
}

/** Yields are capped at this many doublings (or halvings) a year, which matches the largest APY in rates.ts. */
const MAX_DOUBLINGS = 721;

/**
 * Compounded yearly yield of a share price that moved from `first` to `last` in `seconds`. Null when no time has passed
 * or a price is not positive.
 */
export function realisedApy(first: Rational, last: Rational, seconds: bigint): Rational | null {
  if (seconds <= 0n || first.n <= 0n || last.n <= 0n) return null;
  return compoundedApy(last.div(first), Rational.of(SECONDS_PER_YEAR, seconds));
}

/** Yearly yield of something that grows by a positive factor in a period, with that many periods in a year. */
export function compoundedApy(growth: Rational, periodsPerYear: Rational): Rational {
  const doublings = Math.log2(growth.toNumber()) * periodsPerYear.toNumber();
  if (Math.abs(doublings) < MAX_DOUBLINGS) return power(growth, periodsPerYear).sub(ONE);
  return doublings < 0 ? ONE.neg() : integer((1n << BigInt(MAX_DOUBLINGS)) - 1n);
}
