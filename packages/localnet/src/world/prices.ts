import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import type { Feed, Token } from './model.ts';
import { digest } from './prng.ts';
import { GENESIS_SLOT } from './time.ts';

const SLOTS_PER_CALENDAR_YEAR = 78_840_000n;

/**
 * Components of a price's fluctuation, from a year to a minute: length in slots, and share of the swing per
 * mille.
 */
const WAVES: readonly (readonly [slots: number, perMille: number])[] = [
  [60_000_000, 560],
  [7_000_000, 300],
  [700_000, 100],
  [40_000, 30],
  [1_500, 8],
  [60, 2],
];

/** Prices as a pure function of the slot, so that the past is always the same, unless a test sets one. */
export class Prices {
  readonly #phases = new Map<Feed, number>();
  /** Values that were set by hand. */
  readonly #fixed = new Map<Feed, bigint>();
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** The oracle value of a feed; the price is value / 10^exponent. */
  feedValue(feed: Feed, slot: bigint): bigint {
    const fixed = this.#fixed.get(feed);
    if (fixed !== undefined) return fixed;
    if (feed.growthPpm > 0) {
      const growth = feed.start * BigInt(feed.growthPpm) * (slot - GENESIS_SLOT);
      return feed.start + growth / (SLOTS_PER_CALENDAR_YEAR * 1_000_000n);
    }
    let perMille = 0;
    WAVES.forEach(([length, share], i) => {
      perMille += share * wave(this.#phase(feed) + i, Number(slot) / length);
    });
    const partsPerBillion = Math.round(feed.swingPpm * perMille);
    return (feed.start * BigInt(1_000_000_000 + partsPerBillion)) / 1_000_000_000n;
  }

  /** From now on the token has this price, in USD per whole token scaled by 2^60. Those relative to it move with it. */
  fix(token: Token, priceSf: bigint, slot: bigint): void {
    const { feed, base } = token;
    const baseSf = base === null ? FRACTION_ONE : this.priceSf(base, slot);
    const scaled = priceSf * 10n ** BigInt(feed.exponent);
    this.#fixed.set(feed, (scaled + baseSf / 2n) / baseSf);
  }

  /** USD per whole token, scaled by 2^60. */
  priceSf(token: Token, slot: bigint): bigint {
    let value = FRACTION_ONE;
    let divisor = 1n;
    for (let part: Token | null = token; part !== null; part = part.base) {
      value *= this.feedValue(part.feed, slot);
      divisor *= 10n ** BigInt(part.feed.exponent);
    }
    return value / divisor;
  }

  #phase(feed: Feed): number {
    const known = this.#phases.get(feed);
    if (known !== undefined) return known;
    const phase = digest(this.#seed, 'feed', feed.index).readUInt32LE(0);
    this.#phases.set(feed, phase);
    return phase;
  }
}

/** Smooth noise from -1 to 1. Uses only sums and products, so it yields the same bits on every machine. */
function wave(phase: number, position: number): number {
  const step = Math.floor(position);
  const t = position - step;
  const from = lattice(phase, step);
  const to = lattice(phase, step + 1);
  return from + (to - from) * t * t * (3 - 2 * t);
}

function lattice(phase: number, step: number): number {
  let h = (Math.imul(phase ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(step, 0xc2b2ae35)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d) >>> 0;
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b) >>> 0;
  h = (h ^ (h >>> 16)) >>> 0;
  return h / 2 ** 31 - 1;
}
