import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkBudget } from '../../src/node/work-budget.ts';
import { CallerPool } from '../../src/store/caller-pool.ts';
import { type EndedStatement, openDatabase } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { Database } from '../../src/store/sql.ts';
import { databases, type OpenTestDatabase } from '../support/databases/test-databases.ts';

const KEY = {
  name: 'a key',
  hash: 'ab',
  costLimit: 7,
  origins: ['https://a.test'],
  createdAt: new Date('2026-11-15T01:02:03.004Z'),
};

describe.each(databases())('models of a database of $name', ({ open }) => {
  let server: OpenTestDatabase;
  let db: Database;
  const ended: EndedStatement[] = [];

  beforeAll(async () => {
    server = await open();
    await migrate(server.url);
    db = await openDatabase({
      url: server.url,
      poolSize: 6,
      statementTimeoutMs: 20_000,
      onStatement: (statement) => ended.push(statement),
    });
  });

  afterAll(async () => {
    await db?.close();
    await server?.close();
  });

  it('store what SQL reads, and read what SQL stores', async () => {
    await db.models.apiKey.create({ data: { ...KEY, id: 'stored' } });
    expect(
      await db.rows(
        `SELECT name, cost_limit, origins::text AS origins, date_part('epoch', created_at) * 1000 AS at, revoked_at
         FROM api_key WHERE id = 'stored'`,
      ),
    ).toEqual([
      {
        name: 'a key',
        cost_limit: 7,
        origins: '{https://a.test}',
        at: KEY.createdAt.getTime(),
        revoked_at: null,
      },
    ]);
    await db.run(
      `INSERT INTO recorder_lease (id, fence, holder, since) VALUES (9, $1::bigint, 'sql', '2026-11-15T03:02:03.004+02:00')`,
      [2n ** 62n + 1n],
    );
    expect(await db.models.recorderLease.findUnique({ where: { id: 9 } })).toEqual({
      id: 9,
      fence: 2n ** 62n + 1n,
      holder: 'sql',
      since: new Date('2026-11-15T01:02:03.004Z'),
    });
  });

  it('belong to the transaction that they are used in', async () => {
    const failed = db.transaction(async ({ models, rows }) => {
      await models.apiKey.create({ data: { ...KEY, id: 'rolled back' } });
      expect(await rows(`SELECT id FROM api_key WHERE id = 'rolled back'`)).toHaveLength(1);
      throw new RangeError('ours');
    });
    await expect(failed).rejects.toThrow(new RangeError('ours'));
    expect(await db.models.apiKey.findUnique({ where: { id: 'rolled back' } })).toBeNull();
  });

  it('fail with a coded error, and report each operation', async () => {
    await db.models.apiKey.create({ data: { ...KEY, id: 'twice' } });
    ended.length = 0;
    const again = db.models.apiKey.create({ data: { ...KEY, id: 'twice' } });
    await expect(again).rejects.toMatchObject({ code: 'INTERNAL' });
    await db.models.apiKey.findMany();
    expect(ended.map(({ text, outcome }) => [text, outcome])).toEqual([
      ['create ApiKey', 'INTERNAL'],
      ['findMany ApiKey', 'ok'],
    ]);
    const away = await openDatabase({
      url: 'postgresql://postgres@127.0.0.1:1/none',
      poolSize: 1,
      statementTimeoutMs: 1_000,
    });
    await expect(away.models.apiKey.findMany()).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' });
    await away.close();
  });

  it('let one of many concurrent compare-and-sets succeed', async () => {
    await db.models.apiKey.create({ data: { ...KEY, id: 'contended' } });
    const revocations = Array.from({ length: 12 }, (_, i) =>
      db.models.apiKey.updateMany({
        where: { id: 'contended', revokedAt: null },
        data: { revokedAt: new Date(KEY.createdAt.getTime() + i) },
      }),
    );
    const counts = (await Promise.all(revocations)).map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it('wait for the earlier statements of their caller', async () => {
    const request = new AbortController();
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const rows = () => gate.then(() => []);
    const caller = new CallerPool({ ...db, rows }).for(
      new WorkBudget({ caller: 'greedy', signal: request.signal }),
    );
    // Two statements take the places of the caller.
    const holding = [1, 2].map(() => caller.rows('SELECT 1'));
    ended.length = 0;
    const counted = caller.models.apiKey.count();
    const listed = caller.models.apiKey.findMany();
    expect(await db.models.subject.count()).toBe(0);
    expect(ended.map(({ text }) => text)).toEqual(['count Subject']);
    open();
    await Promise.all(holding);
    expect(await counted).toBeGreaterThan(0);
    expect((await listed).length).toBeGreaterThan(0);
    request.abort(new Error('too late'));
    await expect(async () => await caller.models.apiKey.count()).rejects.toThrow('too late');
  });
});
