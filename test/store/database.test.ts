import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import type { Database } from '../../src/store/sql.ts';
import { databases, type OpenTestDatabase } from '../support/databases/test-databases.ts';

/** Deterministic digits. */
function* digits(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield Math.floor((state / 2_147_483_648) * 10);
  }
}

function randomDecimals(count: number): string[] {
  const source = digits(7);
  const take = (length: number) =>
    Array.from({ length }, () => source.next().value)
      .join('')
      .replace(/^0/, '1')
      .replace(/0$/, '1');
  return Array.from({ length: count }, (_, i) => `${i % 2 === 0 ? '' : '-'}${take(30)}.${take(30)}`);
}

describe.each(databases())('a database of $name', ({ open }) => {
  let server: OpenTestDatabase;
  let db: Database;

  beforeAll(async () => {
    server = await open();
    db = await openDatabase({ url: server.url, poolSize: 6, statementTimeoutMs: 20_000 });
    await db.run(
      'CREATE TABLE entry (id SERIAL PRIMARY KEY, word TEXT UNIQUE, amount DECIMAL, amounts DECIMAL[])',
    );
  });

  afterAll(async () => {
    await db?.close();
    await server?.close();
  });

  it('returns decimals digit by digit', async () => {
    const extremes = ['0', '1', '-1', `1${'0'.repeat(120)}`, `-0.${'0'.repeat(200)}1`, '0.1', '9'.repeat(60)];
    const amounts = [...randomDecimals(100), ...extremes];
    await db.run('INSERT INTO entry (amount) SELECT unnest($1::decimal[])', [amounts]);
    const rows = await db.rows('SELECT amount::text AS amount FROM entry ORDER BY id');
    expect(rows.map((row) => row.amount)).toEqual(amounts);
    const [one] = await db.rows('SELECT $1::decimal::text AS amount', [amounts[0] ?? '']);
    expect(one?.amount).toBe(amounts[0]);
    await db.run('TRUNCATE entry');
  });

  it('stores lists of decimals with nulls', async () => {
    const amounts = ['1.000000000000000000000000000001', null, '-3', '0.10'];
    await db.run('INSERT INTO entry (amounts) VALUES ($1::decimal[])', [amounts]);
    const rows = await db.rows('SELECT amounts::text[] AS amounts FROM entry');
    expect(rows).toEqual([{ amounts }]);
    await db.run('TRUNCATE entry');
  });

  it('takes text, integers, times, booleans and null, alone and in lists', async () => {
    const words = [
      'plain',
      'qu"ote',
      'back\\slash',
      'a,b',
      '{curly}',
      '',
      'NULL',
      ' space ',
      'żółw 🐢',
      null,
    ];
    const at = new Date('2026-11-15T01:02:03.004Z');
    const [row] = await db.rows(
      `SELECT $1::text[] AS words, $2::bigint AS big, $3::int[] AS ints, $4::timestamptz AS at,
              $5::timestamptz[] AS times, $6::boolean AS yes, $7::text AS nothing, $8::bigint[] AS bigs, $9::text[] AS none`,
      [words, 2n ** 62n, [1, null, -3], at, [at, null], true, null, [2n ** 62n], []],
    );
    expect(row).toEqual({
      words,
      big: 2n ** 62n,
      ints: [1, null, -3],
      at,
      times: [at, null],
      yes: true,
      nothing: null,
      bigs: [2n ** 62n],
      none: [],
    });
  });

  it('reads a time in any time zone as the same instant', async () => {
    const [row] = await db.rows(
      `SELECT '2026-06-01 12:00:00+02'::timestamptz AS at, current_setting('TimeZone') AS zone`,
    );
    expect(row).toEqual({ at: new Date('2026-06-01T10:00:00Z'), zone: 'UTC' });
  });

  it('returns the number of affected rows', async () => {
    expect(await db.run('INSERT INTO entry (word) SELECT unnest($1::text[])', [['a', 'b', 'c']])).toBe(3);
    expect(await db.run("DELETE FROM entry WHERE word <> 'a'")).toBe(2);
    expect(await db.run('TRUNCATE entry')).toBe(0);
  });

  it('rolls back a transaction that throws, and rethrows', async () => {
    const mine = new Error('mine');
    const failing = db.transaction(async (sql) => {
      await sql.run("INSERT INTO entry (word) VALUES ('undone')");
      throw mine;
    });
    await expect(failing).rejects.toBe(mine);
    expect(await db.rows('SELECT word FROM entry')).toEqual([]);
  });

  it('rolls back a transaction when one of its statements fails', async () => {
    const failing = db.transaction(async (sql) => {
      await sql.run("INSERT INTO entry (word) VALUES ('twice')");
      await sql.run("INSERT INTO entry (word) VALUES ('twice')");
    });
    await expect(failing).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await db.rows('SELECT word FROM entry')).toEqual([]);
  });

  it('runs many statements concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => db.rows('SELECT $1::int + 1 AS next, pg_sleep(0.01)::text', [i])),
    );
    expect(answers.map(([row]) => row?.next)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });

  it('isolates concurrent transactions with statements between them', async () => {
    await db.run("INSERT INTO entry (word, amount) VALUES ('counter', 0)");
    const add = () =>
      db.transaction(async (sql) => {
        const [row] = await sql.rows(
          "SELECT amount::text AS amount FROM entry WHERE word = 'counter' FOR UPDATE",
        );
        await sleep(5);
        return sql.run("UPDATE entry SET amount = $1::decimal WHERE word = 'counter'", [
          Number(row?.amount) + 1,
        ]);
      });
    const reads = Array.from({ length: 10 }, () => db.rows('SELECT count(*)::int AS count FROM entry'));
    const [written, read] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, add)),
      Promise.all(reads),
    ]);
    expect(written).toEqual([1, 1, 1, 1, 1]);
    expect(read.every(([row]) => row?.count === 1)).toBe(true);
    expect(await db.rows("SELECT amount::text AS amount FROM entry WHERE word = 'counter'")).toEqual([
      { amount: '5' },
    ]);
    await db.run('TRUNCATE entry');
  });
});
