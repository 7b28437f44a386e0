import { Rational } from '@sluice/protocol/numeric/rational';
import { decimalText } from '../decimals.ts';
import { type SqlValue, toElement } from '../sql.ts';
import {
  allColumns,
  type Cell,
  type ColumnType,
  isList,
  literal,
  type SeriesTable,
  type SnapshotIds,
} from './columns.ts';
import type { Snapshot } from './samples.ts';
import { bucketOf, instantText, MINUTE, type Step } from './time-buckets.ts';

/** Large enough that the rows dominate the cost of a statement, small enough that one fits in memory. */
const ROWS_PER_STATEMENT = 5_000;

interface Page {
  rows: number;
  /** Per column, one string of comma-separated elements per snapshot. */
  readonly lists: readonly string[][];
  /**
   * For each list column, the distinct lists and the index that stands for each in the column: many rows
   * share one.
   */
  readonly distinctLists: ReadonlyMap<string, Map<string, number>>;
}

/**
 * Collects points of one table for `INSERT`. A snapshot is turned into text as soon as it is added, column by
 * column, so thousands can be loaded without retaining their numbers.
 */
export class PointLists {
  readonly table: SeriesTable;
  /** Values of the first key column. */
  readonly ids = new Set<number>();
  readonly #pages: Page[] = [];

  constructor(table: SeriesTable) {
    this.table = table;
  }

  add(snapshot: Snapshot, step: Step, ids: SnapshotIds): void {
    const { bucket, weight } = bucketAndWeight(snapshot, step);
    const columns = this.table.cellsOf(snapshot, { ...ids, weight });
    const [leading = []] = columns;
    const rows = leading.length;
    if (rows === 0) return;
    for (const id of leading) this.ids.add(Number(id));
    const shared = [
      step,
      instantText(bucket),
      weight,
      snapshot.slot.toString(),
      instantText(snapshot.sampledAt),
    ];
    const page = this.#page();
    page.rows += rows;
    page.lists.forEach((list, index) => {
      const own = index - shared.length;
      const column = this.table.columns[own];
      list.push(
        column === undefined
          ? new Array(rows).fill(shared[index]).join(',')
          : elements(columns[own] ?? [], column.type, page.distinctLists.get(column.name)),
      );
    });
  }

  /**
   * The parameters of each statement: one array per column, in the order of `allColumns`, then for each list
   * column its distinct lists, which the column references by 1-based index.
   */
  *statements(): Generator<readonly SqlValue[]> {
    for (const { lists, distinctLists } of this.#pages) {
      yield [
        ...lists.map((list) => `{${list.join(',')}}`),
        ...[...distinctLists.values()].map((each) => [...each.keys()]),
      ];
    }
  }

  get isEmpty(): boolean {
    return this.#pages.length === 0;
  }

  #page(): Page {
    const last = this.#pages.at(-1);
    if (last !== undefined && last.rows < ROWS_PER_STATEMENT) return last;
    const columns = allColumns(this.table);
    const distinctLists = new Map(
      columns.filter(isList).map(({ name }) => [name, new Map<string, number>()]),
    );
    const page = { rows: 0, lists: columns.map(() => []), distinctLists };
    this.#pages.push(page);
    return page;
  }
}

/** The bucket of a snapshot, and how many minutes of the bucket the snapshot represents. */
export function bucketAndWeight({ sampledAt }: Pick<Snapshot, 'sampledAt'>, step: Step) {
  const bucket = bucketOf(sampledAt, step);
  const weight = Math.floor((sampledAt.getTime() - bucket.getTime()) / (MINUTE * 1_000)) + 1;
  return { bucket, weight };
}

function elements(
  cells: readonly Cell[],
  type: ColumnType,
  distinctLists: Map<string, number> | undefined,
): string {
  let text = '';
  for (const cell of cells) {
    const element = elementOf(cell, type, distinctLists);
    text = text === '' ? `${element}` : `${text},${element}`;
  }
  return text;
}

function elementOf(
  cell: Cell,
  type: ColumnType,
  distinctLists: Map<string, number> | undefined,
): string | number {
  if (cell === null) return 'NULL';
  if (cell instanceof Rational) return decimalText(cell);
  const list = typeof cell === 'object' ? literal(cell.map(decimalText)) : String(cell);
  if (distinctLists === undefined) return type === 'text' ? toElement(list) : list;
  const index = distinctLists.get(list) ?? distinctLists.size + 1;
  distinctLists.set(list, index);
  return index;
}
