import type { View } from '../../chain/view.ts';
import { apyBreakdown, realisedApy } from '../../domain/apy.ts';
import { roundToPublished } from '../../numeric/decimal.ts';
import type { Rational } from '../../numeric/rational.ts';
import { type ObservedSharePrice, type SharePrices, sharePricesAt } from '../../store/history/points-at.ts';
import type { Platform } from '../platform.ts';
import type { VaultRecord } from '../records.ts';
import type { Yield } from '../reserves.ts';
import { tokensPerShare } from '../vaults.ts';
import { vaultFactPerView } from './per-view.ts';
import { viewTime } from './range.ts';

/** Windows of a realised yield, by the names of the graph. */
export type ApyWindow = 'H24' | 'D7' | 'D30' | 'D90' | 'D180' | 'D365';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const WINDOWS: readonly (readonly [ApyWindow, ms: number])[] = [
  ['H24', DAY_MS],
  ['D7', 7 * DAY_MS],
  ['D30', 30 * DAY_MS],
  ['D90', 90 * DAY_MS],
  ['D180', 180 * DAY_MS],
  ['D365', 365 * DAY_MS],
];

/** What the share price really did. */
export interface RealisedYield {
  /** Yearly, a fraction, compounded, after all fees; as published. */
  readonly apy: Rational;
  /** When the share price was seen that it begins with. */
  readonly from: Date;
}

/** Null for a window in which nothing is known: no history, or no share. */
export type RealisedYields = Readonly<Record<ApyWindow, RealisedYield | null>>;

const NONE: RealisedYields = { H24: null, D7: null, D30: null, D90: null, D180: null, D365: null };

const loaderOf = vaultFactPerView<RealisedYields>(async (platform, view, vaults) => {
  const db = platform.history.database('A realised yield');
  const now = viewTime(view);
  const instants = WINDOWS.map(([, ms]) => new Date(now.getTime() - ms));
  // One without shares has no yield, and all of its history would be looked through for a share price.
  const shared = vaults.filter(({ value }) => value.sharesIssued > 0n);
  const seen = await sharePricesAt(
    db,
    shared.map(({ address }) => address),
    instants,
  );
  return vaults.map((vault) => {
    const prices = seen.get(vault.address);
    const live = tokensPerShare(view, vault);
    if (prices === undefined || live === null) return NONE;
    return Object.fromEntries(
      WINDOWS.map(([window], i) => [window, yieldSince(beginning(prices, i), live, now)]),
    ) as unknown as RealisedYields;
  });
});

/** What was seen last when the window began, or else the oldest that is known: the first shares were issued in it. */
function beginning({ first, at }: SharePrices, window: number): ObservedSharePrice | null {
  const seen = at[window] ?? null;
  if (seen === null) return first;
  if (!seen.tokensPerShare.isZero) return seen;
  return first !== null && first.sampledAt > seen.sampledAt ? first : null;
}

/** From what was seen at the beginning up to the View's own share price. */
function yieldSince(first: ObservedSharePrice | null, live: Rational, now: Date): RealisedYield | null {
  if (first === null) return null;
  const seconds = BigInt(Math.floor((now.getTime() - first.sampledAt.getTime()) / 1_000));
  const apy = first.tokensPerShare && realisedApy(first.tokensPerShare, live, seconds);
  return apy && { apy: roundToPublished(apy), from: first.sampledAt };
}

/** @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE */
export function realisedYields(platform: Platform, view: View, vault: VaultRecord): Promise<RealisedYields> {
  return loaderOf(platform, view).load(vault);
}

/**
 * One window as a yield of interest alone.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function realisedYield(
  platform: Platform,
  view: View,
  vault: VaultRecord,
  window: ApyWindow,
): Promise<Yield | null> {
  const realised = (await realisedYields(platform, view, vault))[window];
  return (
    realised && {
      ...apyBreakdown(realised.apy),
      basis: 'REALISED',
      rewards: [],
      window,
      from: realised.from,
    }
  );
}
