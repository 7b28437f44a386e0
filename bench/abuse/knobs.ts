import type { Random } from '@sluice/localnet/world/prng';

/** What the search varies in a request. Sizes are wishes: the document shrinks to what the gateway permits. */
export interface Knobs {
  /** Which of the paths that lead to the field. */
  readonly path: number;
  /** How often the whole path is selected, and the field at its end. */
  readonly rootCopies: number;
  readonly fieldCopies: number;
  /** `first` of connections, `maxPoints` of series, length of list arguments. */
  readonly page: number;
  readonly points: number;
  readonly list: number;
  /** Levels of objects selected below the field. */
  readonly levels: number;
  /** Seed of everything else: optional arguments, enum values, ranges. 0 gives required arguments only. */
  readonly draw: number;
  /** Whether addresses are ones that nobody has used before. */
  readonly strangers: boolean;
}

type SizeKnob = 'rootCopies' | 'fieldCopies' | 'page' | 'points' | 'list';

/** The smallest and largest value of each size. */
export const SIZES: Readonly<Record<SizeKnob, readonly [number, number]>> = {
  rootCopies: [1, 100],
  fieldCopies: [1, 100],
  page: [1, 100],
  points: [1, 5_000],
  list: [1, 100],
};
const SIZE_KNOBS = ['rootCopies', 'fieldCopies', 'page', 'points', 'list'] as const satisfies SizeKnob[];
const MAX_LEVELS = 3;
const MAX_PATHS = 6;
const DRAWS = 1_000_000;

export const SMALLEST: Knobs = {
  path: 0,
  rootCopies: 1,
  fieldCopies: 1,
  page: 1,
  points: 1,
  list: 1,
  levels: 0,
  draw: 0,
  strangers: false,
};

/** Where every search starts: one plain request, many small ones in one, and the largest. */
export const STARTS: readonly Knobs[] = [
  { ...SMALLEST, page: 20, points: 500, list: 20 },
  { ...SMALLEST, page: 100, points: 5_000, list: 100, levels: 1 },
  { ...SMALLEST, rootCopies: 100 },
  { ...SMALLEST, fieldCopies: 50, page: 20, points: 100, list: 20 },
];

/** For a scalar without arguments: an object is always asked for with all of its scalars, so only copies make a difference. */
export const SCALAR_START: Knobs = { ...SMALLEST, fieldCopies: 50, page: 20 };

/** Changes one or two knobs. */
export function varied(knobs: Knobs, random: Random): Knobs {
  const once = variedOnce(knobs, random);
  return random.chance(40) ? variedOnce(once, random) : once;
}

function variedOnce(knobs: Knobs, random: Random): Knobs {
  const choice = random.below(10);
  if (choice < 5) {
    const knob = random.pick(SIZE_KNOBS);
    return { ...knobs, [knob]: resized(knobs[knob], SIZES[knob], random) };
  }
  if (choice === 5) return { ...knobs, path: random.below(MAX_PATHS) };
  if (choice === 6) return { ...knobs, levels: random.between(0, MAX_LEVELS) };
  if (choice === 7) return { ...knobs, strangers: !knobs.strangers };
  return { ...knobs, draw: random.chance(15) ? 0 : random.below(DRAWS) };
}

function resized(value: number, [least, most]: readonly [number, number], random: Random): number {
  const to = random.pick([least, most, Math.ceil(value / 4), Math.ceil(value / 2), value * 2, value * 4]);
  return Math.min(most, Math.max(least, to));
}

/** The next smaller setting for a document that the gateway would refuse; null when nothing can be made smaller. */
export function shrunk(knobs: Knobs): Knobs | null {
  const largest = [...SIZE_KNOBS].sort((a, b) => share(knobs, b) - share(knobs, a))[0];
  if (largest !== undefined && share(knobs, largest) > 0) {
    const [least] = SIZES[largest];
    return { ...knobs, [largest]: Math.max(least, Math.floor(knobs[largest] / 2)) };
  }
  return knobs.levels === 0 ? null : { ...knobs, levels: knobs.levels - 1 };
}

const share = (knobs: Knobs, knob: SizeKnob) => (knobs[knob] - SIZES[knob][0]) / SIZES[knob][1];
