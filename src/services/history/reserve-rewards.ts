import type { Address } from '@solana/kit';
import type { View } from '../../chain/view.ts';
import { total } from '../../domain/arithmetic.ts';
import { Rational } from '../../numeric/rational.ts';
import { rewardedDays } from '../../store/history/rewarded-days.ts';
import { onView } from '../per-view.ts';
import type { Platform } from '../platform.ts';
import { keepsHistory } from './holders.ts';
import { viewTime } from './range.ts';

const DAYS_PER_YEAR = 365n;
const DAY_MS = 86_400_000;

const ofView = onView<Map<string, Promise<Rational>>>();

/**
 * USD that campaigns on reserves have brought to vaults. No chain keeps that: it is added up over the recorded days, for
 * each the day's mean yield from such campaigns times the vault's value at its end, for a 365th of a year; of the day
 * that runs, as much as has passed. Null where no history is kept. `key` tells one list of vaults of a View from another.
 *
 * @throws HISTORY_UNAVAILABLE
 */
export async function reserveRewardsUsd(
  platform: Platform,
  view: View,
  key: string,
  vaults: readonly Address[],
): Promise<Rational | null> {
  if (!keepsHistory(platform)) return null;
  const known = ofView.get(view) ?? new Map<string, Promise<Rational>>();
  ofView.set(view, known);
  const sum = known.get(key) ?? addUp(platform, viewTime(view), vaults);
  known.set(key, sum);
  try {
    return await sum;
  } catch (error) {
    known.delete(key);
    throw error;
  }
}

async function addUp(platform: Platform, now: Date, vaults: readonly Address[]): Promise<Rational> {
  const db = platform.history.database('Rewards on reserves');
  const passed = Rational.of(BigInt(now.getTime() % DAY_MS), BigInt(DAY_MS));
  const days = await rewardedDays(db, vaults, now);
  return total(
    days.map(({ running, samples, yieldTimesUsd }) => {
      const paid = yieldTimesUsd.div(Rational.of(BigInt(samples) * DAYS_PER_YEAR));
      return running ? paid.mul(passed) : paid;
    }),
  );
}
