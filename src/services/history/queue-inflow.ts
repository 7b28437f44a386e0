import type { View } from '../../chain/view/view.ts';
import { type RecordedHour, type RecordedInflow, recordedInflow } from '../../domain/ticket-estimate.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { readSlices } from '../../store/history/read-slices.ts';
import { RESERVE_SERIES, type ReservePoint } from '../../store/history/reserve-series.ts';
import { bucketOf, HOUR } from '../../store/history/time-buckets.ts';
import type { Database } from '../../store/sql.ts';
import { byAddress, factPerView } from '../platform/fact-per-view.ts';
import type { Platform } from '../platform/platform.ts';
import { oncePerSession } from '../request/per-session.ts';
import type { ReserveRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { PERIOD_MS, viewTime } from '../request/time-range.ts';
import { sameBuckets } from './series.ts';

/** Hours of the window from which the inflow is estimated. */
const WINDOW_HOURS = PERIOD_MS.D7 / (HOUR * 1_000);
/** A record that ends earlier says nothing about the present. */
const OLDEST_END_MS = 3 * HOUR * 1_000;

const FIELDS = [
  'totalSupply',
  'totalBorrows',
  'accumulatedProtocolFees',
  'totalLiquidity',
  'mintTotalSupply',
  'exchangeRate',
] as const satisfies readonly (keyof ReservePoint)[];

const loaderOf = factPerView<ReserveRecord, RecordedInflow | null>({
  what: 'The inflow into a reserve',
  keyOf: byAddress,
  read: readInflows,
});

async function readInflows(
  db: Database,
  view: View,
  reserves: readonly ReserveRecord[],
): Promise<(RecordedInflow | null)[]> {
  const now = viewTime(view);
  // The hour that has just begun is not over.
  const end = bucketOf(now, HOUR);
  const start = new Date(end.getTime() - PERIOD_MS.D7);
  const range = { start, end, open: false };
  const asks = reserves.map(({ address }) => sameBuckets(address, range, 'HOUR'));
  const slices = await readSlices(db, RESERVE_SERIES, asks, FIELDS);
  return slices.map(({ points }) => {
    const last = points.at(-1);
    if (last === undefined || now.getTime() - last.bucket.getTime() > OLDEST_END_MS) return null;
    return recordedInflow(points.map(hourOf));
  });
}

function hourOf(point: Pick<ReservePoint, 'bucket' | (typeof FIELDS)[number]>): RecordedHour {
  return {
    start: BigInt(point.bucket.getTime() / 1_000),
    supplied: point.totalSupply,
    borrowed: point.totalBorrows,
    protocolFees: point.accumulatedProtocolFees,
    free: point.totalLiquidity,
    collateralSupply: point.mintTotalSupply,
    exchangeRate: point.exchangeRate,
  };
}

const HISTORY_ERRORS: readonly ErrorCode[] = ['HISTORY_DISABLED', 'HISTORY_STARTING', 'HISTORY_UNAVAILABLE'];

const ofSession = oncePerSession<RecordedInflow | null | undefined>();

/**
 * Liquidity that came into a reserve over the last whole hours in which nothing was free, at most 7 days of them. Null when less
 * than a day of them is recorded, or the record ended hours ago; undefined without history, and while it cannot be read.
 */
export function queueInflow(
  platform: Platform,
  session: Session,
  reserve: ReserveRecord,
): Promise<RecordedInflow | null | undefined> {
  return ofSession(session, reserve.address, async () => {
    try {
      session.work.draw('rows', WINDOW_HOURS);
      return await loaderOf(platform, session).load(reserve);
    } catch (error) {
      if (isCodedError(error) && HISTORY_ERRORS.includes(error.code)) return undefined;
      throw error;
    }
  });
}
