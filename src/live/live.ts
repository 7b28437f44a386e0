import { SluiceError } from '../errors/sluice-error.ts';
import { Channel, type ChannelWork, type Listener } from './channel.ts';
import { ClientStream, type StreamEnd } from './client-stream.ts';

export interface LiveLimits {
  /** Streams that this process serves at once. */
  readonly streams: number;
  /** Streams of one client. */
  readonly streamsPerClient: number;
  /** How long a client may leave an event unread before it is dropped. */
  readonly stallMs: number;
}

/** Told what happens, for metrics. */
export interface LiveObserver {
  executed(): void;
  sent(): void;
  superseded(events: number): void;
  ended(why: StreamEnd): void;
}

export interface LiveOptions {
  readonly limits: LiveLimits;
  /** Calls back with each new View. Returns the way to stop. */
  readonly onView: (listener: () => void) => () => void;
  readonly observer: LiveObserver;
  readonly keepAliveMs?: number;
}

export interface StreamRequest {
  /** Who asks, for the limit. */
  readonly client: string;
  /** The same for all who ask for the same. */
  readonly key: string;
  /** Called for the first of them. */
  readonly work: () => Omit<ChannelWork, 'onExecuted' | 'onSuperseded'>;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  readonly onEnd: (summary: StreamSummary) => void;
}

export interface StreamSummary {
  readonly why: StreamEnd;
  readonly durationMs: number;
  /** Pieces that were sent; the events of one View are one. */
  readonly sent: number;
}

const KEEP_ALIVE_MS = 12_000;

/** All streams of this process. */
export class Live {
  readonly #options: LiveOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #streams = new Set<ClientStream>();
  readonly #perClient = new Map<string, number>();
  readonly #stopHearing: () => void;
  #isStopping = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#stopHearing = options.onView(() => {
      for (const channel of this.#channels.values()) channel.look();
    });
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Distinct subscriptions that somebody listens to. */
  get channels(): number {
    return this.#channels.size;
  }

  /** Opens a stream, or refuses with a coded error. */
  open(request: StreamRequest): ReadableStream<Uint8Array> {
    const { client, signal } = request;
    this.#admit(client);
    this.#count(client, 1);
    const stream = this.#stream(this.#channel(request), request);
    if (this.#isStopping) stream.end('stopping');
    else if (signal.aborted) stream.end('gone');
    return stream.body;
  }

  /** Ends every stream, so that clients connect elsewhere, and opens no more. */
  stop(): void {
    this.#isStopping = true;
    this.#stopHearing();
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

  #channel({ key, work }: StreamRequest): Channel {
    const known = this.#channels.get(key);
    if (known !== undefined) return known;
    const { observer } = this.#options;
    const channel = new Channel({
      ...work(),
      onExecuted: () => observer.executed(),
      onSuperseded: (events) => observer.superseded(events),
    });
    this.#channels.set(key, channel);
    return channel;
  }

  #stream(channel: Channel, { client, key, signal, onEnd }: StreamRequest): ClientStream {
    const startedAt = performance.now();
    let sent = 0;
    const leave = () => stream.end('gone');
    const listener: Listener = { seenView: null, greeting: null, wake: () => stream.wake() };
    const stream = new ClientStream({
      take: () => {
        const bytes = channel.take(listener);
        if (bytes !== null) {
          sent += 1;
          this.#options.observer.sent();
        }
        return bytes;
      },
      keepAliveMs: this.#options.keepAliveMs ?? KEEP_ALIVE_MS,
      stallMs: this.#options.limits.stallMs,
      onEnd: (why) => {
        signal.removeEventListener('abort', leave);
        this.#streams.delete(stream);
        this.#count(client, -1);
        channel.leave(listener);
        if (channel.size === 0) {
          this.#channels.delete(key);
          channel.close();
        }
        this.#options.observer.ended(why);
        onEnd({ why, durationMs: performance.now() - startedAt, sent });
      },
    });
    this.#streams.add(stream);
    signal.addEventListener('abort', leave, { once: true });
    channel.join(listener);
    return stream;
  }
}
