import { isSluiceError } from '../errors/sluice-error.ts';
import { deadlineSignal } from '../services/deadline.ts';
import type { Session } from '../services/records.ts';
import { concatBytes, nextEvent } from './event-bytes.ts';
import type { Update, Watch } from './update.ts';

export interface ChannelOptions {
  readonly watch: Watch;
  /** Opens a session on the newest View. */
  readonly openSession: (signal: AbortSignal) => Promise<Session>;
  /** Executes the subscription for one update and returns its JSON. */
  readonly execute: (update: Update, session: Session) => Promise<string>;
  /** The JSON of an event that reports an error. */
  readonly failure: (error: unknown) => string;
  /** Deadline for producing the events of one View. */
  readonly eventTimeoutMs: number;
  readonly onExecuted?: () => void;
  readonly onSuperseded?: (events: number) => void;
}

export interface Subscriber {
  /** Number of the View up to which it has taken all events; null until its snapshot is ready. */
  seenView: number | null;
  /** The snapshot, or an error in its place, until it is taken. */
  snapshot: Uint8Array | null;
  /** Called when there may be something to take. */
  wake(): void;
}

interface Frame {
  readonly view: number;
  readonly bytes: Uint8Array;
}

/** Update id of an event that reports a failed read. */
const FAILURE_ID = '';

