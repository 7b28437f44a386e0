import type { Address } from '@solana/kit';
import { AddressRun } from './address-run.ts';
import type { FinalizedSlot } from './finalized-slot.ts';
import type { ReadSlots } from './read-slots.ts';
import type { Reader } from './reader.ts';
import { addressSource, type IngestSource } from './source.ts';

/** Nobody wants the rest of an address any more. */
export class NotWanted extends Error {}

/** Range of a run: the newest transactions, and with `back` all older ones. */
export interface ReadAddressOptions {
  /** Fencing token of the recorder; null on behalf of a request. */
  readonly fence: bigint | null;
  readonly finalizedSlot?: bigint | undefined;
  readonly back: boolean;
}

export interface IngestTaskOptions extends ReadAddressOptions {
  readonly source: IngestSource;
  readonly slots: ReadSlots;
  readonly finalized: FinalizedSlot;
  readonly address: Address;
  readonly reader: () => Reader;
  /** Called before each RPC call. */
  readonly onCall: () => void;
  /** Called before each chunk; may call `leave`. */
  readonly checkWanted: () => void;
  /** Called when the newest transactions are known. */
  readonly onNewest: (run: AddressRun) => void;
  /** Called when more is known. */
  readonly onMore: () => void;
  readonly signal: AbortSignal;
}

/** An address that is being read, chunk by chunk. It shares the slots with others after each chunk. */
export class IngestTask {
  readonly address: Address;
  readonly startedAt = new Date();
  readonly #options: IngestTaskOptions;
  readonly #left = new AbortController();
  readonly run: AddressRun;
  #pause: () => Promise<void> = () => Promise.resolve();
  #phase: 'newest' | 'older' = 'newest';

  constructor(options: IngestTaskOptions) {
    const { address, source, finalized, reader, onCall, fence, finalizedSlot, signal, onMore } = options;
    this.address = address;
    this.#options = options;
    this.run = new AddressRun(addressSource(source, finalized, reader, onCall), address, {
      fence,
      finalizedSlot,
      signal,
      pause: () => this.#pause(),
      onWritten: onMore,
    });
  }

  get phase(): 'newest' | 'older' {
    return this.#phase;
  }

  get transactions(): number {
    return this.run.cursor.transactions;
  }

  /** Ends `read` with the reason: at once while it waits, otherwise after the chunk being read. */
  leave(reason: Error): void {
    this.#left.abort(reason);
  }

  /** Ends when everything that was asked for is stored. */
  async read(): Promise<void> {
    const { slots, reader, back, onNewest, onMore } = this.#options;
    const left = this.#left.signal;
    const slot = await slots.hold(reader(), left);
    this.#pause = async () => {
      this.#requireWanted();
      await slot.yield(reader(), left);
      this.#requireWanted();
    };
    try {
      this.#requireWanted();
      await this.run.syncHead();
      this.#phase = 'older';
      onNewest(this.run);
      onMore();
      for (let more = back && !this.run.cursor.reachedStart; more; ) more = await this.run.readBack();
    } finally {
      slot.release();
    }
  }

  #requireWanted(): void {
    this.#options.checkWanted();
    this.#left.signal.throwIfAborted();
  }
}
