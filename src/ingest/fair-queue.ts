import { CallerQueue } from '../node/caller-queue.ts';
import type { Lane, Reader } from './reader.ts';

const OTHER: Readonly<Record<Lane, Lane>> = { follower: 'request', request: 'follower' };

/** Waiting items. The two lanes take turns, and so do the callers of a lane. */
export class FairQueue<T> {
  readonly #lanes = { follower: new CallerQueue<T>(), request: new CallerQueue<T>() };
  #servedLast: Lane = 'request';

  get isEmpty(): boolean {
    return this.#lanes.follower.isEmpty && this.#lanes.request.isEmpty;
  }

  /** Returns the function that withdraws the item. */
  add({ lane, caller }: Reader, item: T): () => void {
    return this.#lanes[lane].add(caller, item);
  }

  /** Takes the next item of a lane that may proceed. */
  take(mayProceed: (lane: Lane) => boolean = () => true): { readonly lane: Lane; readonly item: T } | null {
    const preferred = OTHER[this.#servedLast];
    for (const lane of [preferred, this.#servedLast]) {
      if (!mayProceed(lane)) continue;
      const item = this.#lanes[lane].take();
      if (item === undefined) continue;
      this.#servedLast = lane;
      return { lane, item };
    }
    return null;
  }
}
