import type { VaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { fromBps, fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { greater } from '@sluice/protocol/numeric/integer';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { positivePart, total } from './arithmetic.ts';
import type { VaultHoldings } from './vault.ts';

/** The program's year for the management fee, in seconds: 365.242199 days, rounded up. */
export const MANAGEMENT_FEE_YEAR = 31_556_926n;

export type FeeRates = Pick<VaultState, 'performanceFeeBps' | 'managementFeeBps'>;

/** Fees that the program would charge if the vault were used now. Base units of the deposit token. */
export interface UnchargedFees {
  /** Interest since the last charge, before fees. Never negative: the program ignores a loss. */
  readonly earned: Rational;
  readonly management: Rational;
  readonly performance: Rational;
  /** Both fees, capped at the vault's assets. */
  readonly total: Rational;
}

const NOTHING: UnchargedFees = { earned: ZERO, management: ZERO, performance: ZERO, total: ZERO };

/** Fees since the last charge; `timestamp` in unix seconds. Zero before the first charge, which only sets the time. */
export function unchargedFees(vault: VaultState, { aum }: VaultHoldings, timestamp: bigint): UnchargedFees {
  if (vault.lastFeeChargeTimestamp === 0n) return NOTHING;
  const passed = positivePart(integer(timestamp - vault.lastFeeChargeTimestamp));
  return feesBetween(vault, fromScaledFraction(vault.prevAumSf), aum, passed);
}

/**
 * Fees of one charge, `seconds` after the last one.
 *
 * @param previous assets after the last charge
 */
export function feesBetween(
  { performanceFeeBps, managementFeeBps }: FeeRates,
  previous: Rational,
  aum: Rational,
  seconds: Rational,
): UnchargedFees {
  const management = previous.mul(fromBps(managementFeeBps)).mul(seconds).div(integer(MANAGEMENT_FEE_YEAR));
  const earned = positivePart(aum.sub(previous));
  const performance = earned.mul(fromBps(performanceFeeBps));
  return { earned, management, performance, total: total([management, performance]).min(aum) };
}

/** Fees owed now: those charged but not withdrawn, plus those not charged yet. */
export function pendingFees({ pendingFees: charged }: VaultHoldings, uncharged: UnchargedFees): Rational {
  return charged.add(uncharged.total);
}

/** Interest since the vault's creation, before fees. Base units of the deposit token. */
export function interestEarned(vault: VaultState, uncharged: UnchargedFees): Rational {
  return fromScaledFraction(vault.cumulativeEarnedInterestSf).add(uncharged.earned);
}

/** Management fees since the vault's creation. Base units of the deposit token. */
export function managementFees(vault: VaultState, uncharged: UnchargedFees): Rational {
  return fromScaledFraction(vault.cumulativeMgmtFeesSf).add(uncharged.management);
}

/** Performance fees since the vault's creation. Base units of the deposit token. */
export function performanceFees(vault: VaultState, uncharged: UnchargedFees): Rational {
  return fromScaledFraction(vault.cumulativePerfFeesSf).add(uncharged.performance);
}

/** Penalty of a withdrawal: the greater of a fraction and a fixed amount. */
export interface PenaltyTerms {
  readonly bps: bigint;
  /** Base units of the deposit token. */
  readonly fixed: bigint;
}

/** Each the greater of the vault's and the program's setting. With a null `config` only the vault's settings apply. */
export function penaltyTerms(vault: VaultState, config: VaultGlobalConfig | null): PenaltyTerms {
  return {
    bps: greater(vault.withdrawalPenaltyBps, config?.withdrawalPenaltyBps ?? 0n),
    fixed: greater(vault.withdrawalPenaltyLamports, config?.withdrawalPenaltyLamports ?? 0n),
  };
}

/** Base units withheld when `gross` base units are withdrawn. */
export function withdrawalPenalty(
  vault: VaultState,
  config: VaultGlobalConfig | null,
  gross: bigint,
): bigint {
  const { bps, fixed } = penaltyTerms(vault, config);
  return greater(integer(gross).mul(fromBps(bps)).ceil(), fixed);
}
