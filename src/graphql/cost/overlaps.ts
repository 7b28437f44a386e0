import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';

/**
 * How many pairs of fields and fragments the check compares at most that fields of one name ask for the same. It compares
 * each with each: without a bound, a document of the allowed length would take a third of a second.
 */
export const MAX_OVERLAPS = 50_000;

/** Whether a document has more pairs to be compared than the ceiling, found in a time that the ceiling bounds. */
export function overlapsTooOften(document: DocumentNode, ceiling = MAX_OVERLAPS): boolean {
  const fragments = new Map<string, SelectionSetNode>();
  const operations: SelectionSetNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition.selectionSet);
    } else if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition.selectionSet);
  }
  const pairs = new Pairs(fragments, ceiling);
  if (operations.some((operation) => pairs.areTooMany(operation))) return true;
  // What no operation uses is checked all the same.
  return [...fragments].some(([name, fragment]) => !pairs.met.has(name) && pairs.areTooMany(fragment));
}

class Pairs {
  /** Fragments that were come across. */
  readonly met = new Set<string>();
  readonly #fragments: ReadonlyMap<string, SelectionSetNode>;
  readonly #ceiling: number;
  /** Selections that were looked at by themselves: once more would tell the same. */
  readonly #alone = new Set<SelectionSetNode>();
  #pairs = 0;

  constructor(fragments: ReadonlyMap<string, SelectionSetNode>, ceiling: number) {
    this.#fragments = fragments;
    this.#ceiling = ceiling;
  }

  /** Adds the pairs of a selection and of everything within it. */
  areTooMany(selection: SelectionSetNode): boolean {
    const unseen: SelectionSetNode[][] = [[selection]];
    for (let together = unseen.pop(); together !== undefined; together = unseen.pop()) {
      const { byName, spreads } = gathered(together, this.#fragments);
      for (const name of spreads) this.met.add(name);
      this.#pairs += spreads.size * spreads.size;
      for (const fields of byName.values()) {
        this.#pairs += fields.length * fields.length;
        if (this.#pairs > this.#ceiling) return true;
        const inner = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
        if (this.#isNew(inner)) unseen.push(inner);
      }
    }
    return this.#pairs > this.#ceiling;
  }

  #isNew([first, ...others]: readonly SelectionSetNode[]): boolean {
    if (first === undefined) return false;
    if (others.length > 0) return true;
    const isNew = !this.#alone.has(first);
    this.#alone.add(first);
    return isNew;
  }
}

interface Gathered {
  /** By the name under which they are answered. */
  readonly byName: ReadonlyMap<string, readonly FieldNode[]>;
  readonly spreads: ReadonlySet<string>;
}

/** The fields that come together in one object, each fragment once. */
function gathered(
  together: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, SelectionSetNode>,
): Gathered {
  const byName = new Map<string, FieldNode[]>();
  const spreads = new Set<string>();
  const unseen = [...together];
  for (let set = unseen.pop(); set !== undefined; set = unseen.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) unseen.push(selection.selectionSet);
      else if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const known = byName.get(name);
        if (known === undefined) byName.set(name, [selection]);
        else known.push(selection);
      } else if (!spreads.has(selection.name.value)) {
        spreads.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) unseen.push(fragment);
      }
    }
  }
  return { byName, spreads };
}
