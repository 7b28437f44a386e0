import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { openDatabase } from '../../src/store/database.ts';
import { DatabaseLease } from '../../src/store/leases/leadership.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { Database } from '../../src/store/sql.ts';
import { databases, type OpenTestDatabase, postgres } from '../support/databases/test-databases.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

async function folderOf(scripts: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-migrations-'));
  for (const [name, script] of Object.entries(scripts)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'migration.sql'), script);
  }
  await writeFile(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
  return pathToFileURL(`${folder}/`);
}

describe.each(databases())('migrations on $name', ({ open }) => {
  let server: OpenTestDatabase;
  let db: Database;
  const folders: URL[] = [];

  const folder = async (scripts: Readonly<Record<string, string>>) => {
    const made = await folderOf(scripts);
    folders.push(made);
    return made;
  };

  beforeAll(async () => {
    server = await open();
    db = await openDatabase({ url: server.url, poolSize: 2, statementTimeoutMs: 20_000 });
  });

  afterAll(async () => {
    for (const each of folders) await rm(each, { recursive: true });
    await db?.close();
    await server?.close();
  });

  it('are applied once and in order by three concurrent processes', async () => {
    const two = await folder({
      '2_second': 'ALTER TABLE a ADD b INT;',
      '1_first': '-- one; two\nCREATE TABLE a (a INT);',
    });
    const applied = await Promise.all([
      migrate(server.url, two),
      migrate(server.url, two),
      migrate(server.url, two),
    ]);
    expect(applied.flat().sort()).toEqual(['1_first', '2_second']);
    const rows = await db.rows(
      `SELECT migration_name AS name, applied_steps_count AS steps, finished_at >= started_at AS finished
       FROM _prisma_migrations ORDER BY started_at, migration_name`,
    );
    expect(rows).toEqual([
      { name: '1_first', steps: 1, finished: true },
      { name: '2_second', steps: 1, finished: true },
    ]);
  });

  it('that fail are rolled back', async () => {
    const broken = await folder({
      '1_first': '-- one; two\nCREATE TABLE a (a INT);',
      '2_second': 'ALTER TABLE a ADD b INT;',
      '3_third': 'CREATE TABLE half (a INT); SELECT 1/0;',
    });
    await expect(migrate(server.url, broken)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await db.rows("SELECT to_regclass('half')::text AS half")).toEqual([{ half: null }]);
    expect(await db.rows('SELECT 1 FROM _prisma_migrations')).toHaveLength(2);
  });

  it('with other line endings are the same migrations', async () => {
    const windows = await folder({
      '1_first': '-- one; two\r\nCREATE TABLE a (a INT);',
      '2_second': 'ALTER TABLE a ADD b INT;',
    });
    expect(await migrate(server.url, windows)).toEqual([]);
  });

  it('are rejected when the database has an unknown one', async () => {
    const older = await folder({ '1_first': '-- one; two\nCREATE TABLE a (a INT);' });
    await expect(migrate(server.url, older)).rejects.toMatchObject({
      code: 'HISTORY_SCHEMA_UNKNOWN',
      context: { migration: '2_second', reason: 'is not known to this version' },
    });
    expect(ERROR_CODES.HISTORY_SCHEMA_UNKNOWN.retryable).toBe(false);
  });

  it('are rejected when one was edited after it was applied', async () => {
    const edited = await folder({
      '1_first': 'CREATE TABLE a (a INT, c INT);',
      '2_second': 'ALTER TABLE a ADD b INT;',
    });
    await expect(migrate(server.url, edited)).rejects.toMatchObject({
      code: 'HISTORY_SCHEMA_UNKNOWN',
      context: { migration: '1_first' },
    });
  });
});

