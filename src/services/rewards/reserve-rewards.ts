import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { total } from '../../domain/arithmetic.ts';
import { rewardedDays } from '../../store/history/rewarded-days.ts';
import type { Platform } from '../platform/platform.ts';
import { viewCache } from '../request/per-view.ts';
import type { Session } from '../request/session.ts';
import { viewTime } from '../request/time-range.ts';

const DAYS_PER_YEAR = 365n;
const DAY_MS = 86_400_000;

const ofView = viewCache<Map<string, Promise<Rational>>>();

/**
 * USD that vaults have earned from campaigns on reserves. Not stored on chain: summed over the recorded days as mean
 * campaign yield of the day times the vault's value at its end, divided by 365; prorated for the current day. Null
 * without history. `key` identifies the list of vaults within the View.
 *
 * @throws HISTORY_UNAVAILABLE
 */
export async function reserveRewardsUsd(
  platform: Platform,
  session: Session,
  key: string,
  vaults: readonly Address[],
): Promise<Rational | null> {
  if (!platform.recordsHistory) return null;
  session.dependsOn('factOfView');
  const { view, work } = session;
  work.record('rows', 1);
  const sums = ofView.get(view) ?? new Map<string, Promise<Rational>>();
  ofView.set(view, sums);
  const sum = sums.get(key) ?? sumRewards(platform, viewTime(view), vaults);
  sums.set(key, sum);
  try {
    return await sum;
  } catch (error) {
    sums.delete(key);
    throw error;
  }
}

async function sumRewards(platform: Platform, now: Date, vaults: readonly Address[]): Promise<Rational> {
  const db = platform.sharedHistory('The sum of reserve rewards');
  const passed = Rational.of(BigInt(now.getTime() % DAY_MS), BigInt(DAY_MS));
  const days = await rewardedDays(db, vaults, now);
  return total(
    days.map(({ running, samples, yieldTimesUsd }) => {
      const paid = yieldTimesUsd.div(Rational.of(BigInt(samples) * DAYS_PER_YEAR));
      return running ? paid.mul(passed) : paid;
    }),
  );
}
