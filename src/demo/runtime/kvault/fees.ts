import { multiplyScaled, U64_MAX, U128_MAX } from '../../../numeric/fraction.ts';
import { atLeastZero, lesser } from '../../../numeric/integer.ts';
import { bpsScaled, fraction, minus, scaled, u64 } from './checked-maths.ts';
import type { VaultBooks } from './vault-books.ts';

/** The year of the management fee: 365.242199 days, rounded up to seconds. */
const FEE_YEAR_SECONDS = 31_556_926n;

/** Every interaction charges fees: management by the time passed, performance on what the vault has earned. */
export function chargeFees(books: VaultBooks, investedSf: bigint, timestamp: bigint): void {
  if (books.lastFeeChargeTimestamp === 0n) {
    books.lastFeeChargeTimestamp = timestamp;
    return;
  }
  const { managementFeeBps, performanceFeeBps } = books.settings;
  const seconds = atLeastZero(timestamp - books.lastFeeChargeTimestamp);
  const aumSf = atLeastZero(fraction(scaled(books.tokenAvailable) + investedSf) - books.pendingFeesSf);
  const rateSf = fraction(bpsScaled(managementFeeBps) * seconds) / FEE_YEAR_SECONDS;
  const managementSf = fraction(multiplyScaled(books.prevAumSf, rateSf));
  const earnedSf = atLeastZero(aumSf - books.prevAumSf);
  const performanceSf = fraction(multiplyScaled(bpsScaled(performanceFeeBps), earnedSf));
  const feesSf = lesser(fraction(managementSf + performanceSf), aumSf);
  books.cumulativeMgmtFeesSf = lesser(books.cumulativeMgmtFeesSf + managementSf, U128_MAX);
  books.cumulativePerfFeesSf = lesser(books.cumulativePerfFeesSf + performanceSf, U128_MAX);
  books.cumulativeEarnedInterestSf = lesser(books.cumulativeEarnedInterestSf + earnedSf, U128_MAX);
  books.pendingFeesSf = fraction(books.pendingFeesSf + feesSf);
  books.prevAumSf = minus(aumSf, feesSf);
  books.lastFeeChargeTimestamp = timestamp;
}

/** Turns the vault's own rewards into idle tokens as time passes. */
export function releaseRewards(books: VaultBooks, timestamp: bigint): void {
  const { rewards } = books;
  const { rewardPerSecond } = books.settings.rewardInfo;
  if (rewardPerSecond === 0n || rewards.rewardsAvailable === 0n) return;
  if (rewards.lastIssuanceTs === 0n) {
    rewards.lastIssuanceTs = timestamp;
    return;
  }
  const seconds = atLeastZero(timestamp - rewards.lastIssuanceTs);
  if (seconds === 0n) return;
  const released = lesser(lesser(rewardPerSecond * seconds, U64_MAX), rewards.rewardsAvailable);
  books.tokenAvailable = u64(books.tokenAvailable + released);
  rewards.rewardsAvailable -= released;
  rewards.cumulativeRewardsDistributedAnalytics = u64(
    rewards.cumulativeRewardsDistributedAnalytics + released,
  );
  rewards.lastIssuanceTs = timestamp;
}
