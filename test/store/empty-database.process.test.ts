import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbeddedDatabase } from '../../src/store/embedded/embedded-database.ts';
import { emptyDatabase } from '../../src/store/embedded/empty-database.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-empty-'));
  // As after every install. It keeps an existing archive.
  await promisify(execFile)(process.execPath, ['scripts/empty-database.mjs'], { cwd: root });
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

it('is where the post-install script puts it, named after the installed PGlite', async () => {
  const file = (await emptyDatabase()) ?? '';
  const manifest = await readFile(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8');
  expect(basename(file)).toBe(`pglite-${(JSON.parse(manifest) as { version: string }).version}.tar`);
  expect((await stat(file)).size).toBeGreaterThan(1_000_000);
});

it('saves a first start the thread that creates a database, and reports when the directory is locked', async () => {
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  process.on('worker', count);
  let lockedBefore = -1;
  const template = await emptyDatabase();
  const onLocked = () => {
    lockedBefore = threads;
  };
  const database = await startEmbeddedDatabase(join(directory, 'data'), { template, onLocked });
  process.off('worker', count);
  try {
    // Creating one ends the first thread, and a second one serves.
    expect(threads).toBe(1);
    expect(lockedBefore).toBe(0);
    const client = new Client(database.url);
    await client.connect();
    const { rows } = await client.query(
      "SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'",
    );
    expect(rows).toEqual([{ tables: 0 }]);
    await client.end();
    const refused = startEmbeddedDatabase(join(directory, 'data'), {
      template,
      onLocked: () => expect.fail(),
    });
    await expect(refused).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  } finally {
    await database.stop();
  }
});
