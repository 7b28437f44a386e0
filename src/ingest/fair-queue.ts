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

  /** Takes the next item of a reader that may proceed. */
  take(
    mayProceed: (reader: Reader) => boolean = () => true,
  ): { readonly reader: Reader; readonly item: T } | null {
    const preferred = OTHER[this.#servedLast];
    for (const lane of [preferred, this.#servedLast]) {
      const taken = this.#lanes[lane].takeOf((caller) => mayProceed({ lane, caller }));
      if (taken === null) continue;
      this.#servedLast = lane;
      return { reader: { lane, caller: taken.caller }, item: taken.item };
    }
    return null;
  }
}
