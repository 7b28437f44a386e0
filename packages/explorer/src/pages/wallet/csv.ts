/** A column of a file: its header, and the exact text of a cell. Null leaves the cell empty. */
export interface CsvColumn<Row> {
  readonly header: string;
  readonly cell: (row: Row) => string | null | undefined;
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** A file as in RFC 4180: a header row, lines that end in CRLF, cells quoted where needed. */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ header }) => csvCell(header)),
    ...rows.map((row) => columns.map(({ cell }) => csvCell(cell(row) ?? ''))),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function csvCell(text: string): string {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Whether a spreadsheet would execute the cell. Names come from the chain, where anyone can write them. */
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text);
