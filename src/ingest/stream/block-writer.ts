import type { FinalBlock } from '../../chain/transactions/block-assembly.ts';
import { BrokenStream } from '../../chain/transactions/broken-stream.ts';
import type { ChainTransactions } from '../../chain/transactions/transactions.ts';
import { pauseFor } from '../../node/pause-for.ts';
import { joinRanges, type SlotRange } from '../../store/transactions/slot-ranges.ts';
import type { EventfulTransaction } from '../../store/transactions/write-events.ts';
import { FOLLOWER } from '../reader.ts';
import type { IngestSource } from '../source.ts';
import type { BlockQueue, QueuedBlock } from './block-queue.ts';
import { writeFinal } from './write-final.ts';

export interface BlockWriterOptions {
  readonly source: IngestSource;
  /** Reads what the RPC says about a block. */
  readonly chain: Pick<ChainTransactions, 'finalBlock'>;
  readonly fence: bigint;
  readonly scope: string;
  readonly queue: BlockQueue;
  /** Pause between two writes. */
  readonly everyMs: number;
  /** Called with the newest range of slots that a write has completed. */
  readonly onWritten: (range: SlotRange) => void;
}

/** Written in one transaction; a kill loses at most this much decoding. */
const BATCH = 200;
const ASK_AGAIN_MS = 1_000;
/** For so long the RPC may lag behind the stream. */
const MAX_ASKED = 30;

/** Writes queued blocks: all events of a block together with the slots that it completes. */
export class BlockWriter {
  readonly #options: BlockWriterOptions;

  constructor(options: BlockWriterOptions) {
    this.#options = options;
  }

  /** Ends when everything that was queued before its end is written. @throws NOT_LEADER, BrokenStream */
  async run(signal: AbortSignal): Promise<void> {
    const { queue, everyMs } = this.#options;
    for (;;) {
      await queue.filled();
      const blocks = queue.take(BATCH);
      if (blocks.length === 0) return;
      await this.#requireFinal(blocks, signal);
      await this.#write(blocks, signal);
      if (!queue.hasEnded) await pauseFor(everyMs, signal);
      signal.throwIfAborted();
    }
  }

  async #write(blocks: readonly QueuedBlock[], signal: AbortSignal): Promise<void> {
    const { source, fence, scope, onWritten } = this.#options;
    const placed = blocks.flatMap(({ block }) => block.transactions);
    const events = await source.decode(
      placed.map(({ transaction }) => transaction),
      signal,
    );
    const transactions = events.flatMap((each, i): EventfulTransaction[] => {
      const place = placed[i]?.place;
      return place === undefined ? [] : [{ ...each, place }];
    });
    const covered = joinRanges(blocks.flatMap((each) => each.covered ?? []));
    await writeFinal(source, { fence, scope, transactions, covered }, signal);
    const newest = covered.at(-1);
    if (newest !== undefined) onWritten(newest);
  }

  /** The RPC, whose endpoints are compared with each other, has the final say. A block that it has proves those that it continues. */
  async #requireFinal(blocks: readonly QueuedBlock[], signal: AbortSignal): Promise<void> {
    for (const [i, { block }] of blocks.entries()) {
      const next = blocks[i + 1]?.block;
      if (next?.parentBlockhash !== block.blockhash) await this.#requireBlock(block, signal);
    }
  }

  async #requireBlock({ slot, blockhash }: FinalBlock, signal: AbortSignal): Promise<void> {
    const { source, chain } = this.#options;
    for (let asked = 0; asked < MAX_ASKED; asked += 1) {
      if (asked > 0) await pauseFor(ASK_AGAIN_MS, signal);
      signal.throwIfAborted();
      await source.turn(FOLLOWER, signal);
      const claim = await chain.finalBlock(slot, signal);
      if (!claim.isFinal) continue;
      if (claim.blockhash === null || claim.blockhash === blockhash) return;
      throw new BrokenStream('CONTRADICTS_RPC', `it has another block in slot ${slot}`);
    }
    throw new BrokenStream('NOT_FINAL', `the RPC has not finalized slot ${slot}`);
  }
}
