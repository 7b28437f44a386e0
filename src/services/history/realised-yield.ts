import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { View } from '../../chain/view/view.ts';
import { realisedApy } from '../../domain/apy.ts';
import { type ObservedSharePrice, type SharePrices, sharePricesAt } from '../../store/history/points-at.ts';
import type { Database } from '../../store/sql.ts';
import { byAddress, factPerView } from '../platform/fact-per-view.ts';
import type { Platform } from '../platform/platform.ts';
import type { VaultRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { PERIOD_MS, type Period, viewTime } from '../request/time-range.ts';
import { tokensPerShare } from '../vaults/vaults.ts';

const PERIODS: readonly Period[] = ['H24', 'D7', 'D14', 'D30', 'D60', 'D90', 'D180', 'D365'];

/** The interest that the share price has realised; rewards are paid outside the share price. */
export interface RealisedYield {
  /** Yearly fraction, compounded, after all fees, without rewards, rounded for publication. */
  readonly apy: Rational;
  /** Time of the first share price used. */
  readonly from: Date;
}

/** Null for a window without data: no history, or no shares. */
export type RealisedYields = Readonly<Record<Period, RealisedYield | null>>;

const NONE = Object.fromEntries(PERIODS.map((period) => [period, null])) as unknown as RealisedYields;

const loaderOf = factPerView<VaultRecord, RealisedYields>({
  what: 'The realised yield',
  keyOf: byAddress,
  read: readYields,
});

async function readYields(
  db: Database,
  view: View,
  vaults: readonly VaultRecord[],
): Promise<RealisedYields[]> {
  const now = viewTime(view);
  const instants = PERIODS.map((period) => new Date(now.getTime() - PERIOD_MS[period]));
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
      PERIODS.map((period, i) => [period, yieldSince(beginning(prices, i), live, now)]),
    ) as unknown as RealisedYields;
  });
}

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
export function realisedYields(
  platform: Platform,
  session: Session,
  vault: VaultRecord,
): Promise<RealisedYields> {
  return loaderOf(platform, session).load(vault);
}
