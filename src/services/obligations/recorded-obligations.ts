import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import {
  type ObligationEntries,
  type ObligationEntryFilter,
  readObligationEntries,
} from '../../store/history/obligation-index.ts';
import { marketInView } from '../markets/markets.ts';
import { fingerprintOf, isBackwards, type Page, type PageRequest, pageSize } from '../paging/paging.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';
import type { ObligationFilter, ObligationOrder } from './filter.ts';
import { OBLIGATION_TAGS } from './tags.ts';

/** A list over a whole market, from the index that the recorder builds every hour. */
export interface RecordedObligationsQuery {
  readonly market: Address;
  readonly filter: ObligationFilter;
  readonly order: ObligationOrder;
}

/**
 * A page of the obligations of a market. Filter and order are as of the last scan (`indexedAt`); the obligations
 * themselves are read live. A cursor is valid until the next scan.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, KLEND_MARKET_NOT_FOUND, CURSOR_INVALID
 */
export async function recordedObligations(
  platform: Platform,
  session: Session,
  { market, filter, order }: RecordedObligationsQuery,
  request: PageRequest,
): Promise<Page<Address>> {
  const db = platform.historyFor(session, 'The list of all obligations of a market');
  marketInView(session.view, market);
  const size = pageSize(request);
  const read = (limit: number, offset: number) =>
    readObligationEntries(db, market, entryFilter(filter), order, { limit, offset });
  const fingerprint = fingerprintOf(['market obligations', market, filter, order]);
  const [after, before] = [request.after, request.before].map((cursor) => readCursor(cursor, fingerprint));
  const backwards = isBackwards(request);
  const low = after === undefined ? 0 : after.offset + 1;
  // Backwards without a cursor needs the length of the list.
  const high = before?.offset ?? (backwards ? (await read(0, 0)).count : Number.POSITIVE_INFINITY);
  const start = backwards ? Math.max(low, high - size) : low;
  const limit = Math.max(0, Math.min(size, high - start));
  const found = await read(limit, start);
  for (const cursor of [after, before]) requireSameIndex(cursor, found);
  const end = start + found.entries.length;
  return {
    items: found.entries.map(({ obligation }, i) => ({
      cursor: writeCursor(found, start + i, fingerprint),
      item: obligation,
    })),
    hasNextPage: end < found.count,
    hasPreviousPage: start > 0 && found.count > 0,
    totalCount: found.count,
    indexedAt: found.madeAt,
  };
}

function entryFilter({ tag, liquidatable: _, ...rest }: ObligationFilter): ObligationEntryFilter {
  return { ...rest, tag: tag ? OBLIGATION_TAGS.indexOf(tag) : null };
}

interface CursorPosition {
  readonly text: string;
  readonly madeAtMs: number;
  readonly offset: number;
}

const writeCursor = ({ madeAt }: ObligationEntries, offset: number, fingerprint: string) =>
  Buffer.from(`${madeAt?.getTime() ?? 0}.${offset}.${fingerprint}`).toString('base64url');

const refuse = (cursor: string): never => {
  throw new SluiceError('CURSOR_INVALID', { cursor: cursor.slice(0, 80) });
};

function readCursor(text: string | null | undefined, fingerprint: string): CursorPosition | undefined {
  if (text === null || text === undefined) return undefined;
  const match = /^(\d{1,15})\.(\d{1,9})\.(.+)$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (match === null || match[3] !== fingerprint) return refuse(text);
  return { text, madeAtMs: Number(match[1]), offset: Number(match[2]) };
}

/** Offsets into an index that has been rebuilt since are meaningless. */
function requireSameIndex(cursor: CursorPosition | undefined, { madeAt }: ObligationEntries): void {
  if (cursor !== undefined && cursor.madeAtMs !== (madeAt?.getTime() ?? 0)) refuse(cursor.text);
}
