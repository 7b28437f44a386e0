import { SLOTS_PER_YEAR } from '../numeric/compounding.ts';
import {
  FRACTION_ONE,
  FULL_BPS,
  fromScaledFraction,
  multiplyScaled,
  percentScaled,
  toScaledFraction,
} from '../numeric/fraction.ts';
import { lesser } from '../numeric/integer.ts';
import type { Reserve } from '../programs/klend/reserve.ts';
import type { ReserveConfig } from '../programs/klend/reserve-config.ts';
import { type AccruedReserve, storedReserve, withInterest } from './interest.ts';

/**
 * The reserve after a refresh at a slot, with the rounding of the lending program. Every action starts with a refresh, so
 * these amounts decide its outcome to the base unit. `accrueReserve` evaluates the same formulas without rounding, as the
 * official SDK does; the program loses most of the second-order terms, some base units in a million tokens.
 *
 * @param referralFeeBps of the market. Only splits the fees; total supply does not depend on it.
 */
export function refreshReserve(account: Reserve, slot: bigint, referralFeeBps: number): AccruedReserve {
  const { config, lastUpdate } = account;
  const stored = storedReserve(account, slot);
  const elapsed = slot - lastUpdate.slot;
  if (elapsed <= 0n) return stored;
  const hostRateSf = bpsScaled(config.hostFixedInterestRateBps);
  const rateSf = curveRateSf(config, toScaledFraction(stored.utilization)) + hostRateSf;
  const takeRateSf = percentScaled(config.protocolTakeRatePct);
  return withInterest(stored, {
    growth: fromScaledFraction(growthSf(rateSf, elapsed)),
    hostGrowth: fromScaledFraction(growthSf(hostRateSf, elapsed)),
    takeRate: fromScaledFraction(takeRateSf),
    referralRate: fromScaledFraction(multiplyScaled(takeRateSf, bpsScaled(referralFeeBps))),
  });
}

const bpsScaled = (bps: number | bigint): bigint => (BigInt(bps) * FRACTION_ONE) / FULL_BPS;

/**
 * The program chooses the segment by whole basis points; a hit on a point uses that point's rate. Defined even for a curve
 * that the program would reject.
 */
function curveRateSf({ borrowRateCurve: { points } }: ReserveConfig, utilizationSf: bigint): bigint {
  const clamped = lesser(utilizationSf, FRACTION_ONE);
  const bps = Number((clamped * FULL_BPS + FRACTION_ONE / 2n) / FRACTION_ONE);
  let [start] = points;
  for (const end of points) {
    if (start !== undefined && end.utilizationRateBps >= bps) {
      const run = BigInt(end.utilizationRateBps - start.utilizationRateBps);
      if (end.utilizationRateBps === bps || run <= 0n) return bpsScaled(end.borrowRateBps);
      const rise = BigInt(end.borrowRateBps - start.borrowRateBps);
      const offsetSf = clamped - bpsScaled(start.utilizationRateBps);
      return (offsetSf * rise) / run + bpsScaled(start.borrowRateBps);
    }
    start = end;
  }
  return bpsScaled(start?.borrowRateBps ?? 0);
}

function growthSf(yearlyRateSf: bigint, slots: bigint): bigint {
  const base = yearlyRateSf / SLOTS_PER_YEAR;
  const one = FRACTION_ONE + base;
  if (slots === 1n) return one;
  const squared = multiplyScaled(one, one);
  if (slots === 2n) return squared;
  if (slots === 3n) return multiplyScaled(squared, one);
  if (slots === 4n) return multiplyScaled(squared, squared);
  const base2 = multiplyScaled(base, base);
  const base3 = multiplyScaled(base2, base);
  const pairs = slots * (slots - 1n);
  return FRACTION_ONE + base * slots + (base2 * pairs) / 2n + (base3 * pairs * (slots - 2n)) / 6n;
}
