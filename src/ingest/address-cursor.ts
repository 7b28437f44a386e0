import type { Address } from '@solana/kit';
import type { BlockOrder } from '../store/transactions/block-order.ts';
import {
  type IngestCursor,
  NEW_CURSOR,
  readCursors,
  type TransactionRef,
} from '../store/transactions/cursors.ts';
import { type PageWrite, writePage } from '../store/transactions/write-page.ts';
import type { AddressSource } from './source.ts';

/** Another process moved the cursor; the work is repeated from the new position. */
class Overtaken extends Error {}

export interface CursorOptions {
  /** Fencing token of the recorder; null on behalf of a request. */
  readonly fence: bigint | null;
  readonly signal: AbortSignal;
  /** Called after each written page. */
  readonly onWritten?: (() => void) | undefined;
}

/**
 * The stored cursor of an address. It moves in the same transaction as the page that was read, and only if no
 * other process has moved it since.
 */
export class AddressCursor {
  readonly #source: AddressSource;
  readonly #address: Address;
  readonly #options: CursorOptions;
  #at: IngestCursor = NEW_CURSOR;
  #writtenAtMs = 0;
  #missing = 0;

  constructor(source: AddressSource, address: Address, options: CursorOptions) {
    this.#source = source;
    this.#address = address;
    this.#options = options;
  }

  get at(): IngestCursor {
    return this.#at;
  }

  /** When any process last wrote the cursor, moved or not. */
  get writtenAtMs(): number {
    return this.#writtenAtMs;
  }

  /** Transactions that were missing when the cursor was loaded. */
  get missing(): number {
    return this.#missing;
  }

  /**
   * Runs `work` from the stored position, and again whenever another process moved the cursor in the
   * meantime.
   */
  async persist(work: () => Promise<void>): Promise<void> {
    for (;;) {
      await this.#load();
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
      }
    }
  }

  /**
   * @param listed the transactions of the same page; they determine the order within a block that the node
   * has pruned
   */
  async move(
    listed: readonly TransactionRef[],
    page: Pick<PageWrite, 'to' | 'final' | 'tail' | 'missing' | 'found'>,
  ): Promise<void> {
    const orders = new Map<bigint, BlockOrder>();
    for (;;) {
      const outcome = await writePage(this.#source.db, {
        ...page,
        address: this.#address,
        fence: this.#options.fence,
        from: this.#at,
        orders,
      });
      if (outcome.kind === 'overtaken') throw new Overtaken();
      if (outcome.kind === 'written') break;
      for (const slot of outcome.slots) orders.set(slot, await this.#orderOf(slot, listed));
    }
    this.#at = { ...page.to, version: this.#at.version + 1 };
    this.#writtenAtMs = Date.now();
    this.#options.onWritten?.();
  }

  /**
   * Holds a position that is not stored: an address without transactions leaves no row. It lasts until the next
   * `persist`.
   */
  assume(to: Omit<IngestCursor, 'version'>): void {
    this.#at = { ...to, version: this.#at.version };
  }

  async #load(): Promise<void> {
    const stored = (await readCursors(this.#source.db, [this.#address])).get(this.#address);
    this.#at = stored ?? NEW_CURSOR;
    this.#writtenAtMs = stored?.checkedAt.getTime() ?? 0;
    this.#missing = stored?.missing ?? 0;
  }

  async #orderOf(slot: bigint, listed: readonly TransactionRef[]): Promise<BlockOrder> {
    const { signal } = this.#options;
    await this.#source.turn(signal);
    const signatures = await this.#source.transactions.blockSignatures(slot, signal);
    if (signatures !== null) return { signatures, exact: true };
    const own = listed.filter((each) => each.slot === slot).map(({ signature }) => signature);
    return { signatures: own.reverse(), exact: false };
  }
}