/**
 * One distinct subscription with all its subscribers. It reads once per View, executes each event once, and retains only
 * the latest event of each item. A subscriber has no queue, only a position: a slow one skips the events that were
 * superseded in the meantime and gets the latest.
 */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #stop = new AbortController();
  readonly #subscribers = new Set<Subscriber>();
  /** Subscribers that were sent an error in place of their snapshot. */
  readonly #warned = new WeakSet<Subscriber>();
  /** Latest event of each item. */
  readonly #frames = new Map<string, Frame>();
  #newestBatch: { readonly view: number; readonly previous: number; readonly bytes: Uint8Array } | null =
    null;
  /** Number of the last View that was checked for changes. */
  #checkedView = 0;
  /** Number of the last View with published events. */
  #publishedView = 0;
  #isRefreshing = false;
  #isRefreshRequested = false;
  #isFailing = false;
  #snapshot: { readonly view: number; readonly bytes: Promise<Uint8Array> } | null = null;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#subscribers.size;
  }

  join(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
    void this.#sendSnapshot([subscriber]);
  }

  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  close(): void {
    this.#stop.abort();
    this.#subscribers.clear();
  }

  /** Checks the newest View for changes. Views that arrive during a check are coalesced into one further check. */
  refresh(): void {
    this.#isRefreshRequested = true;
    if (!this.#isRefreshing) void this.#refreshWhileRequested();
  }

  /** Takes the events that the subscriber has not seen; null when there are none. */
  take(subscriber: Subscriber): Uint8Array | null {
    const parts = subscriber.snapshot === null ? [] : [subscriber.snapshot];
    subscriber.snapshot = null;
    if (subscriber.seenView !== null && subscriber.seenView < this.#publishedView) {
      parts.push(this.#eventsSince(subscriber.seenView));
      subscriber.seenView = this.#publishedView;
    }
    return parts.length === 0 ? null : concatBytes(parts);
  }

  #eventsSince(view: number): Uint8Array {
    const batch = this.#newestBatch;
    if (batch !== null && batch.previous <= view) return batch.bytes;
    const frames = [...this.#frames.values()].filter((frame) => frame.view > view);
    return concatBytes(frames.map(({ bytes }) => bytes));
  }

  async #refreshWhileRequested(): Promise<void> {
    this.#isRefreshing = true;
    while (this.#isRefreshRequested && !this.#stop.signal.aborted) {
      this.#isRefreshRequested = false;
      await this.#publishChanges();
      await this.#sendSnapshot([...this.#subscribers].filter(({ seenView }) => seenView === null));
    }
    this.#isRefreshing = false;
  }

  async #publishChanges(): Promise<void> {
    let { id, number } = { id: '', number: this.#checkedView };
    try {
      await this.#inSession(async (session) => {
        ({ id, number } = session.view.moment);
        if (number <= this.#checkedView) return;
        const frames = await this.#framesOf(await this.#options.watch.changes(session), session);
        this.#checkedView = number;
        this.#isFailing = false;
        this.#frames.delete(FAILURE_ID);
        this.#publish(number, frames);
      });
    } catch (error) {
      if (this.#stop.signal.aborted || this.#isFailing || number <= this.#checkedView) return;
      // Reported once; the next event shows that reads succeed again.
      this.#isFailing = true;
      this.#publish(number, new Map([[FAILURE_ID, nextEvent(this.#options.failure(error), id)]]));
    }
  }

  #publish(view: number, frames: ReadonlyMap<string, Uint8Array>): void {
    if (frames.size === 0) return;
    let superseded = 0;
    for (const [id, bytes] of frames) {
      const previous = this.#frames.get(id);
      if (previous !== undefined) superseded += this.#countWaiting(previous);
      this.#frames.set(id, { view, bytes });
    }
    if (superseded > 0) this.#options.onSuperseded?.(superseded);
    this.#newestBatch = { view, previous: this.#publishedView, bytes: concatBytes([...frames.values()]) };
    this.#publishedView = view;
    for (const subscriber of this.#subscribers) subscriber.wake();
  }

  /** Subscribers that have not taken a frame yet. */
  #countWaiting(frame: Frame): number {
    let waiting = 0;
    for (const { seenView } of this.#subscribers)
      if (seenView !== null && seenView < frame.view) waiting += 1;
    return waiting;
  }

  /** Sends the present state of all items; it is executed once for all subscribers that join before the next change. */
  async #sendSnapshot(subscribers: readonly Subscriber[]): Promise<void> {
    if (subscribers.length === 0) return;
    try {
      await this.#inSession(async (session) => {
        // A snapshot is current until something is published after it.
        const isCurrent = this.#snapshot !== null && this.#snapshot.view >= this.#publishedView;
        const snapshot =
          isCurrent && this.#snapshot !== null
            ? this.#snapshot
            : { view: session.view.moment.number, bytes: this.#executeSnapshot(session) };
        this.#snapshot = snapshot;
        const bytes = await snapshot.bytes;
        for (const subscriber of subscribers) {
          if (subscriber.seenView !== null) continue;
          subscriber.snapshot = bytes;
          subscriber.seenView = snapshot.view;
          subscriber.wake();
        }
      });
    } catch (error) {
      this.#snapshot = null;
      // Subscribers that join before the first View get their snapshot with it.
      if (this.#stop.signal.aborted || isSluiceError(error, 'VIEW_NOT_READY')) return;
      const bytes = nextEvent(this.#options.failure(error), null);
      for (const subscriber of subscribers) {
        if (this.#warned.has(subscriber)) continue;
        this.#warned.add(subscriber);
        subscriber.snapshot = bytes;
        subscriber.wake();
      }
    }
  }

  async #executeSnapshot(session: Session): Promise<Uint8Array> {
    const frames = await this.#framesOf(await this.#options.watch.snapshot(session), session);
    return concatBytes([...frames.values()]);
  }

  async #framesOf(updates: readonly Update[], session: Session): Promise<Map<string, Uint8Array>> {
    const frames = await Promise.all(
      updates.map(async (update) => {
        this.#options.onExecuted?.();
        const json = await this.#options.execute(update, session);
        return [update.id, nextEvent(json, session.view.moment.id)] as const;
      }),
    );
    return new Map(frames);
  }

  async #inSession(use: (session: Session) => Promise<void>): Promise<void> {
    using deadline = deadlineSignal(this.#options.eventTimeoutMs, 'An event', this.#stop.signal);
    await use(await this.#options.openSession(deadline.signal));
  }
}
