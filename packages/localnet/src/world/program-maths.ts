import { accrualFactorSf, SLOTS_PER_YEAR } from '@sluice/protocol/numeric/compounding';
import {
  bpsScaled,
  ceilScaled,
  divideScaled,
  FRACTION_ONE,
  FULL_BPS,
  floorScaled,
  multiplyScaled,
  percentScaled,
  wholeScaled,
} from '@sluice/protocol/numeric/fraction';
import { atLeastZero, ceilDivide, lesser } from '@sluice/protocol/numeric/integer';
import type { Reserve, Vault } from './model.ts';
import type { CurvePoint } from './reserve-specs.ts';
import { timeOf } from './time.ts';

/** The arithmetic of klend 1.25.0 and kvault 2.3.0, in their fixed point and with their rounding. */

const SECONDS_PER_FEE_YEAR = 31_556_926n;
const SECONDS_PER_YEAR = 31_536_000n;

/**
 * The yearly rate at a utilization. The segment is chosen by whole basis points; a hit on a point uses that
 * point.
 */
export function curveRateSf(points: readonly CurvePoint[], utilizationSf: bigint): bigint {
  const clamped = lesser(utilizationSf, FRACTION_ONE);
  const roundedBps = Number(floorScaled(clamped * FULL_BPS + FRACTION_ONE / 2n));
  let previous = points[0] ?? [0, 0];
  for (const point of points) {
    const [bps, rate] = point;
    if (bps === roundedBps) return bpsScaled(rate);
    if (bps > roundedBps) {
      const [bps0, rate0] = previous;
      const rise = ((clamped - bpsScaled(bps0)) * BigInt(rate - rate0)) / BigInt(bps - bps0);
      return rise + bpsScaled(rate0);
    }
    previous = point;
  }
  return bpsScaled(previous[1]);
}

/** Base units that can be borrowed or withdrawn. */
export function availableOf({ liquidityVault, rewardsAvailable }: Reserve): bigint {
  return liquidityVault.amount - rewardsAvailable;
}

export function totalSupplySf(reserve: Reserve): bigint {
  const fees = reserve.protocolFeesSf + reserve.referrerFeesSf + reserve.pendingReferrerFeesSf;
  return atLeastZero(wholeScaled(availableOf(reserve)) + reserve.borrowedSf - fees);
}

function utilizationSf(reserve: Reserve): bigint {
  const supply = totalSupplySf(reserve);
  return supply === 0n ? 0n : divideScaled(reserve.borrowedSf, supply);
}

/**
 * Accrues interest up to a slot, at the rate of the last update, gives the reserve's rewards, and notes whether it now exceeds
 * its limits.
 */
export function accrueInterest(reserve: Reserve, slot: bigint): void {
  if (slot > reserve.lastSlot) {
    const units = unitsSince(reserve, reserve.lastSlot, slot);
    reserve.lastSlot = slot;
    if (units > 0n) addInterest(reserve, units);
  }
  noteLimits(reserve, timeOf(slot));
}

function addInterest(reserve: Reserve, units: bigint): void {
  const perYear = unitsPerYear(reserve);
  const { curve, hostRateBps = 0, takeRatePct } = reserve.spec;
  const rate = curveRateSf(curve, utilizationSf(reserve)) + bpsScaled(hostRateBps);
  const factor = accrualFactorSf(rate, units, perYear);
  const debt = reserve.borrowedSf;
  const newDebt = multiplyScaled(debt, factor);
  const hostFee = hostInterestOver(reserve, debt, units);
  const variable = newDebt - debt - hostFee;
  const protocolFee = multiplyScaled(variable, percentScaled(takeRatePct));
  const maxReferrerFee =
    reserve.market.referralFeeBps === 0 ? 0n : multiplyScaled(variable, absoluteReferralRateSf(reserve));
  reserve.borrowedSf = newDebt;
  reserve.cumulativeRateSf = multiplyScaled(reserve.cumulativeRateSf, factor);
  reserve.protocolFeesSf += hostFee + protocolFee - maxReferrerFee;
  reserve.pendingReferrerFeesSf += maxReferrerFee;
  giveRewards(reserve, units, perYear);
}

/** The referrers' part of the interest. */
export function absoluteReferralRateSf({ spec, market }: Reserve): bigint {
  return multiplyScaled(percentScaled(spec.takeRatePct), bpsScaled(market.referralFeeBps));
}

/** In the reserve's unit of time: seconds or slots. */
function unitsSince({ spec }: Reserve, from: bigint, to: bigint): bigint {
  return spec.perSecond === true ? BigInt(timeOf(to) - timeOf(from)) : to - from;
}

const unitsPerYear = ({ spec }: Reserve) => (spec.perSecond === true ? SECONDS_PER_YEAR : SLOTS_PER_YEAR);

/** The part of a debt's interest between two slots that the host's fixed rate makes up. */
export function hostInterestSf(reserve: Reserve, debtSf: bigint, from: bigint, to: bigint): bigint {
  return hostInterestOver(reserve, debtSf, unitsSince(reserve, from, to));
}

function hostInterestOver(reserve: Reserve, debtSf: bigint, units: bigint): bigint {
  const { hostRateBps = 0 } = reserve.spec;
  if (hostRateBps === 0) return 0n;
  return (
    multiplyScaled(debtSf, accrualFactorSf(bpsScaled(hostRateBps), units, unitsPerYear(reserve))) - debtSf
  );
}

