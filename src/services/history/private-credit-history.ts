import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import { ratio } from '../../domain/arithmetic.ts';
import { LOAN_STATUSES, type LoanStatus, weightedLtv } from '../../domain/risk/loan-quality.ts';
import { type LoanPoint, readLoanPoints } from '../../store/history/loans.ts';
import { bucketOf, DAY } from '../../store/history/time-buckets.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';
import { type RangeInput, resolveRange } from '../request/time-range.ts';
import { privateCreditMarkets } from '../vaults/private-credit.ts';
import { MAX_HOURLY_SECONDS } from './series.ts';

/** The loans behind private credit in one hour or day. */
export interface PrivateCreditPoint {
  /** Start of the bucket. */
  readonly bucket: Date;
  readonly loans: number;
  readonly unvalued: number;
  readonly depositedUsd: Rational;
  readonly borrowedUsd: Rational;
  readonly weightedLtv: Rational;
  readonly maxLtv: Rational;
  /** All states, also those without loans. */
  readonly statuses: readonly {
    readonly status: LoanStatus;
    readonly loans: number;
    /** Of the loans; 0 without loans. */
    readonly share: Rational;
  }[];
}

/**
 * Recorded loans of the markets that vaults of private credit lend to now, ascending: one point per UTC day, its last scan, when
 * the recorded part of the range is longer than 31 days, else one per hour.
 *
 * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function privateCreditHistory(
  platform: Platform,
  session: Session,
  asked: RangeInput,
): Promise<PrivateCreditPoint[]> {
  const db = platform.historyFor(session, 'The history of private credit', 'recorded');
  const range = resolveRange(session.view, asked);
  const markets = privateCreditMarkets(session.view);
  const hours = markets.length === 0 ? [] : await readLoanPoints(db, markets, range);
  const pause = session.work.step(hours.length);
  if (pause !== null) await pause;
  const [first, last] = [hours[0], hours.at(-1)];
  if (first === undefined || last === undefined) return [];
  const seconds = (last.bucket.getTime() - first.bucket.getTime()) / 1_000;
  return (seconds > MAX_HOURLY_SECONDS ? lastOfDays(hours) : hours).map(pointOf);
}

function lastOfDays(hours: readonly LoanPoint[]): LoanPoint[] {
  const days = new Map<number, LoanPoint>();
  for (const hour of hours) {
    const bucket = bucketOf(hour.bucket, DAY);
    days.set(bucket.getTime(), { ...hour, bucket });
  }
  return [...days.values()];
}

function pointOf(point: LoanPoint): PrivateCreditPoint {
  const { bucket, loans, unvalued, depositedUsd, borrowedUsd, maxLtv, byStatus } = point;
  return {
    bucket,
    loans,
    unvalued,
    depositedUsd,
    borrowedUsd,
    weightedLtv: weightedLtv(point),
    maxLtv,
    statuses: LOAN_STATUSES.map((status) => ({
      status,
      loans: byStatus[status],
      share: ratio(integer(byStatus[status]), integer(loans)),
    })),
  };
}
