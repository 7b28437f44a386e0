import type { Address } from '@solana/kit';
import { roundToPublished } from '../numeric/decimal.ts';
import { fromBps } from '../numeric/fraction.ts';
import { power } from '../numeric/power.ts';
import { integer, ONE, Rational, ZERO } from '../numeric/rational.ts';
import type { VaultState } from '../programs/kvault/vault-state.ts';
import { ratio, total } from './arithmetic.ts';
import { type Moment, SECONDS_PER_YEAR } from './moment.ts';
import { lendingApy, supplyApr } from './rates.ts';
import type { AllocationHolding, VaultHoldings } from './vault.ts';

/** Yields per year as fractions. The four parts add up to the total exactly, as published. */
export interface ApyBreakdown {
  readonly total: Rational;
  /** Interest, after vault fees where it is a vault's. */
  readonly base: Rational;
  /** From the farm in which the position itself is staked. */
  readonly farmRewards: Rational;
  /** From rewards on the reserves behind a vault. */
  readonly reserveRewards: Rational;
  /** From campaigns. */
  readonly incentives: Rational;
  /** Base before vault fees; null where no vault fee applies. */
  readonly grossBase: Rational | null;
  /** What vault fees do to the base (base less gross base, so not positive as a rule); null where none applies. */
  readonly feeImpact: Rational | null;
}

/** The parts that are not interest; left out means zero. */
export interface RewardApys {
  readonly farmRewards?: Rational;
  readonly reserveRewards?: Rational;
  readonly incentives?: Rational;
}

/** Interest of a year before and after vault fees. */
export interface BaseApy {
  readonly gross: Rational;
  readonly net: Rational;
}

/** Puts the parts together: each is rounded as it is published, and the total is their sum. */
export function apyBreakdown(base: Rational | BaseApy, rewards: RewardApys = {}): ApyBreakdown {
  const gross = 'net' in base ? roundToPublished(base.gross) : null;
  const parts = {
    base: roundToPublished('net' in base ? base.net : base),
    farmRewards: roundToPublished(rewards.farmRewards ?? ZERO),
    reserveRewards: roundToPublished(rewards.reserveRewards ?? ZERO),
    incentives: roundToPublished(rewards.incentives ?? ZERO),
  };
  return {
    total: total(Object.values(parts)),
    ...parts,
    grossBase: gross,
    feeImpact: gross && parts.base.sub(gross),
  };
}

/** What rewards on a debt do to its cost: they lower it, so their parts are negative. */
export function borrowApyBreakdown(base: Rational, rewards: RewardApys = {}): ApyBreakdown {
  return apyBreakdown(base, {
    farmRewards: (rewards.farmRewards ?? ZERO).neg(),
    reserveRewards: (rewards.reserveRewards ?? ZERO).neg(),
    incentives: (rewards.incentives ?? ZERO).neg(),
  });
}

/** A vault's yearly rate after its performance fee (on interest) and management fee (on everything). */
export function afterVaultFees(vault: VaultState, grossApr: Rational): Rational {
  const kept = ONE.sub(fromBps(vault.performanceFeeBps));
  return grossApr.mul(kept).sub(fromBps(vault.managementFeeBps));
}

/** Works out each when that is first asked for: what is recorded is the net alone. */
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

/** Yield of the vault as it is invested now, idle tokens earning nothing. Zero for an empty vault, fees included. */
export function actualApy(vault: VaultState, holdings: VaultHoldings, moment: Moment): BaseApy {
  if (holdings.gross.isZero) return NO_YIELD;
  const earned: Rational[] = [];
  for (const { reserve, invested } of holdings.allocations) {
    if (reserve !== null && invested !== null) earned.push(invested.mul(supplyApr(reserve, moment)));
  }
  return new CompoundedApy(vault, ratio(total(earned), holdings.gross));
}

/**
 * Yield of the vault if every token were invested by target weight; unallocated weight is not counted. Zero without
 * weights; null when a reserve with a weight could not be read.
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
 * What the reserves behind a vault pay in rewards, weighted by what is invested in each; idle tokens earn none.
 *
 * @param apyOf reward yield of suppliers of a reserve; 0 where there is none.
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

/** Beyond this many doublings or halvings a year a yield says nothing; see the greatest rate in rates.ts. */
const MAX_DOUBLINGS = 721;

/**
 * The yearly yield that a rise of the share price from `first` to `last` in so many seconds amounts to, compounded.
 * Null when nothing has passed or a price is missing.
 */
export function realisedApy(first: Rational, last: Rational, seconds: bigint): Rational | null {
  if (seconds <= 0n || first.n <= 0n || last.n <= 0n) return null;
  const growth = last.div(first);
  const doublings = (Math.log2(growth.toNumber()) * Number(SECONDS_PER_YEAR)) / Number(seconds);
  if (Math.abs(doublings) < MAX_DOUBLINGS) {
    return power(growth, Rational.of(SECONDS_PER_YEAR, seconds)).sub(ONE);
  }
  return doublings < 0 ? ONE.neg() : integer((1n << BigInt(MAX_DOUBLINGS)) - 1n);
}

/** A value with the yield that it earns or costs. */
export interface YieldingValue {
  readonly valueUsd: Rational;
  readonly apy: Rational;
}

/** The mean yield, weighted by value; 0 for no value. */
export function weightedApy(parts: Iterable<YieldingValue>): Rational {
  const all = [...parts];
  return ratio(
    total(all.map(({ valueUsd, apy }) => valueUsd.mul(apy))),
    total(all.map((part) => part.valueUsd)),
  );
}

/** Yield of deposits less cost of debts, on what is left after debts; 0 when nothing is left. */
export function netApy(deposits: readonly YieldingValue[], borrows: readonly YieldingValue[]): Rational {
  const yearly = (parts: readonly YieldingValue[]) =>
    total(parts.map(({ valueUsd, apy }) => valueUsd.mul(apy)));
  const value = (parts: readonly YieldingValue[]) => total(parts.map(({ valueUsd }) => valueUsd));
  return ratio(yearly(deposits).sub(yearly(borrows)), value(deposits).sub(value(borrows)));
}
