import type { Answer } from '../answer.ts';
import { SluiceError } from '../errors.ts';
import type { StreamState } from '../subscriptions.ts';

/** `ended`: the subscription has completed, as that of a transaction does when it is final. */
export type LiveState = 'connecting' | 'live' | 'broken' | 'ended' | 'off';

export interface Live<Data> {
  readonly state: LiveState;
  /** The newest event, with the errors of fields that could not be read. Null before the first one. */
  readonly event: Answer<Data> | null;
  /** Why the stream is broken. A retryable one is opened again by itself. Null when it is not broken. */
  readonly error: SluiceError | null;
}

export const CONNECTING = { state: 'connecting', event: null, error: null } as const;

export interface StreamHandlers<Data> {
  readonly onEvent: (event: Answer<Data>) => void;
  /** The last listener has left. A stream that is needed again is a new one. */
  readonly onClose: (stream: LiveStream<Data>) => void;
}

type Open<Data> = (signal: AbortSignal, onState: (state: StreamState) => void) => AsyncIterable<Answer<Data>>;

/**
 * One stream of events for any number of listeners, open while there are any and the page is visible. Browsers open six
 * connections per host over all tabs, so hidden tabs must not hold theirs.
 */
export class LiveStream<Data> {
  readonly #open: Open<Data>;
  readonly #handlers: StreamHandlers<Data>;
  readonly #listeners = new Set<(live: Live<Data>) => void>();
  #live: Live<Data> = CONNECTING;
  /** Null while the stream is closed. */
  #stop: AbortController | null = null;

  constructor(open: Open<Data>, handlers: StreamHandlers<Data>) {
    this.#open = open;
    this.#handlers = handlers;
  }

  /** Tells the current state at once, and then each change. Returns how to stop. */
  listen(listener: (live: Live<Data>) => void): () => void {
    // A listener may be passed twice, for example by two components.
    const own = (live: Live<Data>) => listener(live);
    this.#listeners.add(own);
    own(this.#live);
    if (this.#listeners.size === 1) {
      globalThis.document?.addEventListener('visibilitychange', this.#follow);
      this.#follow();
    }
    return () => {
      this.#listeners.delete(own);
      // Later, so that a listener that comes back at once, as in React's strict mode, finds the stream open.
      queueMicrotask(() => this.#closeIfUnused());
    };
  }

  readonly #follow = (): void => {
    const visible = globalThis.document?.visibilityState !== 'hidden';
    if (!visible) this.#close();
    else if (this.#stop === null && this.#live.state !== 'ended') {
      this.#stop = new AbortController();
      void this.#run(this.#stop.signal);
    }
  };

  #closeIfUnused(): void {
    if (this.#listeners.size > 0) return;
    globalThis.document?.removeEventListener('visibilitychange', this.#follow);
    this.#close();
    this.#handlers.onClose(this);
  }

  #close(): void {
    this.#stop?.abort();
    this.#stop = null;
  }

  #set(live: Live<Data>): void {
    this.#live = live;
    for (const listener of this.#listeners) listener(live);
  }

  async #run(signal: AbortSignal): Promise<void> {
    const set = (live: Partial<Live<Data>>) => {
      if (!signal.aborted) this.#set({ ...this.#live, ...live });
    };
    try {
      for await (const event of this.#open(signal, (state) => set(this.#stateOf(state)))) {
        if (signal.aborted) return;
        this.#handlers.onEvent(event);
        set({ state: 'live', event, error: null });
      }
      set({ state: 'ended', error: null });
    } catch (cause) {
      set({ state: 'broken', error: cause instanceof SluiceError ? cause : brokenBy(cause) });
    }
  }

  #stateOf(state: StreamState): Partial<Live<Data>> {
    if (state.status === 'broken') return { state: 'broken', error: state.error };
    // While it is opened again, the reason stays visible.
    if (state.status === 'connecting') return this.#live.state === 'broken' ? {} : { state: 'connecting' };
    return { state: this.#live.event === null ? 'connecting' : 'live', error: null };
  }
}

function brokenBy(cause: unknown): SluiceError {
  return new SluiceError('The stream broke.', { code: 'BAD_ANSWER', retryable: false, cause });
}
