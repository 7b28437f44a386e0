import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { averageRates as readAverageRates } from '../../store/history/average-rates.ts';
import { DAY, HOUR } from '../../store/history/time-buckets.ts';
import { factPerView } from '../platform/fact-per-view.ts';
import type { Platform } from '../platform/platform.ts';
import type { ReserveRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { PERIOD_MS, type Period, viewTime } from '../request/time-range.ts';

/** Means of a reserve over a period, rounded for publication. */
export interface AverageRates {
  /** Interest yields: yearly fractions without rewards. */
  readonly supplyApy: Rational;
  readonly borrowApy: Rational;
  /** Mean borrowed / mean supplied, as a fraction. */
  readonly utilization: Rational;
}

interface Subject {
  readonly reserve: ReserveRecord;
  readonly over: Period;
}

const loaderOf = factPerView<Subject, AverageRates | null>({
  what: 'The average rate',
  keyOf: ({ reserve, over }) => `${reserve.address} ${over}`,
  async read(db, view, subjects) {
    const now = viewTime(view).getTime();
    const found = await readAverageRates(
      db,
      subjects.map(({ reserve, over }) => ({
        reserve: reserve.address,
        start: new Date(now - PERIOD_MS[over]),
        step: PERIOD_MS[over] <= PERIOD_MS.D7 ? HOUR : DAY,
      })),
      // Includes the bucket that starts exactly now.
      new Date(now + 1),
    );
    return found.map(
      (mean) =>
        mean && {
          supplyApy: roundToPublished(mean.supplyApy),
          borrowApy: roundToPublished(mean.borrowApy),
          utilization: roundToPublished(mean.utilization),
        },
    );
  },
});

/**
 * The mean over all samples of the period: over whole hours up to 7 days, otherwise over whole days. Null when the reserve
 * was recorded for less than the period.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function averageRates(
  platform: Platform,
  session: Session,
  reserve: ReserveRecord,
  over: Period,
): Promise<AverageRates | null> {
  const pause = session.work.step();
  const [found] = await Promise.all([loaderOf(platform, session).load({ reserve, over }), pause]);
  return found;
}

/**
 * The same over several periods, read together.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function averageRatesOver<P extends Period>(
  platform: Platform,
  session: Session,
  reserve: ReserveRecord,
  periods: readonly P[],
): Promise<Readonly<Record<P, AverageRates | null>>> {
  const pause = session.work.step();
  const found = periods.map(
    async (over) => [over, await loaderOf(platform, session).load({ reserve, over })] as const,
  );
  const [means] = await Promise.all([Promise.all(found), pause]);
  return Object.fromEntries(means) as Record<P, AverageRates | null>;
}
