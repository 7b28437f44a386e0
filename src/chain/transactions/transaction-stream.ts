import type { GeyserClient, GeyserEndpoint } from '@sluice/geyser/client';
import { GeyserError, GrpcStatus } from '@sluice/geyser/errors';
import { CommitmentLevel, type SubscribeRequest } from '@sluice/geyser/messages';
import { type Clock, systemClock } from '@sluice/rpc-pool';
import { abandonOn } from '@sluice/rpc-pool/abort';
import type { Address } from '@solana/kit';
import { BlockAssembly, type FinalBlock } from './block-assembly.ts';
import { BrokenStream } from './broken-stream.ts';

/** Transactions to follow: those that name at least one of these addresses. */
export interface Subscription {
  readonly addresses: readonly Address[];
  /** The first slot wanted, if the server still has it: one that it has already finalized. Null for what comes from now on. */
  readonly fromSlot: bigint | null;
  /** Called with the function that follows other addresses from then on. */
  readonly onOpen?: (follow: (addresses: readonly Address[]) => void) => void;
  readonly signal: AbortSignal;
}

export interface TransactionStreamOptions {
  readonly endpoints: readonly GeyserEndpoint[];
  /** Silence after which a stream is given up. */
  readonly stallMs?: number;
  readonly clock?: Clock;
}

/** About 25 slots. */
const STALL_MS = 10_000;
/** The server does not have the slot, replays nothing, or does not know the slot. */
const CANNOT_REPLAY: ReadonlySet<GrpcStatus> = new Set([
  GrpcStatus.INVALID_ARGUMENT,
  GrpcStatus.OUT_OF_RANGE,
  GrpcStatus.INTERNAL,
]);

/** Final blocks with the successful transactions of the programs, from Geyser endpoints, one connection at a time. */
export class TransactionStream {
  readonly #options: TransactionStreamOptions;
  #turn = 0;

  constructor(options: TransactionStreamOptions) {
    this.#options = options;
  }

  /** Uses the next endpoint from now on. */
  useNext(): void {
    this.#turn += 1;
  }

  /**
   * Delivers whole blocks until the stream breaks or the signal is aborted. What was wanted and cannot be replayed is missing:
   * the parent of the first block tells.
   *
   * @throws BrokenStream, and GeyserError for a failed call
   */
  async *blocks(subscription: Subscription): AsyncGenerator<FinalBlock, void> {
    const { endpoints } = this.#options;
    const endpoint = endpoints[this.#turn % endpoints.length];
    if (endpoint === undefined) throw new RangeError('no Geyser endpoint is configured');
    // Loaded with the first connection: a gateway that only polls starts without it.
    const { GeyserClient } = await import('@sluice/geyser/client');
    const client = new GeyserClient(endpoint);
    try {
      const progress = { hasDelivered: false };
      try {
        yield* this.#subscribed(client, subscription, progress);
      } catch (error) {
        const isRefused = error instanceof GeyserError && CANNOT_REPLAY.has(error.status);
        if (subscription.fromSlot === null || progress.hasDelivered || !isRefused) throw error;
        yield* this.#subscribed(client, { ...subscription, fromSlot: null }, progress);
      }
    } finally {
      await client.close();
    }
  }

  async *#subscribed(
    client: GeyserClient,
    { addresses, fromSlot, onOpen, signal }: Subscription,
    progress: { hasDelivered: boolean },
  ): AsyncGenerator<FinalBlock, void> {
    const over = new AbortController();
    const unlink = abandonOn(signal, (reason) => over.abort(reason));
    const watch = this.#watchForStall(over);
    try {
      const stream = client.subscribe(requestFor(addresses, fromSlot), over.signal);
      onOpen?.((others) => stream.update(requestFor(others, null)));
      const assembly = new BlockAssembly();
      // A part of the first block may have passed before the subscription.
      let isWhole = fromSlot !== null;
      for await (const update of stream) {
        for (const block of assembly.take(update)) {
          if (!isWhole) {
            isWhole = true;
            continue;
          }
          progress.hasDelivered = true;
          watch.pause();
          yield block;
          watch.resume();
        }
      }
      throw new BrokenStream('ENDED', 'the server ended it');
    } catch (error) {
      throw watch.stalled ?? error;
    } finally {
      watch.pause();
      unlink();
      over.abort();
    }
  }

  /** Aborts when it has run for some time without a pause. */
  #watchForStall(over: AbortController) {
    const { stallMs = STALL_MS, clock = systemClock } = this.#options;
    let sleep = new AbortController();
    let stalled: BrokenStream | null = null;
    const wait = () => {
      const { signal } = sleep;
      clock.sleep(stallMs, signal).then(
        () => {
          if (signal.aborted) return;
          stalled = new BrokenStream('STALLED', `no block within ${stallMs} ms`);
          over.abort(stalled);
        },
        () => undefined,
      );
    };
    wait();
    return {
      get stalled() {
        return stalled;
      },
      pause: () => sleep.abort(),
      resume() {
        sleep = new AbortController();
        wait();
      },
    };
  }
}

function requestFor(addresses: readonly Address[], fromSlot: bigint | null): SubscribeRequest {
  return {
    transactions: new Map([['programs', { vote: false, failed: false, accountInclude: [...addresses] }]]),
    blocksMeta: new Map([['blocks', {}]]),
    commitment: CommitmentLevel.FINALIZED,
    ...(fromSlot === null ? {} : { fromSlot }),
  };
}
