import type { ListedTransaction } from '../chain/transactions.ts';
import type { IngestCursor, TransactionRange, TransactionRef } from '../store/transactions/cursors.ts';

/**
 * Which part of an address's list is read: `head` what is newer than the known part, `gap` what lies between an earlier
 * head that was cut off and the known part, `back` what is older.
 */
export type Section = 'head' | 'gap' | 'back';

/** What has been read next, newest first. */
export interface Advance {
  readonly section: Section;
  readonly chunk: readonly ListedTransaction[];
  /** Nothing follows: a head meets the known part, what is older has begun with the last of the chunk. */
  readonly ended: boolean;
  readonly finalizedSlot: bigint;
  /** The unfinalized end of the list, when it was looked at. */
  readonly tail: readonly ListedTransaction[] | null;
  readonly availableFrom: bigint | null;
  readonly problems: number;
}

/** The cursor after a chunk of final transactions was read. */
export function advanced(cursor: IngestCursor, advance: Advance): Omit<IngestCursor, 'version'> {
  const { chunk, tail, problems, availableFrom } = advance;
  const moved = movedParts(cursor, advance);
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

type Parts = Pick<IngestCursor, 'known' | 'head' | 'reachedStart' | 'syncedSlot'>;

function movedParts(cursor: IngestCursor, { section, chunk, ended, finalizedSlot }: Advance): Parts {
  const { known, head, reachedStart, syncedSlot } = cursor;
  const read = partOf(chunk);
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
  // What came after a head that was cut off has not been listed yet.
  const synced = section === 'gap' ? newest.slot : finalizedSlot;
  return { known: { ...known, newest }, head: null, reachedStart, syncedSlot: synced };
}

/** Two parts of a list, the second right below the first. */
function joined(above: TransactionRange | null, below: TransactionRange | null): TransactionRange | null {
  if (above === null || below === null) return above ?? below;
  return { newest: above.newest, oldest: below.oldest };
}

function partOf(chunk: readonly ListedTransaction[]): TransactionRange | null {
  const [newest, oldest] = [chunk[0], chunk.at(-1)];
  return newest === undefined || oldest === undefined
    ? null
    : { newest: markOf(newest), oldest: markOf(oldest) };
}

const markOf = ({ signature, slot }: TransactionRef): TransactionRef => ({ signature, slot });
