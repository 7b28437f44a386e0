import { SharedReads } from '../chain/session/shared-reads.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { CooperativeScheduler } from '../node/cooperative-scheduler.ts';
import { growingLru } from '../node/growing-lru.ts';
import { Channel, type ChannelOptions, type Subscriber } from './channel.ts';
import type { ClientBudget } from './client-budget.ts';
import { ClientStream, type StreamEnd } from './client-stream.ts';
import { COMPLETE, concatBytes } from './event-bytes.ts';
import type { WalletSearches } from './wallet-subject.ts';

export interface LiveLimits {
  /** Streams that this process serves at once. */
  readonly streams: number;
  /** Streams of one client. */
  readonly streamsPerClient: number;
  /** A stream ends when its client leaves an event unread for this long. */
  readonly stallMs: number;
}

/** Receives events for metrics. */
export interface LiveObserver {
  executed(): void;
  sent(): void;
  superseded(events: number): void;
  skipped(): void;
  ended(reason: StreamEnd): void;
}

export interface LiveOptions {
  readonly limits: LiveLimits;
  /** Registers a listener for new Views; returns a function that removes it. */
  readonly onView: (listener: () => void) => () => void;
  /** Registers a listener that is called each time the API keys have been read; returns a function that removes it. */
  readonly onKeysRead: (listener: () => void) => () => void;
  /** Deadline for reading the accounts of a View. */
  readonly readTimeoutMs: number;
  readonly observer: LiveObserver;
  readonly keepAliveMs?: number;
}

export interface StreamRequest {
  /** Pays for the events, and is limited in its streams. */
  readonly payer: ClientBudget;
  /** Equal for identical subscriptions, which share a channel. */
  readonly key: string;
  /** Called when the channel is opened. */
  readonly channel: () => Pick<
    ChannelOptions,
    'watch' | 'price' | 'openSession' | 'execute' | 'failure' | 'eventTimeoutMs'
  >;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  readonly onEnd: (summary: StreamSummary) => void;
}

export interface StreamSummary {
  readonly reason: StreamEnd;
  readonly durationMs: number;
  /** Chunks sent; all events of one View are one chunk. */
  readonly sent: number;
}

const KEEP_ALIVE_MS = 12_000;
const MAX_WALLET_SEARCHES = 10_000;

/** An open stream and what ends it when its key is revoked. */
interface OpenStream {
  readonly payer: ClientBudget;
  readonly stream: ClientStream;
  readonly channel: Channel;
}

/** All subscription streams of this process. */
export class Live {
  readonly #options: LiveOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #streams = new Set<OpenStream>();
  readonly #perClient = new Map<string, number>();
  readonly #removeListeners: readonly (() => void)[];
  /**
   * Streams work one at a time, each in a turn of the event loop of its own, so that requests are served in between. Apart from
   * the scheduler of computations: reads of many streams share calls once all of them have had their turn.
   */
  readonly #scheduler = new CooperativeScheduler();
  readonly #stopping = new AbortController();
  /** Reads that all streams share. */
  readonly reads: SharedReads;
  readonly walletSearches: WalletSearches = growingLru(MAX_WALLET_SEARCHES);

  constructor(options: LiveOptions) {
    this.#options = options;
    this.reads = new SharedReads({
      collected: () => this.#scheduler.collected(),
      timeoutMs: options.readTimeoutMs,
      signal: this.#stopping.signal,
    });
    this.#removeListeners = [
      options.onView(() => {
        for (const channel of this.#channels.values()) channel.refresh();
      }),
      options.onKeysRead(() => this.#endRevoked()),
    ];
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Distinct subscriptions with at least one stream. */
  get channels(): number {
    return this.#channels.size;
  }

  /** Opens a stream. @throws SluiceError TOO_MANY_STREAMS */
  open(request: StreamRequest): ReadableStream<Uint8Array> {
    const { payer, signal } = request;
    this.#admit(payer.id);
    this.#count(payer.id, 1);
    const stream = this.#stream(this.#channel(request), request);
    if (this.#stopping.signal.aborted) stream.end('stopping');
    else if (signal.aborted) stream.end('gone');
    return stream.body;
  }

  /** Ends all streams, so that clients reconnect to another gateway, and opens no more. */
  stop(): void {
    this.#stopping.abort();
    for (const remove of this.#removeListeners) remove();
    for (const { stream } of [...this.#streams]) stream.end('stopping');
  }

  /** A client must not reconnect with a revoked key, so its streams end with `complete`. */
  #endRevoked(): void {
    for (const { payer, stream, channel } of [...this.#streams]) {
      if (payer.isAdmitted()) continue;
      const error = new SluiceError('UNAUTHENTICATED', { reason: 'The key was revoked' });
      stream.end('revoked', concatBytes([channel.failureEvent(error), COMPLETE]));
    }
  }

  #admit(client: string): void {
    const { streams, streamsPerClient } = this.#options.limits;
    if ((this.#perClient.get(client) ?? 0) >= streamsPerClient) {
      throw new SluiceError('TOO_MANY_STREAMS', { whose: 'caller', ceiling: streamsPerClient });
    }
    if (this.#streams.size >= streams) {
      throw new SluiceError('TOO_MANY_STREAMS', { whose: 'gateway', ceiling: streams });
    }
  }

  #count(client: string, change: 1 | -1): void {
    const count = (this.#perClient.get(client) ?? 0) + change;
    if (count > 0) this.#perClient.set(client, count);
    else this.#perClient.delete(client);
  }

  #channel({ key, channel: options }: StreamRequest): Channel {
    const known = this.#channels.get(key);
    if (known !== undefined) return known;
    const { observer } = this.#options;
    const channel = new Channel({
      ...options(),
      key,
      turn: (lane) => this.#scheduler.next(lane),
      onExecuted: () => observer.executed(),
      onSuperseded: (events) => observer.superseded(events),
      onSkipped: () => observer.skipped(),
    });
    this.#channels.set(key, channel);
    return channel;
  }

  #stream(channel: Channel, { payer, key, signal, onEnd }: StreamRequest): ClientStream {
    const startedAt = performance.now();
    let sent = 0;
    const onAbort = () => stream.end('gone');
    const subscriber: Subscriber = {
      payer,
      seenView: null,
      snapshot: null,
      skippedViews: 0,
      wake: () => stream.wake(),
    };
    const stream = new ClientStream({
      take: () => {
        const bytes = channel.take(subscriber);
        if (bytes !== null) {
          sent += 1;
          this.#options.observer.sent();
        }
        return bytes;
      },
      isOver: () => channel.isOverFor(subscriber),
      keepAliveMs: this.#options.keepAliveMs ?? KEEP_ALIVE_MS,
      stallMs: this.#options.limits.stallMs,
      onEnd: (reason) => {
        signal.removeEventListener('abort', onAbort);
        this.#streams.delete(opened);
        this.#count(payer.id, -1);
        channel.leave(subscriber);
        if (channel.size === 0) {
          this.#channels.delete(key);
          channel.close();
        }
        this.#options.observer.ended(reason);
        onEnd({ reason, durationMs: performance.now() - startedAt, sent });
      },
    });
    const opened = { payer, stream, channel };
    this.#streams.add(opened);
    signal.addEventListener('abort', onAbort, { once: true });
    channel.join(subscriber);
    return stream;
  }
}
