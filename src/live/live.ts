import { SluiceError } from '../errors/sluice-error.ts';
import { Channel, type ChannelOptions, type Subscriber } from './channel.ts';
import { ClientStream, type StreamEnd } from './client-stream.ts';

export interface LiveLimits {
  /** Streams that this process serves at once. */
  readonly streams: number;
  /** Streams of one client. */
  readonly streamsPerClient: number;
  /** How long a client may leave an event unread before its stream is ended. */
  readonly stallMs: number;
}

/** Receives events for metrics. */
export interface LiveObserver {
  executed(): void;
  sent(): void;
  superseded(events: number): void;
  ended(reason: StreamEnd): void;
}

export interface LiveOptions {
  readonly limits: LiveLimits;
  /** Registers a listener for new Views; returns a function that removes it. */
  readonly onView: (listener: () => void) => () => void;
  readonly observer: LiveObserver;
  readonly keepAliveMs?: number;
}

export interface StreamRequest {
  /** Client id, for the limit per client. */
  readonly client: string;
  /** Equal for identical subscriptions, which share a channel. */
  readonly key: string;
  /** Called when the channel is opened. */
  readonly channel: () => Omit<ChannelOptions, 'onExecuted' | 'onSuperseded'>;
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

/** All subscription streams of this process. */
export class Live {
  readonly #options: LiveOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #streams = new Set<ClientStream>();
  readonly #perClient = new Map<string, number>();
  readonly #removeListener: () => void;
  #isStopping = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#removeListener = options.onView(() => {
      for (const channel of this.#channels.values()) channel.refresh();
    });
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
    const { client, signal } = request;
    this.#admit(client);
    this.#count(client, 1);
    const stream = this.#stream(this.#channel(request), request);
    if (this.#isStopping) stream.end('stopping');
    else if (signal.aborted) stream.end('gone');
    return stream.body;
  }

  /** Ends all streams, so that clients reconnect to another gateway, and opens no more. */
  stop(): void {
    this.#isStopping = true;
    this.#removeListener();
    for (const stream of [...this.#streams]) stream.end('stopping');
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
      onExecuted: () => observer.executed(),
      onSuperseded: (events) => observer.superseded(events),
    });
    this.#channels.set(key, channel);
    return channel;
  }

  #stream(channel: Channel, { client, key, signal, onEnd }: StreamRequest): ClientStream {
    const startedAt = performance.now();
    let sent = 0;
    const onAbort = () => stream.end('gone');
    const subscriber: Subscriber = { seenView: null, snapshot: null, wake: () => stream.wake() };
    const stream = new ClientStream({
      take: () => {
        const bytes = channel.take(subscriber);
        if (bytes !== null) {
          sent += 1;
          this.#options.observer.sent();
        }
        return bytes;
      },
      keepAliveMs: this.#options.keepAliveMs ?? KEEP_ALIVE_MS,
      stallMs: this.#options.limits.stallMs,
      onEnd: (reason) => {
        signal.removeEventListener('abort', onAbort);
        this.#streams.delete(stream);
        this.#count(client, -1);
        channel.leave(subscriber);
        if (channel.size === 0) {
          this.#channels.delete(key);
          channel.close();
        }
        this.#options.observer.ended(reason);
        onEnd({ reason, durationMs: performance.now() - startedAt, sent });
      },
    });
    this.#streams.add(stream);
    signal.addEventListener('abort', onAbort, { once: true });
    channel.join(subscriber);
    return stream;
  }
}
