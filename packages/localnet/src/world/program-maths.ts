import { accrualFactorSf, SLOTS_PER_YEAR } from '@sluice/protocol/numeric/compounding';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import type { Reserve, Vault } from './model.ts';
import type { CurvePoint } from './reserve-specs.ts';
import { timeOf } from './time.ts';

/** The programs' arithmetic, in their fixed point and with their rounding. */

const SHIFT = 60n;
const BPS = 10_000n;
const SECONDS_PER_FEE_YEAR = 31_556_926n;
const SECONDS_PER_YEAR = 31_536_000n;

export const minOf = (a: bigint, b: bigint) => (a < b ? a : b);
export const maxOf = (a: bigint, b: bigint) => (a > b ? a : b);
export const ceilDiv = (a: bigint, b: bigint) => (a + b - 1n) / b;
export const toSf = (amount: bigint) => amount << SHIFT;
export const floorSf = (sf: bigint) => sf >> SHIFT;
export const ceilSf = (sf: bigint) => (sf + FRACTION_ONE - 1n) >> SHIFT;
const mulSf = (a: bigint, b: bigint) => (a * b) >> SHIFT;

/**
 * The yearly rate at a utilisation. The segment is chosen by whole basis points; a hit on a point uses that
 * point.
 */
export function curveRateSf(points: readonly CurvePoint[], utilisationSf: bigint): bigint {
  const clamped = minOf(utilisationSf, FRACTION_ONE);
  const roundedBps = Number((clamped * BPS + FRACTION_ONE / 2n) >> SHIFT);
  let previous = points[0] ?? [0, 0];
  for (const point of points) {
    const [bps, rate] = point;
    if (bps === roundedBps) return (BigInt(rate) << SHIFT) / BPS;
    if (bps > roundedBps) {
      const [bps0, rate0] = previous;
      const run = clamped * BPS - (BigInt(bps0) << SHIFT);
      const slope = (run * BigInt(rate - rate0)) / BigInt(bps - bps0);
      return maxOf(0n, (BigInt(rate0) << SHIFT) + slope) / BPS;
    }
    previous = point;
  }
  return (BigInt(previous[1]) << SHIFT) / BPS;
}

/** Base units that can be borrowed or withdrawn. */
export function availableOf({ liquidityVault, rewardsAvailable }: Reserve): bigint {
  return liquidityVault.amount - rewardsAvailable;
}

export function totalSupplySf(reserve: Reserve): bigint {
  const fees = reserve.protocolFeesSf + reserve.referrerFeesSf + reserve.pendingReferrerFeesSf;
  return maxOf(0n, toSf(availableOf(reserve)) + reserve.borrowedSf - fees);
}

function utilisationSf(reserve: Reserve): bigint {
  const supply = totalSupplySf(reserve);
  return supply === 0n ? 0n : (reserve.borrowedSf << SHIFT) / supply;
}

/** Accrues interest up to a slot, at the rate of the last update, then gives the reserve's rewards. */
export function accrueInterest(reserve: Reserve, slot: bigint): void {
  if (slot <= reserve.lastSlot) return;
  const { units, perYear } = timeSinceRefresh(reserve, slot);
  reserve.lastSlot = slot;
  if (units === 0n) return;
  const { curve, hostRateBps = 0, takeRatePct } = reserve.spec;
  const hostRate = (BigInt(hostRateBps) << SHIFT) / BPS;
  const rate = curveRateSf(curve, utilisationSf(reserve)) + hostRate;
  const factor = accrualFactorSf(rate, units, perYear);
  const debt = reserve.borrowedSf;
  const newDebt = mulSf(debt, factor);
  const hostFee = mulSf(debt, accrualFactorSf(hostRate, units, perYear)) - debt;
  const protocolFee = mulSf(newDebt - debt - hostFee, toSf(BigInt(takeRatePct)) / 100n);
  const maxReferrerFee = mulSf(newDebt - debt - hostFee, absoluteReferralRateSf(reserve));
  reserve.borrowedSf = newDebt;
  reserve.cumulativeRateSf = mulSf(reserve.cumulativeRateSf, factor);
  reserve.protocolFeesSf += hostFee + protocolFee - maxReferrerFee;
  reserve.pendingReferrerFeesSf += maxReferrerFee;
  giveRewards(reserve, units, perYear);
}

