import { U64_MAX, U128_MAX } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import {
  addSf,
  bpsSf,
  mulSf,
  overSf,
  subSf,
  subSfToZero,
  timesSf,
  unsigned64,
  wholeSf,
} from '../klend/fraction.ts';
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
  const aumSf = subSfToZero(addSf(wholeSf(books.tokenAvailable), investedSf), books.pendingFeesSf);
  const rateSf = overSf(timesSf(bpsSf(managementFeeBps), seconds), FEE_YEAR_SECONDS);
  const managementSf = mulSf(books.prevAumSf, rateSf);
  const earnedSf = subSfToZero(aumSf, books.prevAumSf);
  const performanceSf = mulSf(bpsSf(performanceFeeBps), earnedSf);
  const feesSf = lesser(addSf(managementSf, performanceSf), aumSf);
  books.cumulativeMgmtFeesSf = lesser(books.cumulativeMgmtFeesSf + managementSf, U128_MAX);
  books.cumulativePerfFeesSf = lesser(books.cumulativePerfFeesSf + performanceSf, U128_MAX);
  books.cumulativeEarnedInterestSf = lesser(books.cumulativeEarnedInterestSf + earnedSf, U128_MAX);
  books.pendingFeesSf = addSf(books.pendingFeesSf, feesSf);
  books.prevAumSf = subSf(aumSf, feesSf);
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
  books.tokenAvailable = unsigned64(books.tokenAvailable + released);
  rewards.rewardsAvailable -= released;
  rewards.cumulativeRewardsDistributedAnalytics = unsigned64(
    rewards.cumulativeRewardsDistributedAnalytics + released,
  );
  rewards.lastIssuanceTs = timestamp;
}
