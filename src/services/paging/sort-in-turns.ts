import type { Work } from '../../node/work-budget.ts';

/** Items sorted or merged in a step of work. */
const ITEMS_PER_STEP = 512;

/** Sorts like `Array.sort`, in turns of a few milliseconds, however many items there are. */
export async function sortInTurns<T>(
  work: Work,
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let i = 0; i < items.length; i += ITEMS_PER_STEP) {
    const pause = work.step();
    if (pause !== null) await pause;
    runs.push(items.slice(i, i + ITEMS_PER_STEP).sort(compare));
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      longer.push(await merged(work, runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merged<T>(
  work: Work,
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  const all: T[] = [];
  let j = 0;
  for (const item of first) {
    for (let other = second[j]; other !== undefined && compare(other, item) < 0; other = second[j]) {
      const pause = all.length % ITEMS_PER_STEP === 0 ? work.step() : null;
      if (pause !== null) await pause;
      all.push(other);
      j += 1;
    }
    const pause = all.length % ITEMS_PER_STEP === 0 ? work.step() : null;
    if (pause !== null) await pause;
    all.push(item);
  }
  return all.concat(second.slice(j));
}
