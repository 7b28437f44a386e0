import type { Token } from './model.ts';
import type { Prices } from './prices.ts';
import type { Random } from './prng.ts';
import { unitsOfUsd } from './reserves.ts';
import type { StopSlots } from './stop-slots.ts';
import { SLOTS_PER_DAY } from './time.ts';

/** Days from the opening of the first reserve to the present. */
export const HISTORY_DAYS = 400;

/** The actions of the past, executed in slot order. */
export class WorldPlan {
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

  /** Adds an action this many days ago. */
  add(daysAgo: number, run: (slot: bigint) => void): void {
    this.#steps.push({ slot: this.slotBefore(daysAgo), run });
  }

  /** Base units worth this many USD at present. */
  units(token: Token, usd: number): bigint {
    let price = this.#priceSf.get(token);
    if (price === undefined) {
      price = this.#prices.priceSf(token, this.present);
      this.#priceSf.set(token, price);
    }
    return unitsOfUsd(token, usd, price);
  }

  *run(stops: StopSlots): Generator<bigint, void> {
    this.#steps.sort((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0));
    for (const { slot, run } of this.#steps) {
      yield* stops.before(slot);
      run(slot);
    }
  }
}

/** `count` random ages in days between the two, oldest first. */
export function agesBetween(random: Random, count: number, newest: number, oldest: number): number[] {
  const ages: number[] = [];
  for (let i = 0; i < count; i += 1) {
    ages.push(newest + (random.below(1_000_000) / 1_000_000) * (oldest - newest));
  }
  return ages.sort((a, b) => b - a);
}
