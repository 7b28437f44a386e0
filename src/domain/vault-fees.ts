import { fromBps, fromScaledFraction } from '../numeric/fraction.ts';
import { integer, type Rational, ZERO } from '../numeric/rational.ts';
import type { VaultGlobalConfig } from '../programs/kvault/global-config.ts';
import type { VaultState } from '../programs/kvault/vault-state.ts';
import { positivePart, total } from './arithmetic.ts';
import type { VaultHoldings } from './vault.ts';

/** The program's year for the management fee, in seconds: 365.242199 days, rounded up. */
const MANAGEMENT_FEE_YEAR = 31_556_926n;

/** What the program would book if the vault were touched now. Base units of the deposit token. */
export interface UnchargedFees {
  /** Interest since the last charge, before fees. Never negative: a loss is not booked. */
  readonly earned: Rational;
  readonly management: Rational;
  readonly performance: Rational;
  /** Both fees, at most the whole vault. */
  readonly total: Rational;
}

const NOTHING: UnchargedFees = { earned: ZERO, management: ZERO, performance: ZERO, total: ZERO };

/** Fees since the last charge, at a unix time in seconds. A vault that was never charged starts its clock first: zero. */
export function unchargedFees(vault: VaultState, { aum }: VaultHoldings, timestamp: bigint): UnchargedFees {
  if (vault.lastFeeChargeTimestamp === 0n) return NOTHING;
  const previous = fromScaledFraction(vault.prevAumSf);
  const passed = positivePart(integer(timestamp - vault.lastFeeChargeTimestamp));
  const management = previous
    .mul(fromBps(vault.managementFeeBps))
    .mul(passed)
    .div(integer(MANAGEMENT_FEE_YEAR));
  const earned = positivePart(aum.sub(previous));
  const performance = earned.mul(fromBps(vault.performanceFeeBps));
  return { earned, management, performance, total: total([management, performance]).min(aum) };
}

/** Fees that are owed at this moment: those charged but not taken out, and those the next touch will charge. */
export function pendingFees({ pendingFees: charged }: VaultHoldings, uncharged: UnchargedFees): Rational {
  return charged.add(uncharged.total);
}

/** Interest since the vault began, before fees, up to this moment. Base units of the deposit token. */
export function interestEarned(vault: VaultState, uncharged: UnchargedFees): Rational {
  return fromScaledFraction(vault.cumulativeEarnedInterestSf).add(uncharged.earned);
}

/** Management fees since the vault began, up to this moment. Base units of the deposit token. */
export function managementFees(vault: VaultState, uncharged: UnchargedFees): Rational {
  return fromScaledFraction(vault.cumulativeMgmtFeesSf).add(uncharged.management);
}

/** Performance fees since the vault began, up to this moment. Base units of the deposit token. */
export function performanceFees(vault: VaultState, uncharged: UnchargedFees): Rational {
  return fromScaledFraction(vault.cumulativePerfFeesSf).add(uncharged.performance);
}

/**
 * Base units kept back when `gross` base units are withdrawn: the greater of a share and a fixed amount, each the
 * greater of the vault's and the program's own. Without the program's settings (null) the vault's alone count.
 */
export function withdrawalPenalty(
  vault: VaultState,
  config: VaultGlobalConfig | null,
  gross: bigint,
): bigint {
  const bps = larger(vault.withdrawalPenaltyBps, config?.withdrawalPenaltyBps ?? 0n);
  const fixed = larger(vault.withdrawalPenaltyLamports, config?.withdrawalPenaltyLamports ?? 0n);
  return larger(integer(gross).mul(fromBps(bps)).ceil(), fixed);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
