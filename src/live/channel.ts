import { isSluiceError } from '../errors/sluice-error.ts';
import { deadlineSignal } from '../services/deadline.ts';
import type { Session } from '../services/records.ts';
import { joined, nextEvent } from './event-bytes.ts';
import type { Update, Watch } from './update.ts';

/** What a channel needs of the rest: the chain at its newest View, and somebody who turns updates into answers. */
export interface ChannelWork {
  readonly watch: Watch;
  readonly openSession: (signal: AbortSignal) => Promise<Session>;
  /** The JSON of one event. */
  readonly execute: (update: Update, session: Session) => Promise<string>;
  /** The JSON of an event that tells why there is none. */
  readonly failure: (error: unknown) => string;
  /** How long making the events of one View may take. */
  readonly eventTimeoutMs: number;
  readonly onExecuted?: () => void;
  readonly onSuperseded?: (events: number) => void;
}

/** One who listens. It is woken when there may be something to take. */
export interface Listener {
  /** The View up to which it has taken everything; null before it was greeted. */
  seenView: number | null;
  /** What it begins with and has not taken yet. */
  greeting: Uint8Array | null;
  wake(): void;
}

interface Frame {
  readonly view: number;
  readonly bytes: Uint8Array;
}

/** The place of events that tell of no thing but of the failure to look. */
const FAILURE_ID = '';

/**
 * One distinct subscription, for all who have asked it. It looks once per View, makes each event once, and keeps the last
 * one about each thing. A listener keeps nothing but how far it has come: one that is slow finds the newest state when it
 * gets there, and what was replaced meanwhile it never sees.
 */
export class Channel {
  readonly #work: ChannelWork;
  readonly #stop = new AbortController();
  readonly #listeners = new Set<Listener>();
  /** Those who know already that they could not be greeted. */
  readonly #warned = new WeakSet<Listener>();
  readonly #frames = new Map<string, Frame>();
  #newestBatch: { readonly view: number; readonly previous: number; readonly bytes: Uint8Array } | null =
    null;
  #lookedAt = 0;
  #toldAt = 0;
  #looking = false;
  #again = false;
  #isFailing = false;
  #greetings: { readonly view: number; readonly bytes: Promise<Uint8Array> } | null = null;

  constructor(work: ChannelWork) {
    this.#work = work;
  }

  get size(): number {
    return this.#listeners.size;
  }

  join(listener: Listener): void {
    this.#listeners.add(listener);
    void this.#greet([listener]);
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  close(): void {
    this.#stop.abort();
    this.#listeners.clear();
  }

  /** Looks at the newest View; one that comes meanwhile is looked at next, those in between are not. */
  look(): void {
    this.#again = true;
    if (!this.#looking) void this.#lookWhileAsked();
  }

  /** What the listener has not seen yet, null for nothing; it counts as seen from now on. */
  take(listener: Listener): Uint8Array | null {
    const parts = listener.greeting === null ? [] : [listener.greeting];
    listener.greeting = null;
    if (listener.seenView !== null && listener.seenView < this.#toldAt) {
      parts.push(this.#since(listener.seenView));
      listener.seenView = this.#toldAt;
    }
    return parts.length === 0 ? null : joined(parts);
  }

  #since(view: number): Uint8Array {
    const batch = this.#newestBatch;
    if (batch !== null && batch.previous <= view) return batch.bytes;
    return joined([...this.#frames.values()].filter((frame) => frame.view > view).map(({ bytes }) => bytes));
  }

  async #lookWhileAsked(): Promise<void> {
    this.#looking = true;
    while (this.#again && !this.#stop.signal.aborted) {
      this.#again = false;
      await this.#lookOnce();
      await this.#greet([...this.#listeners].filter(({ seenView }) => seenView === null));
    }
    this.#looking = false;
  }

  async #lookOnce(): Promise<void> {
    let view = this.#lookedAt;
    try {
      await this.#inSession(async (session) => {
        view = session.view.moment.number;
        if (view <= this.#lookedAt) return;
        const frames = await this.#framesOf(await this.#work.watch.changes(session), session);
        this.#lookedAt = view;
        this.#isFailing = false;
        this.#frames.delete(FAILURE_ID);
        this.#tell(view, frames);
      });
    } catch (error) {
      if (this.#stop.signal.aborted || this.#isFailing || view <= this.#lookedAt) return;
      // Told once; the next event says that it is over.
      this.#isFailing = true;
      this.#tell(view, new Map([[FAILURE_ID, nextEvent(this.#work.failure(error), view)]]));
    }
  }

  #tell(view: number, frames: ReadonlyMap<string, Uint8Array>): void {
    if (frames.size === 0) return;
    let superseded = 0;
    for (const [id, bytes] of frames) {
      const old = this.#frames.get(id);
      if (old !== undefined) superseded += this.#stillWaitingFor(old);
      this.#frames.set(id, { view, bytes });
    }
    if (superseded > 0) this.#work.onSuperseded?.(superseded);
    this.#newestBatch = { view, previous: this.#toldAt, bytes: joined([...frames.values()]) };
    this.#toldAt = view;
    for (const listener of this.#listeners) listener.wake();
  }

  #stillWaitingFor(frame: Frame): number {
    let waiting = 0;
    for (const { seenView } of this.#listeners) if (seenView !== null && seenView < frame.view) waiting += 1;
    return waiting;
  }

  /** Everything as it is, made once for all who come before something changes. */
  async #greet(listeners: readonly Listener[]): Promise<void> {
    if (listeners.length === 0) return;
    try {
      await this.#inSession(async (session) => {
        const view = session.view.moment.number;
        // Nothing was told since the last one was made: it is still how things are.
        const isStillSo = this.#greetings !== null && this.#greetings.view >= this.#toldAt;
        const greeting =
          isStillSo && this.#greetings !== null ? this.#greetings : { view, bytes: this.#greeting(session) };
        this.#greetings = greeting;
        const bytes = await greeting.bytes;
        for (const listener of listeners) {
          if (listener.seenView !== null) continue;
          listener.greeting = bytes;
          listener.seenView = greeting.view;
          listener.wake();
        }
      });
    } catch (error) {
      this.#greetings = null;
      // Before the first View there is nothing to say; who waits is greeted as soon as there is.
      if (this.#stop.signal.aborted || isSluiceError(error, 'VIEW_NOT_READY')) return;
      const bytes = nextEvent(this.#work.failure(error), null);
      for (const listener of listeners) {
        if (this.#warned.has(listener)) continue;
        this.#warned.add(listener);
        listener.greeting = bytes;
        listener.wake();
      }
    }
  }

  async #greeting(session: Session): Promise<Uint8Array> {
    const frames = await this.#framesOf(await this.#work.watch.now(session), session);
    return joined([...frames.values()]);
  }

  async #framesOf(updates: readonly Update[], session: Session): Promise<Map<string, Uint8Array>> {
    const frames = await Promise.all(
      updates.map(async (update) => {
        this.#work.onExecuted?.();
        const json = await this.#work.execute(update, session);
        return [update.id, nextEvent(json, session.view.moment.number)] as const;
      }),
    );
    return new Map(frames);
  }

  async #inSession(use: (session: Session) => Promise<void>): Promise<void> {
    using deadline = deadlineSignal(this.#work.eventTimeoutMs, 'An event', this.#stop.signal);
    await use(await this.#work.openSession(deadline.signal));
  }
}
