import { createHash } from 'node:crypto';
import { readAddress } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';

/** 32 bytes derived from the labels. */
export function digest(...labels: readonly (string | number)[]): Buffer {
  return createHash('sha256').update(labels.join('/')).digest();
}

/** A deterministic address without a known private key. */
export function labelledAddress(...labels: readonly (string | number)[]): Address {
  const bytes = digest(...labels);
  return readAddress(new DataView(bytes.buffer, bytes.byteOffset, 32), 0);
}

/** A reproducible random source (the "small fast counter" generator), seeded by a hash of its labels. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(...labels: readonly (string | number)[]) {
    const start = digest(...labels);
    this.#a = start.readUInt32LE(0);
    this.#b = start.readUInt32LE(4);
    this.#c = start.readUInt32LE(8);
  }

  /** 0 to 2^32 - 1. */
  uint32(): number {
    const sum = (this.#a + this.#b + this.#counter) >>> 0;
    this.#counter = (this.#counter + 1) >>> 0;
    this.#a = (this.#b ^ (this.#b >>> 9)) >>> 0;
    this.#b = (this.#c + (this.#c << 3)) >>> 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) >>> 0;
    return sum;
  }

  /** 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor((this.uint32() / 2 ** 32) * limit);
  }

  /** `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    return itemAt(list, this.below(list.length));
  }

  /** An index with probability proportional to its weight. */
  weighted(weights: readonly number[]): number {
    let rest = this.below(weights.reduce((total, weight) => total + weight, 0));
    for (const [index, weight] of weights.entries()) {
      if (rest < weight) return index;
      rest -= weight;
    }
    return weights.length - 1;
  }

  /** A random share of `whole`, from `low` to `high` per mille. */
  share(whole: bigint, low: number, high: number): bigint {
    return (whole * BigInt(this.between(low, high))) / 1000n;
  }

  /** Every power of ten between the two is equally likely. */
  magnitude(low: number, high: number): number {
    let scale = low;
    const steps: number[] = [];
    while (scale < high) {
      steps.push(scale);
      scale *= 10;
    }
    const start = this.pick(steps);
    return Math.min(high, start + this.below(start * 9));
  }
}

/** The element at an index that must exist. */
export function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`No element ${index} in a list of ${list.length}`);
  return item;
}

/** A shuffled copy. */
export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const result = [...list];
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = random.below(i + 1);
    const [left, right] = [itemAt(result, i), itemAt(result, j)];
    result[i] = right;
    result[j] = left;
  }
  return result;
}
