import { type Claimant, FairQueue } from './fair-queue.ts';

export interface SlotLimits {
  /** Slots in all. */
  readonly total: number;
  /** The most that one lane holds; the rest is always there for the other lanes. */
  readonly perLane: number;
  /** The most that one caller holds. */
  readonly perCaller: number;
}

/** A caller without a name is the gateway itself, which is limited by its lane alone. */
const isGateway = (caller: string | symbol) => caller === '';

/** Limits how much is done at a time, and shares the slots fairly among lanes and callers. */
export class FairSlots {
  readonly #limits: SlotLimits;
  readonly #queue: FairQueue<() => void>;
  #held = 0;
  readonly #heldByLane = new Map<string, number>();
  readonly #heldByCaller = new Map<string | symbol, number>();

  /** @param lanes in the order of their first turns */
  constructor(limits: SlotLimits, lanes?: readonly string[]) {
    this.#limits = limits;
    this.#queue = new FairQueue(lanes);
  }

  /** Whether somebody waits for a slot. */
  get isContended(): boolean {
    return !this.#queue.isEmpty;
  }

  /**
   * Takes a slot. Null when there was one; otherwise a promise to await first, which rejects with the signal's reason when it
   * is aborted. Every slot is given back with `release`.
   */
  acquire(claimant: Claimant, signal: AbortSignal): Promise<void> | null {
    let isGranted = false;
    const wait = this.#queue.wait<void>(claimant, signal, (grant) => () => {
      isGranted = true;
      grant();
    });
    this.#grant();
    return isGranted ? null : wait;
  }

  release(claimant: Claimant): void {
    this.#count(claimant, -1);
    this.#grant();
  }

  #grant(): void {
    while (this.#held < this.#limits.total) {
      const next = this.#queue.take((claimant) => this.#mayHold(claimant));
      if (next === null) return;
      this.#count(next.claimant, 1);
      next.item();
    }
  }

  #mayHold({ lane = '', caller }: Claimant): boolean {
    const { perLane, perCaller } = this.#limits;
    if ((this.#heldByLane.get(lane) ?? 0) >= perLane) return false;
    return isGateway(caller) || (this.#heldByCaller.get(caller) ?? 0) < perCaller;
  }

  #count({ lane = '', caller }: Claimant, change: 1 | -1): void {
    this.#held += change;
    count(this.#heldByLane, lane, change);
    if (!isGateway(caller)) count(this.#heldByCaller, caller, change);
  }
}

/** Changes a count; counts of zero are dropped. */
function count<K>(counts: Map<K, number>, key: K, change: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
}
