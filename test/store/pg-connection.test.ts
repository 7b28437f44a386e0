import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CopyRows } from '../../src/store/copy-rows.ts';
import { openPgConnection, type PgConnection } from '../../src/store/pg-connection.ts';
import { databases, type OpenTestDatabase } from '../support/databases/test-databases.ts';

const COPY = 'COPY copied (id, number, instant, big, word, numbers, ids) FROM STDIN (FORMAT binary)';
const NUMBERS = [
  '0',
  '7',
  '-7',
  '9999',
  '10000',
  '-12345.6',
  '0.0001',
  '-0.00001',
  '120000000000000000',
  '0.000000000000000000000000000001',
  '123456789012345678901234567890.000000000000000000000000000009',
];

/** @param zeros additional places, which are not stored */
function addNumeric(rows: CopyRows, text: string, zeros: number): void {
  const places = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  rows.numeric(BigInt(text.replace('.', '')) * 10n ** BigInt(zeros), places + zeros);
}

function rowsOf(ids: readonly number[]): Uint8Array {
  const rows = new CopyRows(16);
  for (const id of ids) {
    rows.beginRow(7);
    rows.integer(id);
    addNumeric(rows, NUMBERS[id] ?? '0', 0);
    rows.instant(new Date('1999-12-31T23:59:59.250Z'));
    rows.bigint(-9_007_199_254_740_993n);
    rows.text('żółw\t"\\');
    rows.list('numeric', NUMBERS.slice(0, id), (number) => addNumeric(rows, number, 5));
    if (id === 0) rows.nullField();
    else rows.list('integer', [-1, 2_147_483_647], (number) => rows.integer(number));
  }
  return rows.finish();
}

describe.each(databases())('a connection on $name', ({ open }) => {
  let server: OpenTestDatabase;
  let connection: PgConnection;

  beforeAll(async () => {
    server = await open();
    connection = await openPgConnection({ url: server.url, statementTimeoutMs: 20_000 });
    await connection.run(`CREATE TABLE copied (id int PRIMARY KEY, number numeric NOT NULL, instant timestamptz(3),
      big bigint, word text, numbers numeric[], ids int[])`);
  });

  afterAll(async () => {
    await connection?.close();
    await server?.close();
  });

  const ids = async () => (await connection.rows('SELECT id FROM copied ORDER BY id')).map(({ id }) => id);

  it('returns rows and row counts, and takes lists', async () => {
    expect(await connection.rows('SELECT sum(n)::int AS sum FROM unnest($1::int[]) n', [[1, 2, 3]])).toEqual([
      { sum: 6 },
    ]);
    await connection.run('CREATE TABLE few AS SELECT generate_series(1, 3) AS n');
    expect(await connection.run('DELETE FROM few WHERE n > $1::int', [1])).toBe(2);
  });

  it('rolls back a transaction that throws, and rethrows', async () => {
    const mine = new Error('mine');
    const work = connection.transaction(async (sql) => {
      await sql.run('DELETE FROM few');
      throw mine;
    });
    await expect(work).rejects.toBe(mine);
    expect(await connection.rows('SELECT n FROM few')).toEqual([{ n: 1 }]);
  });

  it('maps server errors to codes, and stays usable', async () => {
    await expect(connection.rows('SELECT 1/0')).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await connection.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('copies rows with every digit, place and letter', async () => {
    await connection.copyIn(COPY, rowsOf([...NUMBERS.keys()]));
    const rows =
      await connection.rows(`SELECT number::text AS number, word, big::text AS big, ids::text AS ids,
      to_char(instant, 'YYYY-MM-DD HH24:MI:SS.MS') AS instant, numbers::text AS numbers FROM copied ORDER BY id`);
    expect(rows).toEqual(
      NUMBERS.map((number, id) => ({
        number,
        word: 'żółw\t"\\',
        big: '-9007199254740993',
        ids: id === 0 ? null : '{-1,2147483647}',
        instant: '1999-12-31 23:59:59.250',
        numbers: `{${NUMBERS.slice(0, id).join(',')}}`,
      })),
    );
  });

  it('copies all rows or none, within its transaction', async () => {
    const before = await ids();
    await expect(connection.copyIn(COPY, rowsOf([50, 51, 3]))).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(connection.copyIn('COPY nowhere FROM STDIN', rowsOf([50]))).rejects.toMatchObject({
      code: 'INTERNAL',
    });
    expect(await ids()).toEqual(before);
    const work = connection.transaction(async () => {
      await connection.copyIn(COPY, rowsOf([50]));
      expect(await ids()).toEqual([...before, 50]);
      throw new RangeError('undo');
    });
    await expect(work).rejects.toThrow('undo');
    expect(await ids()).toEqual(before);
  });

  it('reports an unreachable database as unavailable', async () => {
    const away = openPgConnection({
      url: 'postgresql://postgres@127.0.0.1:1/none',
      statementTimeoutMs: 1_000,
    });
    await expect(away).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' });
  });
});