describe.each(databases())('a database of version 0.4 on $name', ({ open }) => {
  const NEWER = '20261116000000_scale_out';

  it('keeps its events and its fencing token when its keys change', async () => {
    const server = await open();
    const older = await folderOf({});
    const db = await openDatabase({ url: server.url, poolSize: 1, statementTimeoutMs: 20_000 });
    try {
      const names = await readdir(join(root, 'prisma/migrations'));
      for (const name of names.filter((each) => /^\d/.test(each) && each < NEWER))
        await cp(join(root, 'prisma/migrations', name), new URL(name, older), { recursive: true });
      expect(await migrate(server.url, older)).toHaveLength(5);
      await db.run(
        `INSERT INTO vault_event (signature, event_index, slot, block_time, kind, vault_id, wallet_id, shares, reserve_tokens)
         SELECT 'signature-' || n / 2, n % 2, n, now(), 'deposit', n % 7, n % 11, n, 0 FROM generate_series(1, 500) AS s(n)`,
      );
      await db.run(
        `INSERT INTO lending_event (signature, event_index, slot, block_time, kind, side, obligation_id, market_id,
           reserve_id, signer_id, collateral, fee)
         SELECT 'signature-' || n / 2, n % 2, n, now(), 'repay', 'debt', n % 7, 1, 2, 3, n, 0 FROM generate_series(1, 500) AS s(n)`,
      );
      await db.run(
        "INSERT INTO recorder_lease (id, fence, holder, since) VALUES (1, 41, 'version 0.4', now())",
      );
      const contents = () =>
        db.rows(`SELECT 'vault ' || (signature, event_index, slot, block_time, kind, vault_id, wallet_id, shares,
            reserve_tokens)::text AS line FROM vault_event
          UNION ALL SELECT 'lending ' || (signature, event_index, slot, block_time, kind, side, obligation_id, market_id,
            reserve_id, signer_id, collateral, fee)::text FROM lending_event ORDER BY line`);
      const before = await contents();
      expect(before).toHaveLength(1_000);
      expect((await migrate(server.url))[0]).toBe(NEWER);
      expect(await contents()).toEqual(before);
      expect(await new DatabaseLease({ db, holder: 'this version' }).tryLead()).toBe(42n);
    } finally {
      await db.close();
      await server.close();
      await rm(older, { recursive: true });
    }
  });
});

describe.each(postgres())("Prisma's own command on $name", ({ open }) => {
  let server: OpenTestDatabase;
  const prisma = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['node_modules/prisma/build/index.js', ...args], {
      cwd: root,
      env: {
        ...process.env,
        DATABASE_URL: server.url,
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
    );
  const diff = (from: string[]) =>
    prisma('migrate', 'diff', ...from, '--to-schema', 'prisma/schema.prisma', '--exit-code');

  beforeAll(async () => {
    server = await open();
  });

  afterAll(async () => {
    await server?.close();
  });

  it('lists pending migrations, and none once they are applied', async () => {
    expect((await prisma('migrate', 'status')).code).toBe(1);
    expect((await migrate(server.url)).length).toBeGreaterThan(0);
    const status = await prisma('migrate', 'status');
    expect(status.stdout).toContain('Database schema is up to date!');
    expect(status.code).toBe(0);
    expect((await prisma('migrate', 'deploy')).stdout).toContain('No pending migrations to apply.');
  });

  it('finds no difference between schema, migrations and database', async () => {
    expect(await diff(['--from-migrations', 'prisma/migrations'])).toMatchObject({ code: 0 });
    expect(await diff(['--from-config-datasource'])).toMatchObject({ code: 0 });
  });

  it('finds a difference when there is one', async () => {
    const db = await openDatabase({ url: server.url, poolSize: 1, statementTimeoutMs: 20_000 });
    await db.run('ALTER TABLE subject ADD stray INT');
    await db.close();
    const found = await diff(['--from-config-datasource']);
    expect(found.code).toBe(2);
    expect(found.stdout).toContain('stray');
  });

  it('needs its lock only when there is something to apply', async () => {
    const holder = new Client({ connectionString: server.url });
    await holder.connect();
    try {
      await holder.query('SELECT pg_advisory_lock(72707369)');
      expect(await migrate(server.url)).toEqual([]);
    } finally {
      await holder.end();
    }
  });

  it('applies migrations that ours then treats as applied', async () => {
    const fresh = await open();
    try {
      const deployed = await promisify(execFile)(
        process.execPath,
        ['node_modules/prisma/build/index.js', 'migrate', 'deploy'],
        { cwd: root, env: { ...process.env, DATABASE_URL: fresh.url, CHECKPOINT_DISABLE: '1' } },
      );
      expect(deployed.stdout).toContain('All migrations have been successfully applied.');
      expect(await migrate(fresh.url)).toEqual([]);
    } finally {
      await fresh.close();
    }
  });
});
