import type { Lane, Reader } from './reader.ts';

const OTHER: Readonly<Record<Lane, Lane>> = { follower: 'request', request: 'follower' };

/**
 * Waiting items. The two lanes take turns, the callers of a lane take turns, and the items of a caller leave in
 * the order in which they came.
 */
export class FairQueue<T> {
  /** The caller whose turn is next comes first. */
  readonly #lanes: Readonly<Record<Lane, Map<string, T[]>>> = { follower: new Map(), request: new Map() };
  #servedLast: Lane = 'request';

  get isEmpty(): boolean {
    return this.#lanes.follower.size === 0 && this.#lanes.request.size === 0;
  }

  /** Returns the function that withdraws the item. */
  add({ lane, caller }: Reader, item: T): () => void {
    const callers = this.#lanes[lane];
    const items = callers.get(caller) ?? [];
    items.push(item);
    callers.set(caller, items);
    return () => {
      const at = items.indexOf(item);
      if (at < 0) return;
      items.splice(at, 1);
      if (items.length === 0 && callers.get(caller) === items) callers.delete(caller);
    };
  }

  /** Takes the next item of a lane that may proceed. */
  take(mayProceed: (lane: Lane) => boolean = () => true): { readonly lane: Lane; readonly item: T } | null {
    const preferred = OTHER[this.#servedLast];
    for (const lane of [preferred, this.#servedLast]) {
      if (!mayProceed(lane)) continue;
      const item = this.#takeFrom(lane);
      if (item === undefined) continue;
      this.#servedLast = lane;
      return { lane, item };
    }
    return null;
  }

  #takeFrom(lane: Lane): T | undefined {
    const callers = this.#lanes[lane];
    for (const [caller, items] of callers) {
      const item = items.shift();
      callers.delete(caller);
      if (items.length > 0) callers.set(caller, items);
      return item;
    }
    return undefined;
  }
}
