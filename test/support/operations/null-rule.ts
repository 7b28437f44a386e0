/** A zero that REST writes where the graph has null. REST names its field in `X-Unknown`. */
export class ZeroForNull {
  readonly written: string | number;

  constructor(written: string | number) {
    this.written = written;
  }
}

/**
 * The permitted difference between GraphQL and REST. The specification leaves REST no null: a required decimal that
 * needs an unknown price is "0" there and null in the graph, and so is the number of holders where none is recorded.
 * A point of a series without a price is null in the graph and absent in REST.
 */
export class NullRule {
  #applied = 0;

  /** Number of nulls in GraphQL for lack of a price. */
  get applied(): number {
    return this.#applied;
  }

  decimal(graph: string | null | undefined): string | ZeroForNull {
    if (graph !== null && graph !== undefined) return graph;
    this.#applied += 1;
    return new ZeroForNull('0');
  }

  /** A decimal that REST writes as a number. */
  number(graph: string | null | undefined): number | ZeroForNull {
    if (graph !== null && graph !== undefined) return Number(graph);
    this.#applied += 1;
    return new ZeroForNull(0);
  }

  count(graph: number | null | undefined): number | ZeroForNull {
    return graph ?? new ZeroForNull(0);
  }

  /** The points that REST has: those for which every given value is known. */
  priced<P>(points: readonly P[], values: (point: P) => readonly (string | null)[]): P[] {
    const known = points.filter((point) => values(point).every((value) => value !== null));
    this.#applied += points.length - known.length;
    return known;
  }
}