/** Since when supply and debt have exceeded their limits; 0 while they do not. */
export function noteLimits(reserve: Reserve, time: number): void {
  const { depositLimit, borrowLimit } = reserve;
  const borrowed = floorScaled(reserve.borrowedSf);
  // The usual case, without the fees that are not part of the supply.
  if (borrowed < borrowLimit && availableOf(reserve) + borrowed < depositLimit) {
    reserve.depositLimitSince = 0;
    reserve.borrowLimitSince = 0;
    return;
  }
  const exceedsDeposits = totalSupplySf(reserve) > wholeScaled(depositLimit);
  reserve.depositLimitSince = exceedsDeposits ? reserve.depositLimitSince || time : 0;
  const exceedsBorrows = reserve.borrowedSf > wholeScaled(borrowLimit);
  reserve.borrowLimitSince = exceedsBorrows ? reserve.borrowLimitSince || time : 0;
}

function giveRewards(reserve: Reserve, units: bigint, perYear: bigint): void {
  const { spec, market } = reserve;
  if (spec.rewards === undefined) return;
  const supply = floorScaled(totalSupplySf(reserve));
  const cap = (supply * BigInt(market.rewardsMaxAprBps) * units) / (FULL_BPS * perYear);
  const given = lesser(lesser(spec.rewards.perUnit * units, cap), reserve.rewardsAvailable);
  reserve.rewardsAvailable -= given;
}

/** The cTokens for a deposit, and their cost: the program takes no more than they are worth. */
export function collateralFor(reserve: Reserve, liquidity: bigint): { ctokens: bigint; taken: bigint } {
  const supply = totalSupplySf(reserve);
  const issued = reserve.collateralMint.supply;
  if (supply === 0n || issued === 0n) return { ctokens: liquidity, taken: liquidity };
  const ctokens = (wholeScaled(liquidity) * issued) / supply;
  return { ctokens, taken: lesser(liquidity, ceilScaled(ceilDivide(ctokens * supply, issued))) };
}

/** The liquidity that cTokens are worth, scaled by 2^60. */
export function liquiditySfOf(reserve: Reserve, ctokens: bigint): bigint {
  const issued = reserve.collateralMint.supply;
  return issued === 0n ? wholeScaled(ctokens) : (ctokens * totalSupplySf(reserve)) / issued;
}

/** The cTokens for liquidity scaled by 2^60, rounded down. */
export function collateralWorth(reserve: Reserve, liquiditySf: bigint): bigint {
  const supply = totalSupplySf(reserve);
  const issued = reserve.collateralMint.supply;
  return supply === 0n || issued === 0n ? floorScaled(liquiditySf) : (liquiditySf * issued) / supply;
}

/** The fewest cTokens that pay out the liquidity. */
export function collateralToRedeem(reserve: Reserve, liquidity: bigint): bigint {
  const supply = totalSupplySf(reserve);
  return supply === 0n
    ? liquidity
    : ceilDivide(wholeScaled(liquidity) * reserve.collateralMint.supply, supply);
}

/** The USD value of an amount in base units, both scaled by 2^60. */
export function valueSfOf(reserve: Reserve, amountSf: bigint): bigint {
  return multiplyScaled(amountSf, reserve.priceSf) / 10n ** BigInt(reserve.token.mint.decimals);
}

/** Idle and invested tokens of a vault, including pending fees. */
export function grossAumSf(vault: Vault): bigint {
  let total = wholeScaled(vault.available);
  for (const { reserve, holding } of vault.allocations) {
    if (holding.amount > 0n) total += liquiditySfOf(reserve, holding.amount);
  }
  return total;
}

/** Idle and invested tokens of a vault that belong to shareholders. */
export function netAumSf(vault: Vault): bigint {
  return atLeastZero(grossAumSf(vault) - vault.pendingFeesSf);
}

type VaultFees = Pick<
  Vault,
  | 'pendingFeesSf'
  | 'cumulativeInterestSf'
  | 'cumulativeManagementFeesSf'
  | 'cumulativePerformanceFeesSf'
  | 'prevAumSf'
  | 'lastFeeChargeTime'
>;

/** State of a vault after it has charged fees on its earnings since its last interaction. */
export function chargedFees(vault: Vault, time: number, grossSf = grossAumSf(vault)): VaultFees {
  const { pendingFeesSf, prevAumSf } = vault;
  const { cumulativeInterestSf, cumulativeManagementFeesSf, cumulativePerformanceFeesSf } = vault;
  if (vault.lastFeeChargeTime === 0) {
    return {
      pendingFeesSf,
      cumulativeInterestSf,
      cumulativeManagementFeesSf,
      cumulativePerformanceFeesSf,
      prevAumSf,
      lastFeeChargeTime: time,
    };
  }
  const aum = atLeastZero(grossSf - pendingFeesSf);
  const seconds = BigInt(Math.max(0, time - vault.lastFeeChargeTime));
  const rate = (bpsScaled(vault.spec.managementFeeBps) * seconds) / SECONDS_PER_FEE_YEAR;
  const management = multiplyScaled(prevAumSf, rate);
  const earned = atLeastZero(aum - prevAumSf);
  const performance = multiplyScaled(bpsScaled(vault.spec.performanceFeeBps), earned);
  const fees = lesser(management + performance, aum);
  return {
    pendingFeesSf: pendingFeesSf + fees,
    cumulativeInterestSf: cumulativeInterestSf + earned,
    cumulativeManagementFeesSf: cumulativeManagementFeesSf + management,
    cumulativePerformanceFeesSf: cumulativePerformanceFeesSf + performance,
    prevAumSf: aum - fees,
    lastFeeChargeTime: time,
  };
}
