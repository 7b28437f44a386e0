import { editDistance } from '../../node/edit-distance.ts';

const LONGEST_PATH = 200;
/** Distance of any segment to a parameter: more than an exact match, less than a different word. */
const PARAMETER = 0.4;
/** Share of letters that differ between a misspelt word and the right one. */
const MISSPELT = 0.5;
/** Distance between two words: as much as leaving out one and adding the other. */
const ANOTHER_WORD = 2;

/** The documented path that is most similar to the requested one. */
export function nearestPath(asked: string, documented: Iterable<string>): string | undefined {
  const segments = segmentsOf(asked.slice(0, LONGEST_PATH));
  let [best, least]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const path of documented) {
    const distance = editDistance(segments, segmentsOf(path), segmentDistance);
    if (distance < least) [best, least] = [path, distance];
  }
  return best;
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** 0 for the same word, up to `MISSPELT` for a similar one. */
function segmentDistance(asked: string, documented: string): number {
  if (documented.startsWith('{')) return PARAMETER;
  const length = Math.max(asked.length, documented.length);
  const distance =
    editDistance([...asked.toLowerCase()], [...documented], (a, b) => (a === b ? 0 : 1)) / length;
  return distance > MISSPELT ? ANOTHER_WORD : distance;
}
