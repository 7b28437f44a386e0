import { SLOTS_PER_YEAR } from '../numeric/compounding.ts';
import { FRACTION_ONE, FULL_BPS, multiplyScaled, percentScaled } from '../numeric/fraction.ts';
import { atLeastZero, lesser } from '../numeric/integer.ts';
import type { Reserve } from '../programs/klend/reserve.ts';
import type { ReserveConfig } from '../programs/klend/reserve-config.ts';

/** What a refresh changes and an exchange of collateral depends on; base units, scaled by 2^60. */
export interface RefreshedAmounts {
  readonly borrowedSf: bigint;
  readonly protocolFeesSf: bigint;
  /** The suppliers' assets. */
  readonly totalSupplySf: bigint;
}

/**
 * The reserve after a refresh at a slot, with the rounding of the lending program. `accrueReserve` evaluates the same
 * formulas without rounding; the program loses most of the second-order terms, some base units in a million tokens. Counts
 * the referrers' part of the new fees as the protocol's.
 */
export function refreshedAmounts(account: Reserve, slot: bigint): RefreshedAmounts {
  const { liquidity, config, lastUpdate } = account;
  const debt = liquidity.borrowedAmountSf;
  const fees = liquidity.accumulatedProtocolFeesSf;
  const stored = { borrowedSf: debt, protocolFeesSf: fees, totalSupplySf: supplySf(account, debt, fees) };
  const slots = slot - lastUpdate.slot;
  if (slots <= 0n) return stored;
  const utilizationSf = stored.totalSupplySf === 0n ? 0n : (debt * FRACTION_ONE) / stored.totalSupplySf;
  const hostRateSf = bpsScaled(config.hostFixedInterestRateBps);
  const rateSf = curveRateSf(config, utilizationSf) + hostRateSf;
  const borrowedSf = multiplyScaled(debt, growthSf(rateSf, slots));
  const hostFeeSf = multiplyScaled(debt, growthSf(hostRateSf, slots)) - debt;
  const interestSf = borrowedSf - debt - hostFeeSf;
  const takenSf = multiplyScaled(interestSf, percentScaled(config.protocolTakeRatePct));
  const protocolFeesSf = fees + hostFeeSf + takenSf;
  return { borrowedSf, protocolFeesSf, totalSupplySf: supplySf(account, borrowedSf, protocolFeesSf) };
}

const bpsScaled = (bps: number | bigint): bigint => (BigInt(bps) * FRACTION_ONE) / FULL_BPS;

function supplySf({ liquidity }: Reserve, borrowedSf: bigint, protocolFeesSf: bigint): bigint {
  const { totalAvailableAmount, accumulatedReferrerFeesSf, pendingReferrerFeesSf } = liquidity;
  const feesSf = protocolFeesSf + accumulatedReferrerFeesSf + pendingReferrerFeesSf;
  return atLeastZero(totalAvailableAmount * FRACTION_ONE + borrowedSf - feesSf);
}

/** The program chooses the segment by whole basis points; a hit on a point uses that point's rate. */
function curveRateSf({ borrowRateCurve: { points } }: ReserveConfig, utilizationSf: bigint): bigint {
  const clamped = lesser(utilizationSf, FRACTION_ONE);
  const bps = Number((clamped * FULL_BPS + FRACTION_ONE / 2n) / FRACTION_ONE);
  let [start] = points;
  for (const end of points) {
    if (end.utilizationRateBps === bps) return bpsScaled(end.borrowRateBps);
    if (start !== undefined && end.utilizationRateBps > bps) {
      const rise = BigInt(end.borrowRateBps - start.borrowRateBps);
      const run = BigInt(end.utilizationRateBps - start.utilizationRateBps);
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
  if (slots <= 1n) return FRACTION_ONE + base * slots;
  const squared = multiplyScaled(one, one);
  if (slots === 2n) return squared;
  if (slots === 3n) return multiplyScaled(squared, one);
  if (slots === 4n) return multiplyScaled(squared, squared);
  const base2 = multiplyScaled(base, base);
  const base3 = multiplyScaled(base2, base);
  const pairs = slots * (slots - 1n);
  return FRACTION_ONE + base * slots + (base2 * pairs) / 2n + (base3 * pairs * (slots - 2n)) / 6n;
}
