import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import type { WorkBudget } from '../../node/work-budget.ts';
import { PRICE_SERIES, type PricePoint } from '../../store/history/price-series.ts';
import { type BucketRequest, readBuckets } from '../../store/history/read-buckets.ts';
import { type RecordedDay, recordedDays } from '../../store/history/recorded-days.ts';
import { RESERVE_SERIES, type ReservePoint } from '../../store/history/reserve-series.ts';
import type { PointTime, Selected, Series } from '../../store/history/series.ts';
import { VAULT_SERIES, type VaultPoint } from '../../store/history/vault-series.ts';
import type { Database } from '../../store/sql.ts';
import type { Platform } from '../platform/platform.ts';
import { perSession } from '../request/per-session.ts';
import type { Session } from '../request/session.ts';

/** Points by the start of their bucket, in milliseconds. May hold more buckets than were asked for. */
export type PointsByBucket<P> = ReadonlyMap<number, P>;

type BucketReader<P extends PointTime> = <F extends keyof P>(
  ask: BucketRequest,
  fields: readonly F[],
) => Promise<PointsByBucket<Selected<P, F>>>;

/**
 * Readers of chosen buckets for one request. The reads of one tick are one statement per kind, and a bucket that several
 * histories need is read once.
 */
export interface BucketPoints {
  readonly vault: BucketReader<VaultPoint>;
  readonly reserve: BucketReader<ReservePoint>;
  /** By mint. */
  readonly price: BucketReader<PricePoint>;
  /** The recorded days of a series, ascending. */
  readonly daysOf: Readonly<
    Record<'vault' | 'reserve', (address: Address) => Promise<readonly RecordedDay[]>>
  >;
}

const ofSession = perSession((session, db: Database): BucketPoints => {
  const meter = session.work;
  const vaultDays = new DataLoader<Address, readonly RecordedDay[]>((all) => recordedDays(db, 'vault', all));
  const reserveDays = new DataLoader<Address, readonly RecordedDay[]>((all) =>
    recordedDays(db, 'reserve', all),
  );
  return {
    vault: bucketReader(db, VAULT_SERIES, meter),
    reserve: bucketReader(db, RESERVE_SERIES, meter),
    price: bucketReader(db, PRICE_SERIES, meter),
    daysOf: {
      vault: (address) => vaultDays.load(address),
      reserve: (address) => reserveDays.load(address),
    },
  };
});

/** @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE */
export function bucketPoints(platform: Platform, session: Session, what: string): BucketPoints {
  return ofSession(session, platform.historyFor(session, what, 'recorded'));
}

interface Wanted<P> {
  readonly ask: BucketRequest;
  readonly fields: readonly (keyof P)[];
}

function bucketReader<P extends PointTime>(
  db: Database,
  series: Series<P>,
  meter: WorkBudget,
): BucketReader<P> {
  type Points = PointsByBucket<Selected<P, keyof P>>;
  const keyOf = ({ ask: { address, step } }: Wanted<P>) => `${address} ${step}`;
  const read = async (wanted: readonly Wanted<P>[]): Promise<Points[]> => {
    const merged = new Map<string, BucketRequest & { readonly buckets: Set<number> }>();
    for (const each of wanted) {
      const { address, step, buckets } = each.ask;
      const known = merged.get(keyOf(each)) ?? { address, step, buckets: new Set<number>() };
      for (const bucket of buckets) known.buckets.add(bucket);
      merged.set(keyOf(each), known);
    }
    const fields = new Set(wanted.flatMap((each) => each.fields));
    const lists = await readBuckets(db, series, [...merged.values()], [...fields]);
    const pause = meter.step(lists.reduce((sum, { length }) => sum + length, 0));
    if (pause !== null) await pause;
    const points = new Map(
      [...merged.keys()].map((key, i): [string, Points] => [
        key,
        new Map((lists[i] ?? []).map((point) => [point.bucket.getTime(), point])),
      ]),
    );
    return wanted.map((each) => points.get(keyOf(each)) ?? new Map());
  };
  const loader = new DataLoader<Wanted<P>, Points>(read, { cache: false });
  return (ask, fields) => loader.load({ ask, fields });
}
