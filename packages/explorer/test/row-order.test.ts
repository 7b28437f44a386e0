import { expect, it } from 'vitest';
import { sortedRows } from '../src/ui/row-order.ts';

interface Row {
  readonly name: string | null;
  readonly amount: string | null;
}

const row = (name: string | null, amount: string | null): Row => ({ name, amount });
const names = (rows: readonly Row[]) => rows.map(({ name }) => name);
const byAmount = { decimal: ({ amount }: Row) => amount };
const byName = { text: ({ name }: Row) => name };

it('sorts amounts that a float cannot tell apart', () => {
  const rows = [
    row('b', '9007199254740993'),
    row('a', '9007199254740992'),
    row('c', '9007199254740993.000000001'),
  ];
  expect(names(sortedRows(rows, byAmount, 'ascending'))).toEqual(['a', 'b', 'c']);
  expect(names(sortedRows(rows, byAmount, 'descending'))).toEqual(['c', 'b', 'a']);
});

it('sorts numbers by value and not by their digits', () => {
  const rows = [row('nine', '9'), row('ten', '10'), row('minus', '-11'), row('half', '0.5')];
  expect(names(sortedRows(rows, byAmount, 'ascending'))).toEqual(['minus', 'half', 'nine', 'ten']);
});

it('puts rows about which nothing is known last, in either direction', () => {
  const rows = [row('unknown', null), row('low', '1'), row('high', '2')];
  expect(names(sortedRows(rows, byAmount, 'ascending'))).toEqual(['low', 'high', 'unknown']);
  expect(names(sortedRows(rows, byAmount, 'descending'))).toEqual(['high', 'low', 'unknown']);
});

it('sorts text, and keeps the order of equal rows and the list that it was given', () => {
  const rows = [row('b', '1'), row('a', '2'), row('b', '3')];
  const sorted = sortedRows(rows, byName, 'ascending');
  expect(sorted.map(({ amount }) => amount)).toEqual(['2', '1', '3']);
  expect(names(rows)).toEqual(['b', 'a', 'b']);
});
