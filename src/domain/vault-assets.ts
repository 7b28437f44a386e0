import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import {
  bpsScaled,
  multiplyScaled,
  toScaledFraction,
  U64_MAX,
  wholeScaled,
} from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { usedAllocations } from './vault.ts';
import { MANAGEMENT_FEE_YEAR } from './vault-fees.ts';

/** The program values collateral by these two; both are 0 in an empty reserve, which exchanges one to one. */
export interface CollateralRate {
  /** Suppliers' assets in base units, scaled by 2^60. */
  readonly supplySf: bigint;
  /** Collateral tokens, base units. */
  readonly minted: bigint;
}

export function collateralRate(totalSupply: Rational, minted: bigint): CollateralRate {
  const supplySf = toScaledFraction(totalSupply);
  return supplySf === 0n || minted === 0n ? { supplySf: 0n, minted: 0n } : { supplySf, minted };
}

/** The value of collateral, scaled by 2^60 and rounded down. */
export function collateralValueSf({ supplySf, minted }: CollateralRate, collateral: bigint): bigint {
  return minted === 0n ? wholeScaled(collateral) : (collateral * supplySf) / minted;
}

/** The numbers of a vault that the first steps of every action change: rewards are released, then fees charged. */
export interface VaultAssets {
  /** Idle tokens with the released rewards, base units. */
  readonly tokenAvailable: bigint;
  readonly rewardsAvailable: bigint;
  /** Unix seconds. */
  readonly lastIssuanceTs: bigint;
  readonly pendingFeesSf: bigint;
  readonly prevAumSf: bigint;
  /** Unix seconds. */
  readonly lastFeeChargeTimestamp: bigint;
  /** Assets of the shareholders after both, scaled by 2^60. Never negative. */
  readonly aumSf: bigint;
}

/**
 * A vault as the program sees it when an action runs, in its fixed point and with its rounding.
 * @param rates of the reserves, refreshed; undefined for a reserve that counts as nothing
 * @param timestamp unix seconds
 */
export function vaultAssets(
  vault: VaultState,
  rates: (reserve: Address) => CollateralRate | undefined,
  timestamp: bigint,
): VaultAssets {
  const rewarded = releasedRewards(vault, timestamp);
  const investedSf = usedAllocations(vault).reduce((sum, { reserve, ctokenAllocation }) => {
    const rate = rates(reserve);
    return rate === undefined ? sum : sum + collateralValueSf(rate, ctokenAllocation);
  }, 0n);
  const totalSf = wholeScaled(rewarded.tokenAvailable) + investedSf;
  const fees = chargedFees(vault, totalSf, timestamp);
  return { ...rewarded, ...fees, aumSf: atLeastZero(totalSf - fees.pendingFeesSf) };
}

type Rewarded = Pick<VaultAssets, 'tokenAvailable' | 'rewardsAvailable' | 'lastIssuanceTs'>;

/** Rewards of the vault itself become idle tokens as time passes. */
export function releasedRewards({ rewardInfo, tokenAvailable }: VaultState, timestamp: bigint): Rewarded {
  const { rewardPerSecond, rewardsAvailable, lastIssuanceTs } = rewardInfo;
  const unchanged = { tokenAvailable, rewardsAvailable, lastIssuanceTs };
  if (rewardPerSecond === 0n || rewardsAvailable === 0n) return unchanged;
  if (lastIssuanceTs === 0n) return { ...unchanged, lastIssuanceTs: timestamp };
  const seconds = atLeastZero(timestamp - lastIssuanceTs);
  if (seconds === 0n) return unchanged;
  const released = lesser(lesser(rewardPerSecond * seconds, U64_MAX), rewardsAvailable);
  return {
    tokenAvailable: tokenAvailable + released,
    rewardsAvailable: rewardsAvailable - released,
    lastIssuanceTs: timestamp,
  };
}

type Charged = Pick<VaultAssets, 'pendingFeesSf' | 'prevAumSf' | 'lastFeeChargeTimestamp'>;

/** @param totalSf idle and invested tokens, scaled by 2^60 */
function chargedFees(vault: VaultState, totalSf: bigint, timestamp: bigint): Charged {
  const { lastFeeChargeTimestamp, prevAumSf, pendingFeesSf, managementFeeBps, performanceFeeBps } = vault;
  if (lastFeeChargeTimestamp === 0n) return { pendingFeesSf, prevAumSf, lastFeeChargeTimestamp: timestamp };
  const aumSf = atLeastZero(totalSf - pendingFeesSf);
  const seconds = atLeastZero(timestamp - lastFeeChargeTimestamp);
  const managementRateSf = (bpsScaled(managementFeeBps) * seconds) / MANAGEMENT_FEE_YEAR;
  const managementSf = multiplyScaled(prevAumSf, managementRateSf);
  const earnedSf = atLeastZero(aumSf - prevAumSf);
  const performanceSf = multiplyScaled(bpsScaled(performanceFeeBps), earnedSf);
  const feesSf = lesser(managementSf + performanceSf, aumSf);
  return {
    pendingFeesSf: pendingFeesSf + feesSf,
    prevAumSf: aumSf - feesSf,
    lastFeeChargeTimestamp: timestamp,
  };
}
