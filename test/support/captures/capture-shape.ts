import { isAddress } from '@solana/kit';

/**
 * Form of an answer: what kinds of values are at each path, joined by ` | `. `[]` is any item of a list, `*` any key of an
 * object whose keys are addresses.
 */
export type CaptureShape = Readonly<Record<string, string>>;

const STRING_KINDS: readonly (readonly [kind: string, fits: (text: string) => boolean])[] = [
  ['address', isAddress],
  ['signature', (text) => /^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(text)],
  ['date', (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)],
  ['decimal', (text) => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text)],
  ['uri', (text) => /^https?:\/\/./.test(text)],
];

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return STRING_KINDS.find(([, fits]) => fits(value))?.[0] ?? 'string';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** A string of no particular form may have any, and an integer is a number too. */
function fitsKind(value: unknown, kinds: readonly string[]): boolean {
  const kind = kindOf(value);
  if (kinds.every((each) => each === 'null')) return true;
  if (kinds.includes(kind)) return true;
  if (kinds.includes('string')) return typeof value === 'string';
  return kind === 'integer' && kinds.includes('number');
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values inside a value, with their paths. */
function partsOf(value: unknown, path: string): [path: string, part: unknown][] {
  if (Array.isArray(value)) return value.map((item) => [`${path}[]`, item]);
  if (!isObject(value)) return [];
  return Object.entries(value).map(([key, item]) => [`${path}.${isAddress(key) ? '*' : key}`, item]);
}

/** The shape of a captured answer, with the paths in alphabetical order. */
export function shapeOf(captured: unknown): CaptureShape {
  const kinds = new Map<string, Set<string>>();
  const visit = (value: unknown, path: string): void => {
    kinds.set(path, (kinds.get(path) ?? new Set()).add(kindOf(value)));
    for (const [at, part] of partsOf(value, path)) visit(part, at);
  };
  visit(captured, '$');
  const sorted = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([path, found]) => [path, [...found].sort().join(' | ')]));
}

/** Compares answers with a shape: which paths they have shown, and in what they differ. */
export class ShapeCheck {
  readonly #shape: ReadonlyMap<string, readonly string[]>;
  readonly #unseen: Set<string>;
  readonly #faults = new Set<string>();

  /**
   * @param without paths that answers need not have, with everything below them
   * @param unseen paths that answers need not show with a value
   */
  constructor(shape: CaptureShape, without: readonly string[] = [], unseen: readonly string[] = []) {
    const isLeftOut = (path: string) =>
      without.some((each) => path === each || path.startsWith(`${each}.`) || path.startsWith(`${each}[`));
    this.#shape = new Map(
      Object.entries(shape).flatMap(([path, kinds]) => (isLeftOut(path) ? [] : [[path, kinds.split(' | ')]])),
    );
    // What was always null in the capture may be anything.
    const isValued = ([path, kinds]: [string, readonly string[]]) =>
      kinds.join() !== 'null' && !unseen.includes(path);
    this.#unseen = new Set([...this.#shape].filter(isValued).map(([path]) => path));
  }

  /** Whether every path has been shown with a value. */
  get isComplete(): boolean {
    return this.#unseen.size === 0;
  }

  /** The differences, and the paths for which no answer had a value. */
  get faults(): readonly string[] {
    return [...this.#faults, ...[...this.#unseen].map((path) => `${path} has no value in any answer`)];
  }

  add(answer: unknown): void {
    this.#visit(answer, '$');
  }

  #visit(value: unknown, path: string): void {
    const kinds = this.#shape.get(path);
    if (kinds === undefined) return;
    if (value !== null) {
      this.#unseen.delete(path);
      if (!fitsKind(value, kinds))
        this.#faults.add(`${path} is ${kindOf(value)} instead of ${kinds.join(' or ')}`);
    }
    if (isObject(value)) this.#requireFields(value, path);
    for (const [at, part] of partsOf(value, path)) this.#visit(part, at);
  }

  #requireFields(value: object, path: string): void {
    for (const child of this.#shape.keys()) {
      const key = child.startsWith(`${path}.`) ? child.slice(path.length + 1) : '';
      if (key === '' || key === '*' || /[.[]/.test(key)) continue;
      if (!Object.hasOwn(value, key)) this.#faults.add(`${child} is missing`);
    }
  }
}
