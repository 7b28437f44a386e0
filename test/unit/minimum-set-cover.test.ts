import { describe, expect, it } from 'vitest';
import { type CoverSet, minimumSetCover } from '../../src/domain/minimum-set-cover.ts';

type Sets = readonly (readonly string[])[];

const candidates = (sets: Sets): CoverSet<number, string>[] =>
  sets.map((elements, set) => ({ set, elements: new Set(elements) }));

const covered = (sets: Sets, chosen: readonly number[]) =>
  new Set(chosen.flatMap((index) => sets[index] ?? []));

/** The size of the smallest cover, by trying every combination. */
function fewest(sets: Sets): number {
  const all = new Set(sets.flat()).size;
  let least = sets.length;
  for (let choice = 0; choice < 2 ** sets.length; choice += 1) {
    const chosen = sets.flatMap((_, i) => ((choice >> i) & 1 ? [i] : []));
    if (chosen.length < least && covered(sets, chosen).size === all) least = chosen.length;
  }
  return least;
}

/** Numbers from 0 to 1 that are the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

describe('the minimal cover', () => {
  it('beats the greedy choice', () => {
    // The greedy choice takes the largest set, and then needs both of the others.
    const sets = [
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'x'],
      ['c', 'd', 'y'],
    ];
    expect(minimumSetCover(candidates(sets))).toEqual({ chosen: [1, 2], isMinimal: true });
  });

  it('takes the first of equal sets, and none that is empty or adds nothing', () => {
    const sets = [[], ['a'], ['a', 'b'], ['b', 'a'], ['b']];
    expect(minimumSetCover(candidates(sets))).toEqual({ chosen: [2], isMinimal: true });
    expect(minimumSetCover(candidates([[], []]))).toEqual({ chosen: [], isMinimal: true });
    expect(minimumSetCover([])).toEqual({ chosen: [], isMinimal: true });
  });

  it('is as small as the best of all combinations, in 300 random cases', () => {
    const next = numbersFrom(7);
    for (let run = 0; run < 300; run += 1) {
      const elements = Array.from({ length: 3 + Math.floor(next() * 9) }, (_, i) => `e${i}`);
      const density = 0.1 + next() * 0.4;
      const sets = Array.from({ length: 1 + Math.floor(next() * 9) }, () =>
        elements.filter(() => next() < density),
      );
      const { chosen, isMinimal } = minimumSetCover(candidates(sets));
      expect(covered(sets, chosen)).toEqual(new Set(sets.flat()));
      expect([run, chosen.length, isMinimal]).toEqual([run, fewest(sets), true]);
    }
  });

  it('is a cover, and says that it may not be minimal, when the search is stopped', () => {
    const next = numbersFrom(11);
    const elements = Array.from({ length: 200 }, (_, i) => `e${i}`);
    const sets = Array.from({ length: 150 }, () => elements.filter(() => next() < 0.06));
    const { chosen, isMinimal } = minimumSetCover(candidates(sets));
    expect(isMinimal).toBe(false);
    expect(covered(sets, chosen)).toEqual(new Set(sets.flat()));
    expect(minimumSetCover(candidates(sets), 0).chosen.length).toBeGreaterThanOrEqual(chosen.length);
  });
});
