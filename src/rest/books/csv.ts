/** A text, quoted; or a number in plain notation; or nothing. */
export type Cell = string | { readonly number: string } | null;

/** Characters with which a spreadsheet begins a formula, also after a separator that an import may strip. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** A number of a cell. */
export const numeric = (value: string | null): Cell => (value === null ? null : { number: value });

/** One line by RFC 4180. A text that a spreadsheet would run as a formula begins with an apostrophe. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(written).join(',')}\r\n`;

function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return cell.number;
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return `"${safe.replaceAll('"', '""')}"`;
}
