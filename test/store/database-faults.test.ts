import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodedError, httpStatusOf, isCodedError, isRetryable } from '../../src/errors/sluice-error.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { Database } from '../../src/store/sql.ts';
import { databases, type OpenTestDatabase, postgres } from '../support/databases/test-databases.ts';

const SECRETS = /hunter2|127\.0\.0\.1|nobody|hidden_table/;

/** Everything that a log line of the error could contain. */
function shown(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const fields = JSON.stringify(error, Object.getOwnPropertyNames(error));
  return `${error.name} ${error.message} ${error.stack} ${fields} ${error.cause === undefined ? '' : shown(error.cause)}`;
}

async function failureOf(work: Promise<unknown>): Promise<CodedError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isCodedError(error)) throw new Error(`expected a coded error, got ${shown(error)}`);
  return error;
}

describe('a database that is down', () => {
  it('is a retryable error that reveals no secret', async () => {
    const url = 'postgresql://nobody:hunter2@127.0.0.1:9/hidden_table';
    const db = await openDatabase({ url, poolSize: 2, statementTimeoutMs: 1_000 });
    const failures = await Promise.all([
      failureOf(db.rows('SELECT * FROM hidden_table')),
      failureOf(db.run('DELETE FROM hidden_table')),
      failureOf(db.transaction((sql) => sql.rows('SELECT * FROM hidden_table'))),
      failureOf(migrate(url)),
    ]);
    for (const error of failures) {
      expect([error.code, httpStatusOf(error), isRetryable(error)]).toEqual([
        'HISTORY_UNAVAILABLE',
        500,
        true,
      ]);
      expect(shown(error)).not.toMatch(SECRETS);
    }
    await db.close();
  });

  it('is the same error when the server closes the connection', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const url = `postgresql://nobody:hunter2@127.0.0.1:${port}/hidden_table`;
    const db = await openDatabase({ url, poolSize: 2, statementTimeoutMs: 1_000 });
    const error = await failureOf(db.rows('SELECT 1'));
    expect(error.code).toBe('HISTORY_UNAVAILABLE');
    expect(shown(error)).not.toMatch(SECRETS);
    await db.close();
    server.close();
  });
});

describe.each(databases())('faults of $name', ({ open }) => {
  let server: OpenTestDatabase;
  let db: Database;

  beforeAll(async () => {
    server = await open();
    db = await openDatabase({ url: server.url, poolSize: 4, statementTimeoutMs: 20_000 });
  });

  afterAll(async () => {
    await db?.close();
    await server?.close();
  });

  it('an invalid statement is an internal error and not retryable', async () => {
    const error = await failureOf(db.rows('SELECT secret_column FROM pg_class'));
    expect([error.code, isRetryable(error)]).toEqual(['INTERNAL', false]);
    expect(error.message).not.toContain('secret_column');
    expect(String(error.cause)).toContain('42703');
  });

  it('works after an invalid statement', async () => {
    await failureOf(db.rows('SELECT 1/0'));
    expect(await db.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe.each(postgres())('connections to $name', ({ open }) => {
  let server: OpenTestDatabase;
  let db: Database;
  let other: Database;

  const killAll = () =>
    other.rows(
      'SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );

  /** Sessions other than that of `other`. */
  const sessions = async (where: string) => {
    const [row] = await other.rows(
      `SELECT count(*)::integer AS open FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${where}`,
    );
    return row?.open;
  };
  const untilSessions = async (count: number, where = 'true') => {
    while ((await sessions(where)) !== count) await sleep(5);
  };

  beforeAll(async () => {
    server = await open();
    db = await openDatabase({ url: server.url, poolSize: 3, statementTimeoutMs: 60_000 });
    other = await openDatabase({ url: server.url, poolSize: 1, statementTimeoutMs: 20_000 });
  });

  afterAll(async () => {
    await db?.close();
    await other?.close();
    await server?.close();
  });

  it('are replaced after the idle ones were cut', async () => {
    await Promise.all([1, 2, 3].map(() => db.rows('SELECT pg_sleep(0.05)::text')));
    await killAll();
    await untilSessions(0);
    // The server has notified the client by now; the pool learns of it when the event loop handles its sockets.
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    expect(await db.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('are replaced after they were cut in a statement and in a transaction', async () => {
    const statement = failureOf(db.rows('SELECT pg_sleep(60)::text'));
    const transaction = failureOf(db.transaction((sql) => sql.rows('SELECT pg_sleep(60)::text')));
    await untilSessions(2, "wait_event = 'PgSleep'");
    await killAll();
    expect((await statement).code).toBe('HISTORY_UNAVAILABLE');
    expect((await transaction).code).toBe('HISTORY_UNAVAILABLE');
    const again = await Promise.all([1, 2, 3, 4, 5].map(() => db.rows('SELECT 1 AS one')));
    expect(again).toEqual(Array.from({ length: 5 }, () => [{ one: 1 }]));
  });

  it('cancel a statement that takes too long', async () => {
    const hasty = await openDatabase({ url: server.url, poolSize: 1, statementTimeoutMs: 200 });
    const error = await failureOf(hasty.rows('SELECT pg_sleep(60)::text'));
    expect(error).toMatchObject({ code: 'HISTORY_UNAVAILABLE', context: { reason: '57014' } });
    expect(await hasty.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await hasty.close();
  });
});
