import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { lockDirectory } from '../../src/store/embedded/directory-lock.ts';
import type { EmbeddedDatabase } from '../../src/store/embedded/embedded-database.ts';
import { startTestPglite } from '../support/databases/test-databases.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-embedded-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

async function client(url: string): Promise<Client> {
  const connected = new Client({ connectionString: url });
  connected.on('error', () => {});
  await connected.connect();
  return connected;
}

describe('the embedded database', () => {
  let embedded: EmbeddedDatabase;

  beforeAll(async () => {
    embedded = await startTestPglite('memory://');
  });

  afterAll(async () => {
    await embedded.stop();
  });

  it('rejects connections without the password', async () => {
    const wrong = new URL(embedded.url);
    wrong.password = 'guess';
    await expect(client(wrong.href)).rejects.toMatchObject({ code: '28P01' });
  });

  it.each([
    ['four zero bytes', Buffer.alloc(4)],
    ['a length without a code', Buffer.from([0, 0, 0, 4, 0, 0, 0, 0])],
    ['a length of gigabytes', Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 3, 0, 0])],
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ])('closes a connection that sends %s, and serves the next', async (_, bytes) => {
    const socket = connect(Number(new URL(embedded.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(bytes);
    await once(socket, 'close');
    const next = await client(embedded.url);
    expect((await next.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await next.end();
  });

  it('uses little memory for buffers', async () => {
    const connected = await client(embedded.url);
    expect((await connected.query('SHOW shared_buffers')).rows).toEqual([{ shared_buffers: '16MB' }]);
    await connected.end();
  });

  it('declines encryption, so that a client that prefers it continues without', async () => {
    const asking = new Client({
      connectionString: embedded.url.replace('disable', 'require&uselibpqcompat=true'),
    });
    asking.on('error', () => {});
    await expect(asking.connect()).rejects.toThrow('does not support SSL');
  });

  it('rolls back the transaction of a client that disconnects, and serves the next', async () => {
    const first = await client(embedded.url);
    await first.query('CREATE TABLE kept (id INT)');
    await first.query('BEGIN');
    await first.query('INSERT INTO kept VALUES (1)');
    const second = await client(embedded.url);
    const waiting = second.query('SELECT * FROM kept');
    Reflect.get(first, 'connection').stream.destroy();
    expect((await waiting).rows).toEqual([]);
    await second.end();
  });

  it('lets a queued client disconnect', async () => {
    const holder = await client(embedded.url);
    await holder.query('BEGIN');
    const leaver = await client(embedded.url);
    const left = leaver.query('SELECT 1').catch(() => 'left');
    Reflect.get(leaver, 'connection').stream.destroy();
    expect(await left).toBe('left');
    await holder.query('COMMIT');
    await holder.end();
    const next = await client(embedded.url);
    expect((await next.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await next.end();
  });

  it('keeps a failed transaction open for its client until it is rolled back', async () => {
    const one = await client(embedded.url);
    await one.query('BEGIN');
    await expect(one.query('SELECT 1/0')).rejects.toMatchObject({ code: '22012' });
    await expect(one.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' });
    await one.query('ROLLBACK');
    expect((await one.query('SELECT $1::int AS one', [1])).rows).toEqual([{ one: 1 }]);
    await one.end();
  });

  it('sends and receives messages of megabytes', async () => {
    const db = await openDatabase({ url: embedded.url, poolSize: 2, statementTimeoutMs: 60_000 });
    const long = 'żółw'.repeat(1_000_000);
    const rows = await db.rows('SELECT $1::text AS long, length($1::text) AS length', [long]);
    expect(rows[0]?.length).toBe(4_000_000);
    expect(rows[0]?.long === long).toBe(true);
    await db.close();
  });

  it('answers with a coded error after it was stopped', async () => {
    const short = await startTestPglite('memory://');
    const db = await openDatabase({ url: short.url, poolSize: 2, statementTimeoutMs: 5_000 });
    expect(await db.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await short.stop();
    await expect(db.rows('SELECT 1')).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' });
    await db.close();
  });
});

describe('the directory of the embedded database', () => {
  it('is created, reused at the next start, and unlocked after a stop', async () => {
    const dataDir = join(directory, 'kept', 'deeper');
    const first = await startTestPglite(dataDir);
    const writing = await client(first.url);
    await writing.query('CREATE TABLE kept AS SELECT 42 AS answer');
    await writing.end();
    await first.stop();
    expect(existsSync(join(dataDir, 'pglite.lock'))).toBe(false);

    const second = await startTestPglite(dataDir);
    const reading = await client(second.url);
    expect((await reading.query('SELECT answer FROM kept')).rows).toEqual([{ answer: 42 }]);
    await reading.end();
    await second.stop();
  });

  it('is recreated when the first start was interrupted', async () => {
    const dataDir = join(directory, 'half');
    await mkdir(join(dataDir, 'pglite'), { recursive: true });
    await writeFile(join(dataDir, 'pglite', 'PG_VERSION'), '18\n');
    const embedded = await startTestPglite(dataDir);
    const reading = await client(embedded.url);
    expect((await reading.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await reading.end();
    await embedded.stop();
  });

  it('that cannot be opened is reported with what to do', async () => {
    const dataDir = join(directory, 'broken');
    await mkdir(join(dataDir, 'pglite'), { recursive: true });
    await writeFile(join(dataDir, 'pglite', 'sluice-ready'), '');
    await writeFile(join(dataDir, 'pglite', 'PG_VERSION'), '7\n');
    await expect(startTestPglite(dataDir)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      context: { variable: 'DATA_DIR', allowed: expect.stringContaining('cannot be opened') },
    });
    expect(existsSync(join(dataDir, 'pglite.lock'))).toBe(false);
  });
});

describe('the lock file', () => {
  it('names its process, and unlocks the directory', async () => {
    const file = join(directory, 'one.lock');
    const unlock = await lockDirectory(file);
    expect(Number.parseInt(await readFile(file, 'utf8'), 10)).toBe(process.pid);
    await unlock();
    expect(existsSync(file)).toBe(false);
  });

  it('rejects a second use in the same process', async () => {
    const file = join(directory, 'two.lock');
    const unlock = await lockDirectory(file);
    await expect(lockDirectory(file)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await unlock();
    await (await lockDirectory(file))();
  });

  it('of a live process is rejected with its id and what to do', async () => {
    const file = join(directory, 'live.lock');
    const script = `import('${new URL('../../src/store/embedded/directory-lock.ts', import.meta.url)}')
      .then((m) => m.lockDirectory(process.argv[1])).then(() => { console.log('locked'); setInterval(() => {}, 1000); })`;
    const other = spawn(process.execPath, ['--import', 'tsx', '-e', script, file], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((locked) => other.stdout.once('data', locked));
    await expect(lockDirectory(file)).rejects.toThrow(
      `DATA_DIR: process ${other.pid} uses this directory (${file}). Stop it, or set DATA_DIR to another directory.`,
    );
    other.kill('SIGKILL');
    await new Promise((gone) => other.once('close', gone));
    await (await lockDirectory(file))();
  });

  it.each([
    ['of a process that is gone', '4194304 1\n'],
    ['of a number that another process has by now', '1 999999999999\n'],
    ['of our own number from a past boot', `${process.pid} 1\n`],
    ['that is empty', ''],
  ])('%s is taken over', async (_, content) => {
    const file = join(directory, 'stale.lock');
    await writeFile(file, content);
    const unlock = await lockDirectory(file);
    expect(Number.parseInt(await readFile(file, 'utf8'), 10)).toBe(process.pid);
    await unlock();
  });
});
