import type { Subjects } from '../contract/rows/contract-row.ts';

/** Queries the View of the REST answer. */
export type Graph = <T>(document: string, variables?: Readonly<Record<string, unknown>>) => Promise<T>;

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

/** One read through GraphQL and REST. */
export interface ParityCase {
  readonly url: string;
  /** Makes it a POST. */
  readonly body?: object;
  /** Variables of the equivalent GraphQL query. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A read operation and its GraphQL equivalent. */
export interface ParityRow {
  readonly path: string;
  readonly cases: (subjects: Subjects) => readonly ParityCase[];
  /** The REST body, built from the GraphQL answer. */
  readonly twin: (
    graph: Graph,
    variables: Readonly<Record<string, unknown>>,
    rule: NullRule,
  ) => Promise<unknown>;
  /** The REST body with rounded base units, see `roundedPositions`. */
  readonly rounded?: (body: unknown) => unknown;
  /** Parts of the REST body that GraphQL lacks; other suites check them. */
  readonly without?: readonly string[];
  /** Sort key for lists without a documented order. */
  readonly sortBy?: string;
}

interface RestPositions {
  readonly deposits: readonly { readonly amount: string }[];
  readonly borrows: readonly { readonly amount: string }[];
}

/** REST shows the fraction of a base unit; GraphQL rounds a deposit down and a debt up. */
export function roundedPositions<T extends RestPositions>(positions: T): T {
  const whole = (amount: string) => amount.split('.')[0] ?? '';
  const up = (amount: string) => String(BigInt(whole(amount)) + (amount.includes('.') ? 1n : 0n));
  return {
    ...positions,
    deposits: positions.deposits.map((each) => ({ ...each, amount: whole(each.amount) })),
    borrows: positions.borrows.map((each) => ({ ...each, amount: up(each.amount) })),
  };
}

/** The default public key means no address. */
export const NO_ADDRESS = '11111111111111111111111111111111';

export interface Amount {
  readonly amount: string;
  readonly baseUnits: string;
  readonly usd: string | null;
  readonly sol: string | null;
}