/** The referrers' part of the interest. */
export function absoluteReferralRateSf({ spec, market }: Reserve): bigint {
  return mulSf(toSf(BigInt(spec.takeRatePct)) / 100n, toSf(BigInt(market.referralFeeBps)) / BPS);
}

function timeSinceRefresh({ spec, lastSlot }: Reserve, slot: bigint) {
  return spec.perSecond === true
    ? { units: BigInt(timeOf(slot) - timeOf(lastSlot)), perYear: SECONDS_PER_YEAR }
    : { units: slot - lastSlot, perYear: SLOTS_PER_YEAR };
}

function giveRewards(reserve: Reserve, units: bigint, perYear: bigint): void {
  const { spec, market } = reserve;
  if (spec.rewards === undefined) return;
  const supply = floorSf(totalSupplySf(reserve));
  const cap = (supply * BigInt(market.rewardsMaxAprBps) * units) / (BPS * perYear);
  const given = minOf(minOf(spec.rewards.perUnit * units, cap), reserve.rewardsAvailable);
  reserve.rewardsAvailable -= given;
}

/** The cTokens for a deposit, and their cost: the program takes no more than they are worth. */
export function collateralFor(reserve: Reserve, liquidity: bigint): { ctokens: bigint; taken: bigint } {
  const supply = totalSupplySf(reserve);
  const issued = reserve.collateralMint.supply;
  if (supply === 0n || issued === 0n) return { ctokens: liquidity, taken: liquidity };
  const ctokens = (toSf(liquidity) * issued) / supply;
  return { ctokens, taken: minOf(liquidity, ceilSf(ceilDiv(ctokens * supply, issued))) };
}

/** The liquidity that cTokens are worth, scaled by 2^60. */
export function liquiditySfOf(reserve: Reserve, ctokens: bigint): bigint {
  const issued = reserve.collateralMint.supply;
  return issued === 0n ? toSf(ctokens) : (ctokens * totalSupplySf(reserve)) / issued;
}

/** The fewest cTokens that pay out the liquidity. */
export function collateralToRedeem(reserve: Reserve, liquidity: bigint): bigint {
  const supply = totalSupplySf(reserve);
  return supply === 0n ? liquidity : ceilDiv(toSf(liquidity) * reserve.collateralMint.supply, supply);
}

/** The USD value of an amount in base units, both scaled by 2^60. */
export function valueSfOf(reserve: Reserve, amountSf: bigint): bigint {
  return mulSf(amountSf, reserve.priceSf) / 10n ** BigInt(reserve.token.mint.decimals);
}

/** Idle and invested tokens of a vault, including pending fees. */
function grossAumSf(vault: Vault): bigint {
  let total = toSf(vault.available);
  for (const { reserve, holding } of vault.allocations) {
    if (holding.amount > 0n) total += liquiditySfOf(reserve, holding.amount);
  }
  return total;
}

/** Idle and invested tokens of a vault that belong to shareholders. */
export function netAumSf(vault: Vault): bigint {
  return maxOf(0n, grossAumSf(vault) - vault.pendingFeesSf);
}

/** Charges fees on what the vault has earned since its last interaction. */
export function chargeVaultFees(vault: Vault, time: number): void {
  const aum = netAumSf(vault);
  if (vault.lastFeeChargeTime !== 0) {
    const seconds = BigInt(Math.max(0, time - vault.lastFeeChargeTime));
    const yearly = (vault.prevAumSf * BigInt(vault.spec.managementFeeBps)) / BPS;
    const management = (yearly * seconds) / SECONDS_PER_FEE_YEAR;
    const earned = maxOf(0n, aum - vault.prevAumSf);
    const performance = (earned * BigInt(vault.spec.performanceFeeBps)) / BPS;
    const fees = minOf(management + performance, aum);
    vault.pendingFeesSf += fees;
    vault.cumulativeInterestSf += earned;
    vault.cumulativeManagementFeesSf += management;
    vault.cumulativePerformanceFeesSf += performance;
    vault.prevAumSf = aum - fees;
  }
  vault.lastFeeChargeTime = time;
}
