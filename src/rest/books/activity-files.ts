import {
  type ActivityBatch,
  type ActivityExport,
  activityBatches,
  cursorAfter,
} from '../../services/history/activity/activity-batches.ts';
import { movementsOf } from '../../services/history/activity/movements.ts';
import type { Call } from '../operation/operation.ts';
import { TextStream } from '../operation/text-stream.ts';
import { ACTIVITY_COLUMNS, activityCells, activityRow, amountsOf, incompleteCells } from './activity-rows.ts';
import type { BookFormat } from './activity-schemas.ts';
import { taxRows } from './activity-tax-rows.ts';
import { type Symbols, symbolsOf } from './book-amounts.ts';
import { csvLine } from './csv.ts';
import { TAX_FORMATS } from './tax-formats.ts';

export interface FileRequest extends ActivityExport {
  /** Whether the file begins with the names of its columns. */
  readonly header: boolean;
}

/** Writes the parts of a file. */
interface FileWriter {
  readonly extension: 'csv' | 'jsonl';
  /** The first line; empty for none. */
  readonly head: string;
  batch(batch: ActivityBatch, symbols: Symbols): string;
  /** The last line of a file that lacks transactions. */
  incomplete(cursor: string, at: Date): string;
}

const SLUICE: FileWriter = {
  extension: 'csv',
  head: csvLine(ACTIVITY_COLUMNS),
  batch: ({ items }, symbols) =>
    items.map(({ item, cursor }) => csvLine(activityCells(item, cursor, symbols))).join(''),
  incomplete: (cursor) => csvLine(incompleteCells(cursor)),
};

const JSON_LINES: FileWriter = {
  extension: 'jsonl',
  head: '',
  batch: ({ items }, symbols) =>
    items.map(({ item, cursor }) => `${JSON.stringify(activityRow(item, cursor, symbols))}\n`).join(''),
  incomplete: (cursor) => `${JSON.stringify({ kind: 'INCOMPLETE', cursor })}\n`,
};

const taxWriter = (name: Exclude<BookFormat, 'sluice'>): FileWriter => {
  const { columns, cells } = TAX_FORMATS[name];
  return {
    extension: 'csv',
    head: csvLine(columns),
    batch({ items, session }, symbols) {
      let near = new Date(Number(session.view.moment.timestamp) * 1_000);
      return items
        .flatMap(({ item }) => {
          near = item.createdAt ?? near;
          return taxRows(session, item, near);
        })
        .map((row) => csvLine(cells(row, symbols)))
        .join('');
    },
    incomplete: (_, time) =>
      csvLine(
        cells(
          {
            time,
            kind: 'UNKNOWN',
            direction: 'in',
            amount: null,
            account: 'Unknown',
            description: 'INCOMPLETE: some transactions have not been read from the chain',
            signature: null,
          },
          new Map(),
        ),
      ),
  };
};

const WRITERS: Readonly<Record<BookFormat | 'jsonl', FileWriter>> = {
  sluice: SLUICE,
  koinly: taxWriter('koinly'),
  cointracking: taxWriter('cointracking'),
  jsonl: JSON_LINES,
};

/** A wallet's activity as a file that is written while it is sent. */
export async function activityFile(
  call: Call,
  format: BookFormat | 'jsonl',
  request: FileRequest,
  linkTo: (cursor: string) => string,
): Promise<TextStream> {
  const { platform, session } = call;
  const { limit } = request;
  const next = limit === undefined ? null : await cursorAfter(platform, session, { ...request, limit });
  const writer = WRITERS[format];
  return new TextStream(partsOf(call, writer, request), {
    'content-disposition': `attachment; filename="activity-${request.wallet}.${writer.extension}"`,
    ...(next === null ? {} : { link: `<${linkTo(next)}>; rel="next"` }),
  });
}

async function* partsOf(
  { platform, session, part }: Call,
  writer: FileWriter,
  request: FileRequest,
): AsyncGenerator<string, void> {
  let head = request.header ? writer.head : '';
  let cursor = request.cursor ?? '';
  for await (const batch of activityBatches(platform, session, part, request)) {
    const symbols = await symbolsOf(batch.session, amountsIn(batch));
    cursor = batch.items.at(-1)?.cursor ?? cursor;
    const last = batch.items.at(-1)?.item.createdAt;
    const isCut = batch.isLast && !batch.complete;
    const end = isCut ? writer.incomplete(cursor, last ?? viewDate(batch)) : '';
    yield `${head}${writer.batch(batch, symbols)}${end}`;
    head = '';
  }
}

const viewDate = ({ session }: ActivityBatch) => new Date(Number(session.view.moment.timestamp) * 1_000);

const amountsIn = ({ items, session }: ActivityBatch) =>
  items.flatMap(({ item }) => [
    ...amountsOf(item),
    ...movementsOf(session.view, item).map(({ amount }) => amount),
  ]);
