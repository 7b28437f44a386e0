import type { Token } from './model.ts';
import type { Prices } from './prices.ts';
import type { Random } from './prng.ts';
import { unitsOfUsd } from './reserves.ts';
import { SLOTS_PER_DAY } from './time.ts';
import type { Visits } from './visits.ts';

/** Days before the present at which the first reserve was opened. */
export const HISTORY_DAYS = 400;

/** What happened before the present: steps in the order of their slots. */
export class Plan {
  readonly present: bigint;
  readonly #prices: Prices;
  readonly #steps: { readonly slot: bigint; readonly run: (slot: bigint) => void }[] = [];
  readonly #priceSf = new Map<Token, bigint>();

  constructor(present: bigint, prices: Prices) {
    this.present = present;
    this.#prices = prices;
  }

  slotBefore(days: number): bigint {
    return this.present - BigInt(Math.round(days * Number(SLOTS_PER_DAY)));
  }

  /** Something that happened so many days ago. */
  add(daysAgo: number, run: (slot: bigint) => void): void {
    this.#steps.push({ slot: this.slotBefore(daysAgo), run });
  }

  /** Base units that are worth so many USD at present. */
  units(token: Token, usd: number): bigint {
    let price = this.#priceSf.get(token);
    if (price === undefined) {
      price = this.#prices.priceSf(token, this.present);
      this.#priceSf.set(token, price);
    }
    return unitsOfUsd(token, usd, price);
  }

  *run(visits: Visits): Generator<bigint, void> {
    this.#steps.sort((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0));
    for (const { slot, run } of this.#steps) {
      yield* visits.before(slot);
      run(slot);
    }
  }
}

/** So many moments between two ages in days, oldest first. */
export function agesBetween(random: Random, count: number, newest: number, oldest: number): number[] {
  const ages: number[] = [];
  for (let i = 0; i < count; i += 1) {
    ages.push(newest + (random.below(1_000_000) / 1_000_000) * (oldest - newest));
  }
  return ages.sort((a, b) => b - a);
}
