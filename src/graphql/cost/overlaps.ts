import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';

/**
 * Ceiling of the pairs of fields and fragments that the rule OverlappingFieldsCanBeMerged may compare. The rule is
 * quadratic: without a bound, a document of the allowed length would take a third of a second.
 */
export const MAX_OVERLAPS = 50_000;

/** Whether a document has more pairs to compare than the ceiling. Stops counting there. */
export function hasTooManyOverlaps(document: DocumentNode, ceiling = MAX_OVERLAPS): boolean {
  const fragments = new Map<string, SelectionSetNode>();
  const operations: SelectionSetNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition.selectionSet);
    } else if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition.selectionSet);
  }
  const pairs = new Pairs(fragments, ceiling);
  if (operations.some((operation) => pairs.exceedCeiling(operation))) return true;
  // The rule also checks fragments that no operation uses.
  return [...fragments].some(
    ([name, fragment]) => !pairs.visitedFragments.has(name) && pairs.exceedCeiling(fragment),
  );
}

class Pairs {
  readonly visitedFragments = new Set<string>();
  readonly #fragments: ReadonlyMap<string, SelectionSetNode>;
  readonly #ceiling: number;
  /** Selections that were visited without others merged into them; their pairs are counted already. */
  readonly #visitedAlone = new Set<SelectionSetNode>();
  #pairs = 0;

  constructor(fragments: ReadonlyMap<string, SelectionSetNode>, ceiling: number) {
    this.#fragments = fragments;
    this.#ceiling = ceiling;
  }

  /** Adds the pairs of a selection and all its subselections. */
  exceedCeiling(selection: SelectionSetNode): boolean {
    const unvisited: SelectionSetNode[][] = [[selection]];
    for (let merged = unvisited.pop(); merged !== undefined; merged = unvisited.pop()) {
      const { byKey, spreads } = collect(merged, this.#fragments);
      for (const name of spreads) this.visitedFragments.add(name);
      this.#pairs += spreads.size * spreads.size;
      for (const fields of byKey.values()) {
        this.#pairs += fields.length * fields.length;
        if (this.#pairs > this.#ceiling) return true;
        const inner = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
        if (this.#isNew(inner)) unvisited.push(inner);
      }
    }
    return this.#pairs > this.#ceiling;
  }

  #isNew([first, ...others]: readonly SelectionSetNode[]): boolean {
    if (first === undefined) return false;
    if (others.length > 0) return true;
    const isNew = !this.#visitedAlone.has(first);
    this.#visitedAlone.add(first);
    return isNew;
  }
}

interface Collected {
  /** Fields by response key. */
  readonly byKey: ReadonlyMap<string, readonly FieldNode[]>;
  readonly spreads: ReadonlySet<string>;
}

/** The fields selected on one object, each fragment visited once. */
function collect(
  merged: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, SelectionSetNode>,
): Collected {
  const byKey = new Map<string, FieldNode[]>();
  const spreads = new Set<string>();
  const unvisited = [...merged];
  for (let set = unvisited.pop(); set !== undefined; set = unvisited.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) unvisited.push(selection.selectionSet);
      else if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const known = byKey.get(key);
        if (known === undefined) byKey.set(key, [selection]);
        else known.push(selection);
      } else if (!spreads.has(selection.name.value)) {
        spreads.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) unvisited.push(fragment);
      }
    }
  }
  return { byKey, spreads };
}
