import { concatBytes, type StreamEvent } from './event-bytes.ts';

interface Frame {
  readonly view: number;
  readonly event: StreamEvent;
}

interface Batch {
  readonly view: number;
  /** The View that was published before. */
  readonly previous: number;
  readonly bytes: Uint8Array;
}

/** The latest event of each item of a channel. */
export class Frames {
  readonly #frames = new Map<string, Frame>();
  #newest: Batch | null = null;
  #publishedView = 0;

  /** Number of the last View with events. */
  get publishedView(): number {
    return this.#publishedView;
  }

  /** Number of the View of an item's latest event; null without one. */
  viewOf(id: string): number | null {
    return this.#frames.get(id)?.view ?? null;
  }

  publish(view: number, events: ReadonlyMap<string, StreamEvent>): void {
    for (const [id, event] of events) this.#frames.set(id, { view, event });
    const bytes = concatBytes([...events.values()].map((event) => event.bytes));
    this.#newest = { view, previous: this.#publishedView, bytes };
    this.#publishedView = view;
  }

  remove(id: string): void {
    this.#frames.delete(id);
  }

  /** Number of items that have an event after that View, counting those that are about to get one. */
  countAfter(view: number, upcoming: readonly string[]): number {
    const ids = new Set(upcoming);
    for (const [id, frame] of this.#frames) if (frame.view > view) ids.add(id);
    return ids.size;
  }

  /** The events after one View up to another; null when there are none. @param extensions added to the first */
  between(after: number, upTo: number, extensions: object | null): Uint8Array | null {
    const batch = this.#newest;
    const isNewestOnly =
      batch !== null && batch.previous <= after && after < batch.view && batch.view <= upTo;
    if (isNewestOnly && extensions === null) return batch.bytes;
    const events = [...this.#frames.values()]
      .filter(({ view }) => view > after && view <= upTo)
      .map(({ event }, i) => (i === 0 && extensions !== null ? event.with(extensions) : event.bytes));
    return events.length === 0 ? null : concatBytes(events);
  }
}
