import DataLoader from 'dataloader';
import type { MarketPoint } from '../../store/history/market-series.ts';
import {
  readMarketSlices,
  readReserveSlices,
  readVaultSlices,
  type Slice,
  type SliceAsk,
} from '../../store/history/read-slices.ts';
import type { ReservePoint } from '../../store/history/reserve-series.ts';
import type { VaultPoint } from '../../store/history/vault-series.ts';
import type { Database, Sql } from '../../store/sql.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';

/** The series as one request reads them: what is asked for in the same tick leaves as one statement per kind. */
export interface Slices {
  readonly vault: DataLoader<SliceAsk, Slice<VaultPoint>, string>;
  readonly reserve: DataLoader<SliceAsk, Slice<ReservePoint>, string>;
  readonly market: DataLoader<SliceAsk, Slice<MarketPoint>, string>;
}

const ofSession = new WeakMap<Session, Slices>();

/** @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE */
export function slicesOf(platform: Platform, session: Session, what: string): Slices {
  const db = platform.history.database(what);
  const known = ofSession.get(session);
  if (known !== undefined) return known;
  const slices = {
    vault: loader(db, readVaultSlices),
    reserve: loader(db, readReserveSlices),
    market: loader(db, readMarketSlices),
  };
  ofSession.set(session, slices);
  return slices;
}

function loader<P>(db: Database, read: (sql: Sql, asks: readonly SliceAsk[]) => Promise<Slice<P>[]>) {
  return new DataLoader<SliceAsk, Slice<P>, string>((asks) => read(db, asks), {
    cacheKeyFn: (ask) => JSON.stringify(ask),
  });
}
