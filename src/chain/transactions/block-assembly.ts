import type { BlockMetaUpdate, SubscribeUpdate, TransactionInfo } from '@sluice/geyser/messages';
import { base58Of } from '@sluice/protocol/layout/base58-text';
import type { ConfirmedTransaction } from '@sluice/protocol/transactions/confirmed-transaction';
import { BrokenStream } from './broken-stream.ts';
import { streamedTransaction } from './streamed-transaction.ts';

export interface BlockTransaction {
  readonly transaction: ConfirmedTransaction;
  /** Position in the block. */
  readonly place: number;
}

/** A final block with its transactions that pass the filters, in the order of the block. */
export interface FinalBlock {
  readonly slot: bigint;
  readonly blockhash: string;
  readonly parentSlot: bigint;
  readonly parentBlockhash: string;
  readonly transactions: readonly BlockTransaction[];
}

interface Slot {
  meta: BlockMetaUpdate | null;
  readonly waiting: TransactionInfo[];
  /** Of all transactions so far. */
  readonly signatures: Set<string>;
  isDelivered: boolean;
}

/** As many as a server keeps for replay by default, twice. */
const REMEMBERED_SLOTS = 300;
const MAX_WAITING = 20_000;

/**
 * Puts the updates of a stream of final transactions together to blocks. A block is complete when a later one comes: a server
 * sends the content of a slot before anything of the next one. A transaction that comes even later makes its block be delivered
 * once more, with what is new.
 */
export class BlockAssembly {
  readonly #slots = new Map<bigint, Slot>();
  readonly #maxWaiting: number;
  #waiting = 0;

  /** @param maxWaiting transactions that may wait for their blocks */
  constructor(maxWaiting = MAX_WAITING) {
    this.#maxWaiting = maxWaiting;
  }

  /** The blocks that the update completes. @throws BrokenStream */
  take({ transaction, blockMeta }: SubscribeUpdate): FinalBlock[] {
    if (transaction !== null) return this.#takeTransaction(transaction.slot, transaction.transaction);
    return blockMeta === null ? [] : this.#takeMeta(blockMeta);
  }

  #takeTransaction(number: bigint, info: TransactionInfo | null): FinalBlock[] {
    if (info === null) throw new BrokenStream('MALFORMED', 'an update has no transaction');
    const slot = this.#at(number);
    const signature = base58Of(info.signature);
    if (slot.signatures.has(signature)) return [];
    slot.signatures.add(signature);
    slot.waiting.push(info);
    this.#waiting += 1;
    if (this.#waiting > this.#maxWaiting)
      throw new BrokenStream('FLOOD', `${this.#maxWaiting} transactions wait for their blocks`);
    return slot.isDelivered ? this.#complete(slot) : [];
  }

  #takeMeta(meta: BlockMetaUpdate): FinalBlock[] {
    const slot = this.#at(meta.slot);
    if (slot.meta !== null && slot.meta.blockhash !== meta.blockhash) {
      throw new BrokenStream('FORK', `slot ${meta.slot} has two final blocks`);
    }
    slot.meta = meta;
    const parent = this.#slots.get(meta.parentSlot)?.meta ?? null;
    if (parent !== null && parent.blockhash !== meta.parentBlockhash) {
      throw new BrokenStream('FORK', `slot ${meta.slot} does not continue slot ${meta.parentSlot}`);
    }
    return [...this.#slots]
      .filter(([number, { isDelivered }]) => number < meta.slot && !isDelivered)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, each]) => this.#complete(each));
  }

  #complete(slot: Slot): FinalBlock[] {
    const { meta, waiting } = slot;
    // Without a time its transactions cannot be stored. The block is missing from the stream then.
    if (meta === null || meta.blockTime === null) return [];
    const time = Number(meta.blockTime.timestamp);
    const transactions = waiting.splice(0).map((info) => ({
      transaction: streamedTransaction(info, { slot: meta.slot, time }),
      place: Number(info.index),
    }));
    this.#waiting -= transactions.length;
    slot.isDelivered = true;
    const { blockhash, parentSlot, parentBlockhash } = meta;
    transactions.sort((a, b) => a.place - b.place);
    return [{ slot: meta.slot, blockhash, parentSlot, parentBlockhash, transactions }];
  }

  #at(number: bigint): Slot {
    const known = this.#slots.get(number);
    if (known !== undefined) return known;
    const slot: Slot = { meta: null, waiting: [], signatures: new Set(), isDelivered: false };
    this.#slots.set(number, slot);
    for (const [oldest, { waiting }] of this.#slots) {
      if (this.#slots.size <= REMEMBERED_SLOTS) break;
      this.#waiting -= waiting.length;
      this.#slots.delete(oldest);
    }
    return slot;
  }
}
