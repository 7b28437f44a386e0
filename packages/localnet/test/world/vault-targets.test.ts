import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { U64_MAX, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { refreshTargets } from '../../src/runtime/kvault/target-allocations.ts';
import { openBooks } from '../../src/runtime/kvault/vault-books.ts';
import { labelledAddress, Random } from '../../src/world/prng.ts';
import { VaultTargets } from '../../src/world/vault-targets.ts';

/** No vault of the world reaches a cap, so the targets of capped allocations are compared here. */

interface Case {
  readonly allocations: readonly { readonly weight: number; readonly cap: bigint }[];
  readonly unallocatedWeight: number;
}

function byEngine({ allocations, unallocatedWeight }: Case, aumSf: bigint): bigint[] {
  const targets = new VaultTargets({ allocations, spec: { unallocatedWeight } });
  const all = targets.all(aumSf);
  const divided = allocations.map((allocation) => all.get(allocation) ?? 0n);
  expect(allocations.map((allocation) => targets.of(allocation, aumSf))).toEqual(divided);
  return divided;
}

function byRuntime({ allocations, unallocatedWeight }: Case, aumSf: bigint): bigint[] {
  const { kvault } = MAINNET_PROGRAMS;
  const data = vaultState.encode({ unallocatedWeight: BigInt(unallocatedWeight) });
  const books = {
    ...openBooks(vaultState.decode({ owner: kvault, data }, kvault)),
    allocations: allocations.map(({ weight, cap }, index) => ({
      index,
      reserve: labelledAddress('reserve', index),
      ctokenVault: labelledAddress('vault', index),
      weight: BigInt(weight),
      cap,
      ctokenCap: null,
      ctokens: 0n,
      lastInvestSlot: 0n,
      targetSf: 0n,
    })),
  };
  refreshTargets(books, {
    available: 0n,
    investedSf: new Map(),
    totalInvestedSf: aumSf,
    totalSf: aumSf,
    capsSf: new Map(books.allocations.map(({ reserve, cap }) => [reserve, wholeScaled(cap)])),
  });
  return books.allocations.map(({ targetSf }) => targetSf);
}

describe('targets of a vault', () => {
  it('exceed no cap, and divide what a cap leaves by the weights of the others', () => {
    const allocations = [
      { weight: 50, cap: 100n },
      { weight: 30, cap: U64_MAX },
      { weight: 20, cap: 190n },
    ];
    // A fifth of 1,250 stays idle. The caps leave 100 and 190 of 500 and 200, and the second takes the rest of 1,000.
    const divided = byEngine({ allocations, unallocatedWeight: 25 }, wholeScaled(1_250n));
    expect(divided).toEqual([100n, 710n, 190n].map(wholeScaled));
  });

  it('leave idle what exceeds all caps', () => {
    const allocations = [
      { weight: 1, cap: 10n },
      { weight: 2, cap: 20n },
    ];
    const divided = byEngine({ allocations, unallocatedWeight: 0 }, wholeScaled(50n));
    expect(divided).toEqual([10n, 20n].map(wholeScaled));
  });

  it('are those of the runtime', () => {
    const random = new Random('targets');
    let bound = 0;
    for (let i = 0; i < 500; i += 1) {
      const assets = BigInt(random.magnitude(1, 1_000_000_000));
      const allocations = Array.from({ length: random.between(1, 8) }, () => ({
        weight: random.between(1, 1_000),
        cap: random.pick([0n, U64_MAX, random.share(assets, 0, 400), random.share(assets, 100, 2_000)]),
      }));
      const aumSf = wholeScaled(assets) + BigInt(random.uint32());
      const given = { allocations, unallocatedWeight: random.pick([0, 0, random.between(1, 500)]) };
      const targets = byEngine(given, aumSf);
      expect(targets, `case ${i}`).toEqual(byRuntime(given, aumSf));
      if (allocations.some(({ cap }, index) => cap > 0n && targets[index] === wholeScaled(cap))) bound += 1;
    }
    expect(bound).toBeGreaterThan(200);
  });
});
