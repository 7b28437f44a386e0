import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import type { WorkBudget } from '../../node/work-budget.ts';

/** A reserve or token at a unix time (seconds). */
export interface Moment {
  readonly address: Address;
  readonly time: number;
}

/** Every combination, made when it is iterated. */
export const momentsOf = (addresses: readonly Address[], times: Iterable<number>): Iterable<Moment> => ({
  *[Symbol.iterator]() {
    for (const address of addresses) for (const time of times) yield { address, time };
  },
});

/** Those that pass, tested when they are iterated. */
export const where = (moments: Iterable<Moment>, passes: (moment: Moment) => boolean): Iterable<Moment> => ({
  *[Symbol.iterator]() {
    for (const moment of moments) if (passes(moment)) yield moment;
  },
});

/** Looks up recorded values for one request: each moment once, and those of one tick together. */
export class Moments<V> {
  readonly #found = new Map<Address, Map<number, V>>();
  /** Settles when everything asked for so far was read. One batch at a time, so that no moment is read by two. */
  #reading: Promise<void> = Promise.resolve();
  readonly #loader: DataLoader<Iterable<Moment>, null>;
  readonly #atOnce: number;

  /**
   * @param atOnce moments per statement, whose rows are parsed in one stretch of the event loop
   * @param read the values of moments, in their order, in one statement
   */
  constructor(
    meter: WorkBudget,
    atOnce: number,
    read: (moments: readonly Moment[]) => Promise<readonly V[]>,
  ) {
    this.#atOnce = atOnce;
    this.#loader = new DataLoader(
      async (asks) => {
        const reading = this.#reading.then(() => this.#readNew(asks, meter, read));
        this.#reading = reading.catch(() => undefined);
        await reading;
        return asks.map(() => null);
      },
      { cache: false },
    );
  }

  /** @param moments iterated once, later, in turns with other work; may be made then */
  async load(moments: Iterable<Moment>): Promise<void> {
    await this.#loader.load(moments);
  }

  /** The value at a moment that was loaded. */
  at(address: Address, time: number): V {
    const found = this.#found.get(address)?.get(time);
    if (found === undefined) throw new RangeError(`${address} at ${time} was not looked up`);
    return found;
  }

  async #readNew(
    asks: readonly Iterable<Moment>[],
    meter: WorkBudget,
    read: (moments: readonly Moment[]) => Promise<readonly V[]>,
  ): Promise<void> {
    const wanted = new Map<Address, Set<number>>();
    for (const asked of asks) {
      const turn = meter.giveWay();
      if (turn !== null) await turn;
      for (const { address, time } of asked) {
        if (this.#found.get(address)?.has(time)) continue;
        const times = wanted.get(address) ?? new Set();
        wanted.set(address, times.add(time));
      }
    }
    const moments = [...wanted].flatMap(([address, times]) =>
      [...times].sort((a, b) => a - b).map((time) => ({ address, time })),
    );
    for (let from = 0; from < moments.length; from += this.#atOnce) {
      const some = moments.slice(from, from + this.#atOnce);
      const pause = meter.step(some.length);
      if (pause !== null) await pause;
      const values = await read(some);
      for (const [i, { address, time }] of some.entries()) this.#set(address, time, values[i]);
    }
  }

  #set(address: Address, time: number, value: V | undefined): void {
    if (value === undefined) return;
    const times = this.#found.get(address) ?? new Map<number, V>();
    this.#found.set(address, times.set(time, value));
  }
}
