import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { BrokenStream } from '../../chain/transactions/broken-stream.ts';
import type { TransactionStream } from '../../chain/transactions/transaction-stream.ts';
import type { ChainTransactions } from '../../chain/transactions/transactions.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { pauseFor } from '../../node/pause-for.ts';
import { readCoverage, type SlotRange, scopeOf } from '../../store/transactions/slot-ranges.ts';
import type { IngestSource } from '../source.ts';
import { BlockQueue } from './block-queue.ts';
import { BlockWriter } from './block-writer.ts';
import { GapFiller } from './gap-filler.ts';

export interface StreamFollowerOptions {
  readonly stream: Pick<TransactionStream, 'blocks' | 'useNext'>;
  readonly source: IngestSource;
  readonly chain: Pick<ChainTransactions, 'finalBlock'>;
  readonly programs: ProgramIds;
  readonly onFailure: (what: string, error: unknown) => void;
  /** Pause between two writes. */
  readonly writeEveryMs?: number;
  /** Pause after the first failure; it doubles. */
  readonly retryMs?: number;
  /** Pause between two looks for gaps. */
  readonly fillEveryMs?: number;
}

const WRITE_EVERY_MS = 2_000;
const RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;
const FILL_EVERY_MS = 60_000;
/** After a change of the subscription the server may deliver what it had queued before. About a minute. */
const SETTLING_SLOTS = 150n;

/**
 * Stores the transactions of a stream, with the slots that are thereby complete. It continues where the stored slots end; what
 * the server cannot replay stays a gap between two ranges until it is read from the RPC.
 */
export class StreamFollower {
  readonly #options: StreamFollowerOptions;
  readonly #gaps: GapFiller;
  readonly #scope: string;
  #filling: Promise<void> | null = null;
  #fillAtMs = 0;
  #run: { readonly fence: bigint; readonly stop: AbortController; readonly ended: Promise<void> } | null =
    null;
  #mints: readonly Address[] = [];
  #follow: ((addresses: readonly Address[]) => void) | null = null;
  /** Mints that were added to a running stream, with the slot from which on nothing of theirs is missing; null until it is known. */
  readonly #added = new Map<Address, bigint | null>();
  /** The first slot of the newest range that this process has extended; null before the first write. */
  #since: bigint | null = null;
  #coveredTo: bigint | null = null;
  #isLive = false;
  /** The block after which slots were missing when the stream was last left for that. */
  #gapAfter: bigint | null = null;

  constructor(options: StreamFollowerOptions) {
    this.#options = options;
    this.#gaps = new GapFiller(options);
    this.#scope = scopeOf(options.programs);
  }

  /** The stream delivers and is stored. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Follows the programs and these mints of shares for the holder of the token. Returns at once. */
  follow(fence: bigint, mints: readonly Address[]): void {
    this.#changeMints(mints);
    if (this.#run?.fence === fence) return;
    const before = this.stop();
    const stop = new AbortController();
    const ended = before.then(() => this.#loop(fence, stop.signal));
    this.#run = { fence, stop, ended };
  }

  async stop(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    run?.stop.abort();
    await run?.ended;
    await this.#filling;
  }

  /** The slot from which on all transactions of a vault, a farm or a mint of shares are stored as they come; null while they are not. */
  streamedSince(address: Address): bigint | null {
    if (!this.#isLive || this.#since === null) return null;
    const added = this.#added.get(address);
    return added === undefined || (added !== null && added < this.#since) ? this.#since : added;
  }

  get #addresses(): readonly Address[] {
    const { klend, kvault, farms } = this.#options.programs;
    return [klend, kvault, farms, ...this.#mints];
  }

  #changeMints(mints: readonly Address[]): void {
    const known = new Set(this.#mints);
    const added = mints.filter((mint) => !known.has(mint));
    if (added.length === 0 && mints.length === known.size) return;
    this.#mints = mints;
    this.#follow?.(this.#addresses);
    if (this.#run !== null) for (const mint of added) this.#added.set(mint, null);
  }

  async #loop(fence: bigint, signal: AbortSignal): Promise<void> {
    const { stream, onFailure, retryMs = RETRY_MS } = this.#options;
    let pauseMs = retryMs;
    while (!signal.aborted) {
      try {
        await this.#session(fence, signal, () => {
          pauseMs = retryMs;
        });
      } catch (error) {
        if (signal.aborted || isCodedError(error, 'NOT_LEADER')) break;
        onFailure('following the stream of transactions', error);
        // A gap is asked for again where it is most likely known.
        if (!(error instanceof BrokenStream && error.reason === 'GAP')) stream.useNext();
      } finally {
        this.#isLive = false;
        this.#follow = null;
      }
      await pauseFor(pauseMs, signal);
      pauseMs = Math.min(2 * pauseMs, MAX_RETRY_MS);
    }
  }

  async #session(fence: bigint, signal: AbortSignal, onWritten: () => void): Promise<void> {
    const { source, chain, stream, writeEveryMs = WRITE_EVERY_MS } = this.#options;
    const tip = (await readCoverage(source.db, this.#scope)).ranges.at(-1)?.to ?? null;
    const session = new AbortController();
    const either = AbortSignal.any([signal, session.signal]);
    const queue = new BlockQueue({ tip, gapAfter: this.#gapAfter });
    const writer = new BlockWriter({
      source,
      chain,
      fence,
      scope: this.#scope,
      queue,
      everyMs: writeEveryMs,
      onWritten: (range) => {
        this.#recordWritten(range);
        this.#fillGaps(fence, signal);
        onWritten();
      },
    });
    const written = writer.run(either);
    written.catch((error: unknown) => {
      session.abort(error);
      queue.end();
    });
    try {
      const blocks = stream.blocks({
        addresses: this.#addresses,
        // A server refuses a slot that it does not have yet, so the newest stored one is asked for again.
        fromSlot: tip,
        onOpen: (follow) => {
          this.#follow = follow;
        },
        signal: either,
      });
      for await (const block of blocks) await queue.add(block, either);
    } catch (error) {
      if (error instanceof BrokenStream && error.reason === 'GAP') this.#gapAfter = queue.tip;
      throw session.signal.aborted ? session.signal.reason : error;
    } finally {
      // What came before the failure is complete.
      queue.end();
      await written.catch(() => undefined);
    }
  }

  /** In the background. Ends with the signal. */
  #fillGaps(fence: bigint, signal: AbortSignal): void {
    const { onFailure, fillEveryMs = FILL_EVERY_MS } = this.#options;
    if (this.#filling !== null || performance.now() < this.#fillAtMs) return;
    this.#fillAtMs = performance.now() + fillEveryMs;
    this.#filling = this.#gaps
      .fill({ fence, mints: this.#mints, signal })
      .catch((error: unknown) => {
        if (!signal.aborted) onFailure('reading what the stream has missed', error);
      })
      .finally(() => {
        this.#filling = null;
      });
  }

  #recordWritten({ from, to }: SlotRange): void {
    const continues = this.#coveredTo !== null && from <= this.#coveredTo + 1n;
    if (!continues) this.#since = from;
    this.#coveredTo = to;
    this.#isLive = true;
    for (const [mint, slot] of this.#added) if (slot === null) this.#added.set(mint, to + SETTLING_SLOTS);
  }
}
