import { abandonOn } from '@sluice/rpc-pool/abort';

/** On whose behalf something waits. */
export interface Claimant {
  /** Lanes share what is granted equally, however many callers each has. Absent: all callers are in one lane. */
  readonly lane?: string;
  /** The payer of a request, or anything else that gets an equal share of its lane. */
  readonly caller: string | symbol;
}

interface Taken<T> {
  readonly claimant: Claimant;
  readonly item: T;
}

const ONLY_LANE = '';

/**
 * Waiting items, handed out fairly: lanes alternate, so do the callers of a lane, and the items of a caller leave in order of
 * arrival. Limits on what is handed out are in `FairSlots`, a rate in `Pacer`.
 */
export class FairQueue<T> {
  /** Waiting items by lane and caller. Next in turn comes first. */
  readonly #lanes: Map<string, Map<string | symbol, T[]>>;

  /** @param lanes in the order of their first turns */
  constructor(lanes: readonly string[] = [ONLY_LANE]) {
    this.#lanes = new Map(lanes.map((lane) => [lane, new Map()]));
  }

  get isEmpty(): boolean {
    for (const callers of this.#lanes.values()) if (callers.size > 0) return false;
    return true;
  }

  /** Returns the function that withdraws the item. */
  add({ lane = ONLY_LANE, caller }: Claimant, item: T): () => void {
    const callers = this.#lanes.get(lane) ?? new Map<string | symbol, T[]>();
    this.#lanes.set(lane, callers);
    const items = callers.get(caller) ?? [];
    items.push(item);
    callers.set(caller, items);
    return () => {
      const at = items.indexOf(item);
      if (at < 0) return;
      items.splice(at, 1);
      if (items.length === 0) callers.delete(caller);
    };
  }

  /**
   * Adds an item and waits until whoever takes it grants it a value. Rejects with the signal's reason when it is aborted, and
   * the item leaves the queue at once.
   *
   * @param toItem the item, given the function that grants the value
   */
  wait<R>(claimant: Claimant, signal: AbortSignal, toItem: (grant: (value: R) => void) => T): Promise<R> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const item = toItem((value) => {
        unlink();
        resolve(value);
      });
      const withdraw = this.add(claimant, item);
      const unlink = abandonOn(signal, (reason) => {
        withdraw();
        reject(reason);
      });
    });
  }

  /** Removes and returns the first item in turn of those that may proceed; null when there is none. */
  take(mayProceed: (claimant: Claimant, item: T) => boolean = () => true): Taken<T> | null {
    for (const [lane, callers] of this.#lanes) {
      for (const [caller, items] of callers) {
        const [item] = items;
        const claimant = { lane, caller };
        if (item === undefined || !mayProceed(claimant, item)) continue;
        items.shift();
        callers.delete(caller);
        if (items.length > 0) callers.set(caller, items);
        this.#lanes.delete(lane);
        this.#lanes.set(lane, callers);
        return { claimant, item };
      }
    }
    return null;
  }
}
