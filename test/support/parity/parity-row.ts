import type { Subjects } from '../contract/rows/contract-row.ts';

/** Asks the graph about the View that the REST answer was made of. */
export type Graph = <T>(document: string, variables?: Readonly<Record<string, unknown>>) => Promise<T>;

/**
 * The one permitted difference between GraphQL and REST. The specification leaves REST no null: a required decimal that
 * needs an unknown price is "0" there and null in the graph, and so is the number of holders where none is recorded.
 */
export class NullRule {
  #applied = 0;

  /** How often the graph said null for want of a price. */
  get applied(): number {
    return this.#applied;
  }

  decimal(graph: string | null | undefined): string {
    if (graph !== null && graph !== undefined) return graph;
    this.#applied += 1;
    return '0';
  }

  /** A decimal that REST writes as a number. */
  number(graph: string | null | undefined): number {
    return Number(this.decimal(graph));
  }

  count(graph: number | null): number {
    return graph ?? 0;
  }
}

/** One read through GraphQL and REST. */
export interface ParityCase {
  readonly url: string;
  /** What the graph needs to know for the same. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A read operation and its twin in the graph. */
export interface ParityRow {
  readonly path: string;
  readonly cases: (subjects: Subjects) => readonly ParityCase[];
  /** The REST body, made of what the graph answers. */
  readonly twin: (
    graph: Graph,
    variables: Readonly<Record<string, unknown>>,
    rule: NullRule,
  ) => Promise<unknown>;
  /** Parts of the REST body that the graph does not have; other suites look at them. */
  readonly without?: readonly string[];
  /** What a list without a documented order is sorted by before it is compared. */
  readonly sortBy?: string;
}

/** The default key stands for an address that is not there. */
export const NO_ADDRESS = '11111111111111111111111111111111';

export interface Amount {
  readonly amount: string;
  readonly baseUnits: string;
  readonly usd: string | null;
  readonly sol: string | null;
}
