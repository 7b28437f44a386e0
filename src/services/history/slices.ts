import DataLoader from 'dataloader';
import type { WorkBudget } from '../../node/work-budget.ts';
import { MARKET_SERIES, type MarketPoint } from '../../store/history/market-series.ts';
import { PRICE_SERIES, type PricePoint } from '../../store/history/price-series.ts';
import { readSlices, type Slice, type SliceRequest } from '../../store/history/read-slices.ts';
import { RESERVE_SERIES, type ReservePoint } from '../../store/history/reserve-series.ts';
import type { PointTime, Selected, Series } from '../../store/history/series.ts';
import { VAULT_SERIES, type VaultPoint } from '../../store/history/vault-series.ts';
import type { Database } from '../../store/sql.ts';
import type { Platform } from '../platform/platform.ts';
import { perSession } from '../request/per-session.ts';
import type { Session } from '../request/session.ts';

/** Reads a slice with the given fields of its points. */
type SliceReader<P extends PointTime> = <F extends keyof P>(
  ask: SliceRequest,
  fields: readonly F[],
) => Promise<Slice<Selected<P, F>>>;

/** Readers of one request. Reads of one tick are batched into one statement per kind. */
export interface Slices {
  readonly vault: SliceReader<VaultPoint>;
  readonly reserve: SliceReader<ReservePoint>;
  readonly market: SliceReader<MarketPoint>;
  /** By mint. */
  readonly price: SliceReader<PricePoint>;
}

const ofSession = perSession(
  (session, db: Database): Slices => ({
    vault: sliceReader(db, VAULT_SERIES, session.work),
    reserve: sliceReader(db, RESERVE_SERIES, session.work),
    market: sliceReader(db, MARKET_SERIES, session.work),
    price: sliceReader(db, PRICE_SERIES, session.work),
  }),
);

/** @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE */
export function slicesOf(platform: Platform, session: Session, what: string): Slices {
  return ofSession(session, platform.historyFor(session, what, 'recorded'));
}

interface Wanted<P> {
  readonly key: string;
  readonly ask: SliceRequest;
  readonly fields: readonly (keyof P)[];
}

const NOTHING_RECORDED = { step: null, since: null, points: [], total: 0, truncated: false };

/** A statement reads the union of all requested fields, and each distinct slice once. */
function sliceReader<P extends PointTime>(
  db: Database,
  series: Series<P>,
  meter: WorkBudget,
): SliceReader<P> {
  const read = async (wanted: readonly Wanted<P>[]): Promise<Slice<Selected<P, keyof P>>[]> => {
    const asks = new Map(wanted.map(({ key, ask }) => [key, ask]));
    const fields = new Set(wanted.flatMap((each) => each.fields));
    const slices = await readSlices(db, series, [...asks.values()], [...fields]);
    const pause = meter.step(slices.reduce((sum, { points }) => sum + points.length, 0));
    if (pause !== null) await pause;
    const indexes = new Map([...asks.keys()].map((key, index) => [key, index]));
    return wanted.map(({ key }) => slices[indexes.get(key) ?? 0] ?? NOTHING_RECORDED);
  };
  const loader = new DataLoader<Wanted<P>, Slice<Selected<P, keyof P>>, string>(read, {
    cacheKeyFn: ({ key, fields }) => `${key} ${[...fields].sort().join(' ')}`,
  });
  return (ask, fields) => loader.load({ key: JSON.stringify(ask), ask, fields });
}
