import { STORED_PLACES, toStoredUnits } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { CopyRows } from '../copy-rows.ts';
import { allColumns, type Cell, type ColumnType, type SeriesTable, type SnapshotIds } from './columns.ts';
import { bucketAndWeight } from './point-lists.ts';
import type { Snapshot } from './samples.ts';
import type { Step } from './time-buckets.ts';

const FEW_BYTES = 64;

/** Collects points of one table for a binary `COPY`. A point is encoded as soon as it is added. */
export class PointRows {
  readonly table: SeriesTable;
  /** Values of the first key column. */
  readonly ids = new Set<number>();
  readonly #rows = new CopyRows();
  /** Encoded id lists by literal: many rows share one. */
  readonly #encodedLists = new Map<string, Uint8Array>();
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

  add(snapshot: Snapshot, step: Step, ids: SnapshotIds): void {
    const { bucket, weight } = bucketAndWeight(snapshot, step);
    const shared = new CopyRows(FEW_BYTES);
    shared.beginRow(allColumns(this.table).length);
    shared.integer(step);
    shared.instant(bucket);
    shared.integer(weight);
    shared.bigint(snapshot.slot);
    shared.instant(snapshot.sampledAt);
    const fields = shared.fields();
    const columns = this.table.cellsOf(snapshot, { ...ids, weight });
    const [leading = []] = columns;
    leading.forEach((id, row) => {
      this.ids.add(Number(id));
      this.#rows.raw(fields);
      columns.forEach((cells, index) => {
        this.#add(cells[row] ?? null, this.#types[index]);
      });
    });
  }

  finish(): Uint8Array {
    return this.#rows.finish();
  }

  #add(cell: Cell, type: ColumnType | undefined): void {
    const rows = this.#rows;
    if (cell === null) rows.nullField();
    else if (cell instanceof Rational) this.#decimal(cell);
    else if (typeof cell === 'object') rows.list('numeric', cell, (element) => this.#decimal(element));
    else if (type === 'integer') rows.integer(Number(cell));
    else if (type === 'bigint') rows.bigint(BigInt(cell));
    else if (type === 'text') rows.text(String(cell));
    else if (type === 'instant') rows.instant(new Date(cell));
    else rows.raw(this.#list(String(cell)));
  }

  #decimal(value: Rational): void {
    if (value.d === 1n || value.n === 0n) this.#rows.numeric(value.n, 0);
    else this.#rows.numeric(toStoredUnits(value), STORED_PLACES);
  }

  /** @param literal `{1,2}` */
  #list(literal: string): Uint8Array {
    const encoded = this.#encodedLists.get(literal);
    if (encoded !== undefined) return encoded;
    const list = new CopyRows(FEW_BYTES);
    const ids = literal === '{}' ? [] : literal.slice(1, -1).split(',');
    list.list('integer', ids, (id) => list.integer(Number(id)));
    this.#encodedLists.set(literal, list.fields());
    return list.fields();
  }
}
