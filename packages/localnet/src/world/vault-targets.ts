import type { Allocation, Vault } from './model.ts';
import { minOf, toSf } from './program-maths.ts';

/** Divides the assets of a vault by weight, first to the part that stays idle. What exceeds a cap goes to the other reserves. */
export class VaultTargets {
  readonly #vault: Vault;
  readonly #weights: bigint;
  /** Below it no cap matters. Scaled by 2^60. */
  readonly #smallestCapSf: bigint;

  constructor(vault: Vault) {
    this.#vault = vault;
    let weights = 0;
    let smallestCap = vault.allocations[0]?.cap ?? 0n;
    for (const { weight, cap } of vault.allocations) {
      weights += weight;
      smallestCap = minOf(smallestCap, cap);
    }
    this.#weights = BigInt(weights);
    this.#smallestCapSf = toSf(smallestCap);
  }

  /** The target of one allocation for assets of a value, both scaled by 2^60. */
  of(allocation: Allocation, aumSf: bigint): bigint {
    if (aumSf < this.#smallestCapSf) {
      return (this.#investable(aumSf) * BigInt(allocation.weight)) / this.#weights;
    }
    return this.all(aumSf).get(allocation) ?? 0n;
  }

  /** The target of every allocation. */
  all(aumSf: bigint): ReadonlyMap<Allocation, bigint> {
    const targets = new Map<Allocation, bigint>();
    let leftSf = this.#investable(aumSf);
    let leftWeight = this.#weights;
    for (let isCapped = true; isCapped && leftSf > 0n && leftWeight > 0n; ) {
      isCapped = false;
      // A round divides what was left at its start.
      const [roundSf, roundWeight] = [leftSf, leftWeight];
      for (const allocation of this.#vault.allocations) {
        const targetSf = targets.get(allocation) ?? 0n;
        const roomSf = toSf(allocation.cap) - targetSf;
        if (roomSf <= 0n) continue;
        const weight = BigInt(allocation.weight);
        const shareSf = (roundSf * weight) / roundWeight;
        if (shareSf >= roomSf) {
          isCapped = true;
          leftWeight -= weight;
        }
        const partSf = minOf(shareSf, roomSf);
        leftSf -= partSf;
        targets.set(allocation, targetSf + partSf);
      }
    }
    return targets;
  }

  #investable(aumSf: bigint): bigint {
    const { unallocatedWeight } = this.#vault.spec;
    if (unallocatedWeight === 0) return aumSf;
    const idleWeight = BigInt(unallocatedWeight);
    return aumSf - (aumSf * idleWeight) / (this.#weights + idleWeight);
  }
}
