import type { Address } from '@solana/kit';
import type { BlockOrder } from '../store/transactions/block-order.ts';
import {
  type IngestCursor,
  NEW_CURSOR,
  readCursors,
  type TransactionRef,
} from '../store/transactions/cursors.ts';
import { type PageWrite, writePage } from '../store/transactions/write-page.ts';
import type { IngestSource } from './source.ts';

/** Another process moved the cursor; what was read is read again from where it is now. */
class Overtaken extends Error {}

export interface CursorOptions {
  /** The recorder's, or null on behalf of a request. */
  readonly fence: bigint | null;
  readonly signal: AbortSignal;
  /** Called after each page that was written. */
  readonly onWritten?: (() => void) | undefined;
}

/**
 * How far an address has been read, as the store has it. It moves together with what was read, and only from where it was
 * when that was read.
 */
export class AddressCursor {
  readonly #source: IngestSource;
  readonly #address: Address;
  readonly #options: CursorOptions;
  #at: IngestCursor = NEW_CURSOR;
  #writtenAtMs = 0;

  constructor(source: IngestSource, address: Address, options: CursorOptions) {
    this.#source = source;
    this.#address = address;
    this.#options = options;
  }

  get at(): IngestCursor {
    return this.#at;
  }

  /** When somebody last wrote it, moved or not. */
  get writtenAtMs(): number {
    return this.#writtenAtMs;
  }

  /** Does the work from where the cursor stands, again from its new place whenever another process has moved it meanwhile. */
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

  /** @param listed what stands on the same page, by which the order within a block is told where the node has lost it */
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

  async #load(): Promise<void> {
    const stored = (await readCursors(this.#source.db, [this.#address])).get(this.#address);
    this.#at = stored ?? NEW_CURSOR;
    this.#writtenAtMs = stored?.checkedAt.getTime() ?? 0;
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
