import { wholeScaled } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import type { Allocation } from './model.ts';
import type { VaultSpec } from './vault-specs.ts';

type Weighted = Pick<Allocation, 'weight' | 'cap'>;

interface WeightedVault {
  readonly allocations: readonly Weighted[];
  readonly spec: Pick<VaultSpec, 'unallocatedWeight'>;
}

/** Divides the assets of a vault by weight, first to the part that stays idle. What exceeds a cap goes to the other reserves. */
export class VaultTargets {
  readonly #vault: WeightedVault;
  readonly #weights: bigint;
  /** Below it no cap matters. Scaled by 2^60. */
  readonly #smallestCapSf: bigint;

  constructor(vault: WeightedVault) {
    this.#vault = vault;
    let weights = 0;
    let smallestCap = vault.allocations[0]?.cap ?? 0n;
    for (const { weight, cap } of vault.allocations) {
      if (cap > 0n) weights += weight;
      smallestCap = lesser(smallestCap, cap);
    }
    this.#weights = BigInt(weights);
    this.#smallestCapSf = wholeScaled(smallestCap);
  }

  /** The target of one allocation for assets of a value, both scaled by 2^60. */
  of(allocation: Weighted, aumSf: bigint): bigint {
    if (aumSf < this.#smallestCapSf) {
      return (this.#investable(aumSf) * BigInt(allocation.weight)) / this.#weights;
    }
    return this.all(aumSf).get(allocation) ?? 0n;
  }

  /** The target of every allocation. */
  all(aumSf: bigint): ReadonlyMap<Weighted, bigint> {
    const targets = new Map<Weighted, bigint>();
    let leftSf = this.#investable(aumSf);
    let leftWeight = this.#weights;
    for (let isCapped = true; isCapped && leftSf > 0n && leftWeight > 0n; ) {
      isCapped = false;
      // A round divides what was left at its start.
      const [roundSf, roundWeight] = [leftSf, leftWeight];
      for (const allocation of this.#vault.allocations) {
        const targetSf = targets.get(allocation) ?? 0n;
        const roomSf = wholeScaled(allocation.cap) - targetSf;
        if (roomSf <= 0n) continue;
        const weight = BigInt(allocation.weight);
        const shareSf = (roundSf * weight) / roundWeight;
        if (shareSf >= roomSf) {
          isCapped = true;
          leftWeight -= weight;
        }
        const partSf = lesser(shareSf, roomSf);
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
