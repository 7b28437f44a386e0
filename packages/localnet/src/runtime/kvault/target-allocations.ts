import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import { addSf, overSf, subSf, timesSf, unsigned64, wholeSf } from '../klend/fraction.ts';
import type { Holdings } from './holdings.ts';
import { type AllocationBooks, aumSfOf, type VaultBooks } from './vault-books.ts';

const weighted = (sf: bigint, weight: bigint, total: bigint) => overSf(timesSf(sf, weight), total);

/** Divides the vault's assets by weight, first to the part that stays idle. What exceeds a cap goes to the other reserves. */
export function refreshTargets(books: VaultBooks, { totalInvestedSf, capsSf }: Holdings): void {
  const { allocations, settings } = books;
  const aumSf = aumSfOf(books, totalInvestedSf);
  const weights = allocations
    .filter(({ cap }) => cap > 0n)
    .reduce((sum, { weight }) => unsigned64(sum + weight), 0n);
  const targets = new Map<AllocationBooks, bigint>(allocations.map((allocation) => [allocation, 0n]));
  const targetOf = (allocation: AllocationBooks) => targets.get(allocation) ?? 0n;
  let leftSf = aumSf;
  if (settings.unallocatedWeight > 0n) {
    const cap = settings.unallocatedTokensCap === 0n ? U64_MAX : settings.unallocatedTokensCap;
    const idleSf = weighted(aumSf, settings.unallocatedWeight, weights + settings.unallocatedWeight);
    leftSf = subSf(leftSf, lesser(idleSf, wholeSf(cap)));
  }
  let leftWeight = weights;
  let capped = true;
  while (capped && leftSf > 0n && leftWeight > 0n) {
    capped = false;
    // A round divides what was left at its start.
    const [roundSf, roundWeight] = [leftSf, leftWeight];
    for (const allocation of allocations) {
      const capSf = capsSf.get(allocation.reserve) ?? 0n;
      const targetSf = targetOf(allocation);
      if (targetSf >= capSf) continue;
      let partSf = weighted(roundSf, allocation.weight, roundWeight);
      if (addSf(partSf, targetSf) >= capSf) {
        capped = true;
        leftWeight = unsigned64(leftWeight - allocation.weight);
        partSf = subSf(capSf, targetSf);
      }
      leftSf = subSf(leftSf, partSf);
      targets.set(allocation, addSf(targetSf, partSf));
    }
  }
  for (const allocation of allocations) allocation.targetSf = targetOf(allocation);
}
