import type { Address } from '@solana/kit';
import type { ListedTransaction } from '../chain/transactions/transactions.ts';
import { isCodedError } from '../errors/sluice-error.ts';
import type { IngestCursor, TransactionRef } from '../store/transactions/cursors.ts';
import { readMissing } from '../store/transactions/missing.ts';
import { AddressCursor, type CursorOptions } from './address-cursor.ts';
import { type Advance, advanced, type Section } from './advance.ts';
import { type ReadResult, readListed } from './read-transactions.ts';
import type { AddressSource } from './source.ts';

/** The most signatures that a node lists per call. */
const LIST_LIMIT = 1_000;
/** For an address seen for the first time: enough for a first page, quickly. */
const FIRST_LIMIT = 100;
/** Transactions written per database transaction; a crash loses at most this much reading. */
const CHUNK = 100;
/** After this many slots (some hours) a node may have pruned what lies in between. */
const MAY_BE_PRUNED_SLOTS = 50_000n;
/** Interval at which a cursor that does not move is rewritten, so that other processes see that it is current. */
const TOUCH_MS = 60_000;
const RETRY_MISSING_MS = 15_000;
const MISSING_PER_RETRY = 100;

export interface RunOptions extends CursorOptions {
  /** Awaited between two chunks. Rejects when the rest is not wanted; the cursor is stored by then. */
  readonly pause: () => Promise<void>;
  /** The finalized slot, when the caller has just read it. */
  readonly finalizedSlot?: bigint | undefined;
}

/**
 * Reads the transactions of one address into the store, newest first: those newer than the known range, then
 * those older. Each chunk of events is written together with the cursor.
 *
 * Only final transactions move the cursor. Confirmed ones that are not final yet are written as the address's
 * tail, which is read again and replaced on every run, so a dropped transaction disappears with it.
 */
export class AddressRun {
  readonly #source: AddressSource;
  readonly #address: Address;
  readonly #options: RunOptions;
  readonly #cursor: AddressCursor;
  /** All final transactions up to this slot are known, whether or not they are written. */
  syncedSlot: bigint | null = null;

  constructor(source: AddressSource, address: Address, options: RunOptions) {
    this.#source = source;
    this.#address = address;
    this.#options = options;
    this.#cursor = new AddressCursor(source, address, options);
  }

  get cursor(): IngestCursor {
    return this.#cursor.at;
  }

