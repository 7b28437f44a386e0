import type { FinalBlock } from '../../chain/transactions/block-assembly.ts';
import { BrokenStream } from '../../chain/transactions/broken-stream.ts';
import type { SlotRange } from '../../store/transactions/slot-ranges.ts';

/** A block, and the slots of which nothing more is to come with it: its own and skipped ones before it. */
export interface QueuedBlock {
  readonly block: FinalBlock;
  /** Null when it proves nothing: it came again, or does not continue what is known. */
  readonly covered: SlotRange | null;
}

export interface BlockQueueOptions {
  /** The newest slot that is stored; null for none. */
  readonly tip: bigint | null;
  /** The slot after which the server is known to miss some, so that a gap there is accepted. */
  readonly gapAfter: bigint | null;
}

const MAX_TRANSACTIONS = 1_000;
const MAX_BLOCKS = 1_000;

/** Blocks on their way to the store, in the order of the chain. Decides which slots each block completes. */
export class BlockQueue {
  readonly #gapAfter: bigint | null;
  #blocks: QueuedBlock[] = [];
  #transactions = 0;
  #last: { readonly slot: bigint; readonly ofSession: boolean } | null;
  #hasEnded = false;
  #wake: () => void = () => undefined;
  #changed = this.#next();

  constructor({ tip, gapAfter }: BlockQueueOptions) {
    this.#last = tip === null ? null : { slot: tip, ofSession: false };
    this.#gapAfter = gapAfter;
  }

  /** The newest block that was added, or the newest stored slot before the first one. */
  get tip(): bigint | null {
    return this.#last?.slot ?? null;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves when there is room for the next one. @throws BrokenStream for a gap or a fork */
  async add(block: FinalBlock, signal: AbortSignal): Promise<void> {
    this.#blocks.push({ block, covered: this.#coveredBy(block) });
    this.#transactions += block.transactions.length;
    this.#notify();
    while (this.#isFull && !signal.aborted) await this.#changed;
  }

  /** Nothing more is added. */
  end(): void {
    this.#hasEnded = true;
    this.#notify();
  }

  /** Resolves when there is a block, or none will come. */
  async filled(): Promise<void> {
    while (this.#blocks.length === 0 && !this.#hasEnded) await this.#changed;
  }

  /** The next blocks with about this many transactions, at least one block if there is one. */
  take(transactions: number): QueuedBlock[] {
    let [count, sum] = [0, 0];
    while (count < this.#blocks.length && sum < transactions) {
      sum += this.#blocks[count]?.block.transactions.length ?? 0;
      count += 1;
    }
    this.#transactions -= sum;
    const taken = this.#blocks.splice(0, count);
    this.#notify();
    return taken;
  }

  #coveredBy({ slot, parentSlot }: FinalBlock): SlotRange | null {
    const last = this.#last;
    if (last !== null && slot <= last.slot) return null;
    if (last?.ofSession === true && parentSlot !== last.slot) {
      if (parentSlot < last.slot) {
        throw new BrokenStream('FORK', `slot ${slot} continues slot ${parentSlot}, not ${last.slot}`);
      }
      if (this.#gapAfter !== last.slot) {
        throw new BrokenStream('GAP', `slot ${slot} continues slot ${parentSlot}, which did not come`);
      }
    }
    this.#last = { slot, ofSession: true };
    // What a server sends first may not be what was asked for. It is only believed to be whole where it continues what is stored.
    const isKnown = last !== null && (last.ofSession || parentSlot === last.slot);
    return isKnown ? { from: parentSlot + 1n, to: slot } : null;
  }

  get #isFull(): boolean {
    return this.#transactions >= MAX_TRANSACTIONS || this.#blocks.length >= MAX_BLOCKS;
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #notify(): void {
    const wake = this.#wake;
    this.#changed = this.#next();
    wake();
  }
}
