import { Decimal } from '@sluice/client';

/** Comparison of the rows of a column. Null is last in either direction: nothing is known about the row. */
export type SortKey<Row> =
  | { readonly decimal: (row: Row) => string | null | undefined }
  | { readonly text: (row: Row) => string | null | undefined };

export type Direction = 'ascending' | 'descending';

/** Sorts exactly: two amounts that a float could not tell apart have an order. Equal rows keep theirs. */
export function sortedRows<Row>(
  rows: readonly Row[],
  by: SortKey<Row>,
  direction: Direction,
): readonly Row[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return 'decimal' in by
    ? ordered(
        rows,
        (row) => decimalOf(by.decimal(row)),
        (a, b) => sign * a.compare(b),
      )
    : ordered(rows, by.text, (a, b) => sign * a.localeCompare(b));
}

const decimalOf = (value: string | null | undefined): Decimal | null =>
  value === null || value === undefined ? null : Decimal.of(value);

function ordered<Row, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key | null | undefined,
  compare: (a: Key, b: Key) => number,
): readonly Row[] {
  return rows
    .map((row) => ({ row, key: keyOf(row) ?? null }))
    .sort((a, b) =>
      a.key === null || b.key === null
        ? Number(a.key === null) - Number(b.key === null)
        : compare(a.key, b.key),
    )
    .map(({ row }) => row);
}
