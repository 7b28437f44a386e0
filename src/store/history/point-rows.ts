import { CopyRows } from '../copy-rows.ts';
import { allColumns, type Cell, type ColumnType, type Making, type SeriesTable } from './columns.ts';
import { bucketAndWeight } from './point-lists.ts';
import type { Snapshot } from './samples.ts';
import type { Step } from './steps.ts';

const FEW_BYTES = 64;

/** Points of one table as the rows of a `COPY`. Each is bytes as soon as it is added. */
export class PointRows {
  readonly table: SeriesTable;
  /** Of the first column of the key. */
  readonly ids = new Set<number>();
  readonly #rows = new CopyRows();
  /** Many rows have the same: they are read once. */
  readonly #lists = { integer: new Map<string, Uint8Array>(), numeric: new Map<string, Uint8Array>() };

  readonly #types: readonly ColumnType[];

  constructor(table: SeriesTable) {
    this.table = table;
    this.#types = table.columns.map(({ type }) => type);
  }

  get isEmpty(): boolean {
    return this.ids.size === 0;
  }

  get statement(): string {
    const names = allColumns(this.table).map(({ name }) => name);
    return `COPY ${this.table.name} (${names.join(', ')}) FROM STDIN (FORMAT binary)`;
  }

  add(snapshot: Snapshot, step: Step, names: Omit<Making, 'weight'>): void {
    const { bucket, weight } = bucketAndWeight(snapshot, step);
    const shared = new CopyRows(FEW_BYTES);
    shared.row(allColumns(this.table).length);
    shared.integer(step);
    shared.instant(bucket);
    shared.integer(weight);
    shared.bigint(snapshot.slot);
    shared.instant(snapshot.sampledAt);
    const columns = this.table.cellsOf(snapshot, { ...names, weight });
    const [leading = []] = columns;
    leading.forEach((id, row) => {
      this.ids.add(Number(id));
      this.#rows.raw(shared.fields());
      columns.forEach((cells, index) => {
        this.#add(cells[row] ?? null, this.#types[index]);
      });
    });
  }

  whole(): Uint8Array {
    return this.#rows.whole();
  }

  #add(cell: Cell, type: ColumnType | undefined): void {
    const rows = this.#rows;
    if (cell === null) rows.nothing();
    else if (type === 'decimal') rows.numeric(String(cell));
    else if (type === 'integer') rows.integer(Number(cell));
    else if (type === 'bigint') rows.bigint(BigInt(cell));
    else if (type === 'text') rows.text(String(cell));
    else if (type === 'instant') rows.instant(new Date(cell));
    else rows.raw(this.#list(String(cell), type === 'integers' ? 'integer' : 'numeric'));
  }

  /** @param literal `{1,2}` */
  #list(literal: string, type: 'integer' | 'numeric'): Uint8Array {
    const made = this.#lists[type].get(literal);
    if (made !== undefined) return made;
    const list = new CopyRows(FEW_BYTES);
    list.list(type, literal === '{}' ? [] : literal.slice(1, -1).split(','));
    this.#lists[type].set(literal, list.fields());
    return list.fields();
  }
}
