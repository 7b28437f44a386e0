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

/** Windows of a realised yield, named as in the GraphQL schema. */
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

/** The yield that the share price has realised. */
export interface RealisedYield {
  /** Yearly fraction, compounded, after all fees, rounded for publication. */
  readonly apy: Rational;
  /** Time of the first share price used. */
  readonly from: Date;
}

/** Null for a window without data: no history, or no shares. */
export type RealisedYields = Readonly<Record<ApyWindow, RealisedYield | null>>;

const NONE: RealisedYields = { H24: null, D7: null, D30: null, D90: null, D180: null, D365: null };

const loaderOf = vaultFactPerView<RealisedYields>(async (platform, view, vaults) => {
  const db = platform.history.database('The realised yield');
  const now = viewTime(view);
  const instants = WINDOWS.map(([, ms]) => new Date(now.getTime() - ms));
  // Skips vaults without shares: they have no yield, and the query would search their whole history for a share price.
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

/** The last share price when the window began, else the oldest known one (the first shares were issued in the window). */
function beginning({ first, at }: SharePrices, window: number): ObservedSharePrice | null {
  const seen = at[window] ?? null;
  if (seen === null) return first;
  if (!seen.tokensPerShare.isZero) return seen;
  return first !== null && first.sampledAt > seen.sampledAt ? first : null;
}

/** The yield from the first share price to the View's. */
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
 * The realised yield of one window as an APY breakdown, all of it interest.
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
