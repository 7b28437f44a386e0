import { Rational } from '../../numeric/rational.ts';
import { type SqlValue, toElement } from '../sql.ts';
import {
  allColumns,
  type Cell,
  type ColumnType,
  isList,
  literal,
  type Making,
  type SeriesTable,
} from './columns.ts';
import { decimalText } from './decimals.ts';
import type { Snapshot } from './samples.ts';
import { bucketOf, instantText, MINUTE, type Step } from './steps.ts';

/** Enough that the cost of a statement is its rows, and few enough that one fits well into memory. */
const ROWS_PER_STATEMENT = 5_000;

interface Page {
  rows: number;
  /** By column, the elements of each snapshot. */
  readonly lists: readonly string[][];
  /** Of each column of lists those that are told, by what stands for them in the column: many rows have the same. */
  readonly told: ReadonlyMap<string, Map<string, number>>;
}

/**
 * Points of one table on their way to the database. A snapshot becomes text as soon as it is added, column by column as
 * a statement takes it, so that thousands of them can be loaded without their numbers being kept.
 */
export class PointLists {
  readonly table: SeriesTable;
  /** Of the first column of the key. */
  readonly ids = new Set<number>();
  readonly #pages: Page[] = [];

  constructor(table: SeriesTable) {
    this.table = table;
  }

  add(snapshot: Snapshot, step: Step, names: Omit<Making, 'weight'>): void {
    const { bucket, weight } = bucketAndWeight(snapshot, step);
    const columns = this.table.cellsOf(snapshot, { ...names, weight });
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
          : elements(columns[own] ?? [], column.type, page.told.get(column.name)),
      );
    });
  }

  /**
   * For each statement its parameters: an array per column, in the order of `allColumns`, then for each column of lists
   * the lists themselves, which the column names by their place, from 1 on.
   */
  *statements(): Generator<readonly SqlValue[]> {
    for (const { lists, told } of this.#pages) {
      yield [
        ...lists.map((list) => `{${list.join(',')}}`),
        ...[...told.values()].map((each) => [...each.keys()]),
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
    const told = new Map(columns.filter(isList).map(({ name }) => [name, new Map<string, number>()]));
    const page = { rows: 0, lists: columns.map(() => []), told };
    this.#pages.push(page);
    return page;
  }
}

/** The bucket of a snapshot, and how many minutes of it the snapshot stands for. */
export function bucketAndWeight({ sampledAt }: Pick<Snapshot, 'sampledAt'>, step: Step) {
  const bucket = bucketOf(sampledAt, step);
  const weight = Math.floor((sampledAt.getTime() - bucket.getTime()) / (MINUTE * 1_000)) + 1;
  return { bucket, weight };
}

function elements(cells: readonly Cell[], type: ColumnType, told: Map<string, number> | undefined): string {
  let text = '';
  for (const cell of cells) {
    const element = elementOf(cell, type, told);
    text = text === '' ? `${element}` : `${text},${element}`;
  }
  return text;
}

function elementOf(cell: Cell, type: ColumnType, told: Map<string, number> | undefined): string | number {
  if (cell === null) return 'NULL';
  if (cell instanceof Rational) return decimalText(cell);
  const list = typeof cell === 'object' ? literal(cell.map(decimalText)) : String(cell);
  if (told === undefined) return type === 'text' ? toElement(list) : list;
  const place = told.get(list) ?? told.size + 1;
  told.set(list, place);
  return place;
}
