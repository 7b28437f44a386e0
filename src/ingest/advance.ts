import type { ListedTransaction } from '../chain/transactions/transactions.ts';
import type { IngestCursor, TransactionRange, TransactionRef } from '../store/transactions/cursors.ts';

/**
 * Which part of an address's list is read: `head` is newer than the known range, `gap` lies between an
 * interrupted head and the known range, `back` is older.
 */
export type Section = 'head' | 'gap' | 'back';

/** A chunk that was read, newest first. */
export interface Advance {
  readonly section: Section;
  readonly chunk: readonly ListedTransaction[];
  /** Nothing follows: a head has met the known range, or `back` has reached the start of the list. */
  readonly ended: boolean;
  readonly finalizedSlot: bigint;
  /** The unfinalized end of the list, if it was read. */
  readonly tail: readonly ListedTransaction[] | null;
  readonly availableFrom: bigint | null;
  readonly problems: number;
}

/** The cursor after a chunk of final transactions was read. */
export function advanced(cursor: IngestCursor, advance: Advance): Omit<IngestCursor, 'version'> {
  const { chunk, tail, problems, availableFrom } = advance;
  const moved = movedRanges(cursor, advance);
  const newest = moved.head?.newest ?? moved.known?.newest;
  return {
    ...moved,
    availableFrom,
    seenSlot: tail === null ? cursor.seenSlot : (tail[0]?.slot ?? newest?.slot ?? null),
    transactions: cursor.transactions + chunk.length,
    failed: cursor.failed + chunk.filter(({ failed }) => failed).length,
    problems: cursor.problems + problems,
  };
}

type Ranges = Pick<IngestCursor, 'known' | 'head' | 'reachedStart' | 'syncedSlot'>;

function movedRanges(cursor: IngestCursor, { section, chunk, ended, finalizedSlot }: Advance): Ranges {
  const { known, head, reachedStart, syncedSlot } = cursor;
  const read = rangeOf(chunk);
  if (known === null) {
    return { known: read, head: null, reachedStart: ended, syncedSlot: finalizedSlot };
  }
  if (section === 'back') {
    const oldest = read?.oldest ?? known.oldest;
    return { known: { ...known, oldest }, head, reachedStart: reachedStart || ended, syncedSlot };
  }
  const grown = joined(head, read);
  if (!ended) return { known, head: grown, reachedStart, syncedSlot };
  const newest = grown?.newest ?? known.newest;
  // Transactions after an interrupted head are not listed yet.
  const synced = section === 'gap' ? newest.slot : finalizedSlot;
  return { known: { ...known, newest }, head: null, reachedStart, syncedSlot: synced };
}

/** Joins two adjacent ranges; `below` continues `above`. */
function joined(above: TransactionRange | null, below: TransactionRange | null): TransactionRange | null {
  if (above === null || below === null) return above ?? below;
  return { newest: above.newest, oldest: below.oldest };
}

function rangeOf(chunk: readonly ListedTransaction[]): TransactionRange | null {
  const [newest, oldest] = [chunk[0], chunk.at(-1)];
  return newest === undefined || oldest === undefined
    ? null
    : { newest: refOf(newest), oldest: refOf(oldest) };
}

const refOf = ({ signature, slot }: TransactionRef): TransactionRef => ({ signature, slot });
