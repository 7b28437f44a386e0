/** A set that may be chosen, and the elements in it. */
export interface CoverSet<S, E> {
  readonly set: S;
  readonly elements: ReadonlySet<E>;
}

export interface Cover<S> {
  /** In the order of the candidates. */
  readonly chosen: readonly S[];
  /** Whether it is proven that fewer sets cover less. False when the search was stopped. */
  readonly isMinimal: boolean;
}

/** Nodes that a search may visit: far more than tables that belong to a transaction need, and a few milliseconds of work. */
const MAX_NODES = 5_000;

/**
 * The fewest sets that together contain every element that any of them contains. Finding them is NP-hard: the search tries
 * the most promising sets first and stops after `maxNodes` nodes. The result then is the smallest cover found so far, at
 * most as large as the greedy one.
 */
export function minimumSetCover<S, E>(
  candidates: readonly CoverSet<S, E>[],
  maxNodes: number = MAX_NODES,
): Cover<S> {
  const masks = masksOf(candidates);
  const search = new CoverSearch(undominated(masks), maxNodes);
  const chosen = search.run();
  return {
    chosen: candidates.filter((_, i) => chosen.has(i)).map(({ set }) => set),
    isMinimal: !search.isStopped,
  };
}

/** A candidate as a bit set of elements. */
interface Mask {
  /** In the list of candidates. */
  readonly index: number;
  readonly bits: bigint;
}

/** Bit 0 is the element that the fewest candidates contain: the search decides on it first, where it has the least choice. */
function masksOf<S, E>(candidates: readonly CoverSet<S, E>[]): Mask[] {
  const counts = new Map<E, number>();
  for (const { elements } of candidates) {
    for (const element of elements) counts.set(element, (counts.get(element) ?? 0) + 1);
  }
  const ordered = [...counts].sort(([, a], [, b]) => a - b);
  const bitOf = new Map(ordered.map(([element], i) => [element, 1n << BigInt(i)]));
  return candidates.map(({ elements }, index) => {
    let bits = 0n;
    for (const element of elements) bits |= bitOf.get(element) ?? 0n;
    return { index, bits };
  });
}

/** The candidates that are not part of another one, largest first. Of equal ones the first stays. */
function undominated(masks: readonly Mask[]): Mask[] {
  const bySize = masks
    .filter(({ bits }) => bits !== 0n)
    .map((mask) => ({ mask, size: countBits(mask.bits) }))
    .sort((a, b) => b.size - a.size || a.mask.index - b.mask.index);
  const found: Mask[] = [];
  for (const { mask } of bySize) {
    if (found.every(({ bits }) => (mask.bits & ~bits) !== 0n)) found.push(mask);
  }
  return found;
}

/** A depth-first search with a bound. */
class CoverSearch {
  readonly #masks: readonly Mask[];
  /** Most elements that one candidate covers. */
  readonly #largest: number;
  #nodesLeft: number;
  #best: readonly number[];

  constructor(masks: readonly Mask[], maxNodes: number) {
    this.#masks = masks;
    this.#largest = masks.reduce((most, { bits }) => Math.max(most, countBits(bits)), 1);
    this.#nodesLeft = maxNodes;
    this.#best = greedy(masks, this.#all);
  }

  get #all(): bigint {
    return this.#masks.reduce((all, { bits }) => all | bits, 0n);
  }

  get isStopped(): boolean {
    return this.#nodesLeft < 0;
  }

  run(): ReadonlySet<number> {
    this.#visit(this.#all, []);
    return new Set(this.#best);
  }

  #visit(uncovered: bigint, chosen: readonly number[]): void {
    if (uncovered === 0n) {
      if (chosen.length < this.#best.length) this.#best = chosen;
      return;
    }
    const atLeast = Math.ceil(countBits(uncovered) / this.#largest);
    if (chosen.length + atLeast >= this.#best.length) return;
    this.#nodesLeft -= 1;
    if (this.isStopped) return;
    const element = uncovered & -uncovered;
    const branches = this.#masks
      .filter(({ bits }) => (bits & element) !== 0n)
      .map(({ index, bits }) => ({ index, bits, gain: countBits(bits & uncovered) }))
      .sort((a, b) => b.gain - a.gain);
    for (const { index, bits } of branches) this.#visit(uncovered & ~bits, [...chosen, index]);
  }
}

/** Always takes the candidate that covers the most that is left. */
function greedy(masks: readonly Mask[], all: bigint): number[] {
  const chosen: number[] = [];
  for (let uncovered = all; uncovered !== 0n; ) {
    let best: Mask | undefined;
    let most = 0;
    for (const mask of masks) {
      const gain = countBits(mask.bits & uncovered);
      if (gain > most) [best, most] = [mask, gain];
    }
    if (best === undefined) break;
    chosen.push(best.index);
    uncovered &= ~best.bits;
  }
  return chosen;
}

function countBits(bits: bigint): number {
  let count = 0;
  for (let rest = bits; rest !== 0n; rest &= rest - 1n) count += 1;
  return count;
}