  /** Brings the newest end up to date; for a new address, reads only its newest transactions. */
  async syncHead(): Promise<void> {
    await this.#cursor.persist(async () => {
      if (this.cursor.head !== null) await this.#readSection('gap');
      await this.#readSection('head');
      await this.#retryMissing();
    });
  }

  /** Reads one page of older transactions. Resolves to whether there are more. */
  async readBack(): Promise<boolean> {
    await this.#options.pause();
    await this.#cursor.persist(async () => {
      if (!this.cursor.reachedStart) await this.#readSection('back');
    });
    return !this.cursor.reachedStart;
  }

  /** `head` and `gap` read on to the known range; `back`, and the head of a new address, read one page. */
  async #readSection(section: Section): Promise<void> {
    const { signal } = this.#options;
    const { known, head, seenSlot } = this.cursor;
    const isNew = section === 'head' && known === null;
    const finalizedSlot = this.#options.finalizedSlot ?? (await this.#source.finalizedSlot(signal));
    const minSlot = seenSlot !== null && seenSlot > finalizedSlot ? seenSlot : finalizedSlot;
    const until = section === 'back' ? undefined : known?.newest;
    const limit = isNew ? FIRST_LIMIT : LIST_LIMIT;
    let before = section === 'gap' ? head?.oldest : section === 'back' ? known?.oldest : undefined;
    for (let first = true; ; first = false) {
      if (!first) await this.#options.pause();
      await this.#source.turn(signal);
      const listed = await this.#source.transactions.signaturesOf(this.#address, {
        before: before?.signature,
        until: until?.signature,
        limit,
        minSlot,
        signal,
      });
      const own = until === undefined ? listed : listed.filter((each) => isAbove(each, until));
      const ended = listed.length < limit || own.length < listed.length;
      const tail = section === 'head' && first ? own.filter(({ slot }) => slot > finalizedSlot) : null;
      const final = own.filter(({ slot }) => slot <= finalizedSlot);
      await this.#readPage(section, { final, tail, ended, finalizedSlot, listed });
      if (ended || isNew || section === 'back') break;
      before = listed.at(-1);
    }
    if (section === 'head') this.syncedSlot = finalizedSlot;
  }

  async #readPage(section: Section, page: ListPage): Promise<void> {
    const { final, tail, ended, finalizedSlot, listed } = page;
    const { signal } = this.#options;
    const tailRead = tail === null ? null : await readListed(this.#source, tail, signal);
    if (final.length === 0 && this.#isIdle(section, page)) return;
    const chunks = chunksOf(final);
    for (const [i, chunk] of chunks.entries()) {
      if (i > 0) await this.#options.pause();
      const last = i === chunks.length - 1;
      const read = await readListed(this.#source, chunk, signal);
      const availableFrom = await this.#floorAt(section, ended && last, page);
      await this.#write(chunk, read, i === 0 ? tailRead : null, listed, {
        section,
        ended: ended && last,
        availableFrom,
        finalizedSlot,
        tail: i === 0 ? tail : null,
      });
    }
  }

  /** Nothing new, no tail to replace, and the cursor was written recently. */
  #isIdle(section: Section, { tail, ended, finalizedSlot }: ListPage): boolean {
    const { known, seenSlot, version, reachedStart, availableFrom, syncedSlot } = this.cursor;
    const hadTail = seenSlot !== null && seenSlot > (known?.newest.slot ?? -1n);
    const pruned = this.#mayBePruned(finalizedSlot) && availableFrom === null && syncedSlot !== null;
    return (
      section === 'head' &&
      ended &&
      version > 0 &&
      (known !== null || reachedStart) &&
      tail?.length === 0 &&
      !hadTail &&
      !pruned &&
      Date.now() - this.#cursor.writtenAtMs < TOUCH_MS
    );
  }

  async #write(
    chunk: readonly ListedTransaction[],
    read: ReadResult,
    tail: ReadResult | null,
    listed: readonly ListedTransaction[],
    advance: Omit<Advance, 'chunk' | 'problems'>,
  ): Promise<void> {
    const problems = read.eventful.reduce((sum, each) => sum + each.problems.length, 0);
    const to = advanced(this.cursor, { ...advance, chunk, problems });
    if (this.cursor.version === 0 && listed.length === 0) {
      this.#cursor.assume(to);
      return;
    }
    await this.#cursor.move(listed, {
      to,
      final: read.eventful,
      tail: tail && { transactions: tail.eventful, finalizedSlot: advance.finalizedSlot },
      missing: read.missing,
      found: [],
    });
  }

  /** Requests again the transactions that a node listed but did not return. */
  async #retryMissing(): Promise<void> {
    if (this.#cursor.missing === 0) return;
    const { db } = this.#source;
    const before = new Date(Date.now() - RETRY_MISSING_MS);
    const refs = await readMissing(db, this.#address, before, MISSING_PER_RETRY);
    if (refs.length === 0) return;
    const listed = refs.map((ref) => ({ ...ref, failed: false }));
    const { eventful, missing } = await readListed(this.#source, listed, this.#options.signal);
    const stillMissing = new Set(missing.map(({ signature }) => signature));
    const found = refs.map(({ signature }) => signature).filter((signature) => !stillMissing.has(signature));
    await this.#cursor.move(refs, { to: this.cursor, final: eventful, tail: null, missing, found });
  }

  /** The slot before which the node has no data. Only determined where it matters, at the end of a list. */
  async #floorAt(section: Section, ended: boolean, page: ListPage): Promise<bigint | null> {
    const { finalizedSlot } = page;
    const { known, availableFrom } = this.cursor;
    const isStart = section === 'back' || known === null;
    if (!ended || this.#source.wholeChain || !(isStart || this.#mayBePruned(finalizedSlot))) {
      return availableFrom;
    }
    const floor = await this.#firstAvailable(page);
    // Genesis is slot 0; some nodes count from the block after it.
    const needed = isStart ? 1n : (known?.newest.slot ?? 1n);
    return floor > needed ? floor : availableFrom;
  }

  async #firstAvailable({ listed, finalizedSlot }: ListPage): Promise<bigint> {
    const { signal } = this.#options;
    try {
      await this.#source.turn(signal);
      return await this.#source.transactions.firstAvailableSlot(signal);
    } catch (error) {
      // A node that does not report its first block is only trusted back to what it listed.
      if (isCodedError(error, 'RPC_REFUSED')) {
        return listed.at(-1)?.slot ?? this.cursor.known?.oldest.slot ?? finalizedSlot;
      }
      throw error;
    }
  }

  #mayBePruned(finalizedSlot: bigint): boolean {
    const { syncedSlot } = this.cursor;
    return syncedSlot !== null && finalizedSlot - syncedSlot > MAY_BE_PRUNED_SLOTS;
  }
}

interface ListPage {
  readonly listed: readonly ListedTransaction[];
  readonly final: readonly ListedTransaction[];
  readonly tail: readonly ListedTransaction[] | null;
  /** Nothing follows this page in the list. */
  readonly ended: boolean;
  readonly finalizedSlot: bigint;
}

/** A node that does not know `until` also lists what lies below it; this keeps only what is above. */
const isAbove = ({ slot, signature }: TransactionRef, known: TransactionRef) =>
  slot >= known.slot && signature !== known.signature;

/** Always at least one chunk, because reaching the end of a list is written too. */
function chunksOf(listed: readonly ListedTransaction[]): ListedTransaction[][] {
  const chunks = [listed.slice(0, CHUNK)];
  for (let i = CHUNK; i < listed.length; i += CHUNK) chunks.push(listed.slice(i, i + CHUNK));
  return chunks;
}
