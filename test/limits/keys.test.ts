import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KEYS } from '../../src/cli/keys/arguments.ts';
import { runKeys } from '../../src/cli/keys/run.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import { isSecretOf, makeKey, parseKey } from '../../src/limits/keys/api-key.ts';
import { KeyRing } from '../../src/limits/keys/key-ring.ts';
import { keyStoreFor } from '../../src/limits/keys/key-store-for.ts';
import { postgres } from '../support/databases/test-databases.ts';

const FORM = /^sluice_[0-9a-f]{16}_[\w-]{43}$/;

interface Place {
  readonly config: Config;
  /** Everything stored, as text. */
  stored(): Promise<string>;
  close(): Promise<void>;
}

const folder = {
  name: 'a folder',
  async open(): Promise<Place> {
    const path = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
    return {
      config: loadConfig({ KEYS_DIR: join(path, 'keys') }),
      async stored() {
        const files = await readdir(join(path, 'keys'));
        return (await Promise.all(files.map((file) => readFile(join(path, 'keys', file), 'utf8')))).join(
          '\n',
        );
      },
      close: () => rm(path, { recursive: true }),
    };
  },
};

const tables = postgres().map((database) => ({
  name: database.name,
  async open(): Promise<Place> {
    const { url, close } = await database.open();
    const config = loadConfig({ DATABASE_URL: url });
    return {
      config,
      async stored() {
        const store = keyStoreFor(config);
        const keys = await store.all();
        await store.close();
        return JSON.stringify(keys.map((key) => ({ ...key, hash: key.hash.toString('hex') })));
      },
      close,
    };
  },
}));

describe.each([folder, ...tables])('keys in $name', ({ open }) => {
  let place: Place;
  beforeEach(async () => {
    place = await open();
  });
  afterEach(async () => {
    await place.close();
  });

  async function run(
    ...args: string[]
  ): Promise<{ readonly done: boolean; readonly lines: readonly string[] }> {
    const command = KEYS.read(args);
    if (command === null) throw new Error('Invalid arguments');
    const lines: string[] = [];
    return { done: await runKeys(place.config, command, (line) => lines.push(line)), lines };
  }

  it('are created, shown once, listed without their secret, and revoked', async () => {
    const origins = ['--origin', 'https://app.example', '--origin', 'http://localhost:3000'];
    const created = await run('create', '--name', 'Front end', '--limit', '6000', ...origins);
    const [text = '', advice] = created.lines;
    expect(text).toMatch(FORM);
    const { id = '', secret = '' } = parseKey(text) ?? {};
    expect(advice).toContain(
      `${id}  Front end: 6000 per minute, https://app.example http://localhost:3000, created `,
    );
    await run('create', '--name', 'Back end', '--limit', '0');

    const { lines } = await run('list');
    expect(lines).toHaveLength(2);
    expect(lines.join('\n')).toContain('Back end: no limit, any caller');
    expect(lines.join('\n')).not.toContain(secret);
    expect(await place.stored()).not.toContain(secret);

    expect(await run('revoke', id)).toEqual({ done: true, lines: [`Revoked ${id}.`] });
    expect((await run('revoke', id)).done).toBe(false);
    expect((await run('revoke', 'ffffffffffffffff')).done).toBe(false);
    expect((await run('list')).lines.find((line) => line.startsWith(id))).toContain(', revoked 2');
  });

  it('become valid on a running gateway, and invalid when revoked', async () => {
    const ring = new KeyRing(keyStoreFor(place.config), (failure) => {
      throw failure;
    });
    await ring.start(20);
    try {
      const [text = ''] = (await run('create', '--name', 'a', '--limit', '7')).lines;
      const { id = '' } = parseKey(text) ?? {};
      await vi.waitUntil(() => 'key' in ring.find(text), { timeout: 120_000 });
      expect(ring.find(text)).toMatchObject({ key: { name: 'a', limit: 7, origins: [] } });
      const another = text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
      expect(ring.find(another)).toEqual({ why: 'unknown' });
      await run('revoke', id);
      await vi.waitUntil(() => !('key' in ring.find(text)), { timeout: 120_000 });
      expect(ring.find(text)).toEqual({ why: 'revoked' });
    } finally {
      await ring.stop();
    }
  });
});

describe('a key', () => {
  it('is found by id and compared by hash', () => {
    const wish = { name: 'a', limit: 1, origins: [] };
    const { key, text } = makeKey(wish, new Date(0));
    const other = makeKey(wish, new Date(0));
    const { id, secret = '' } = parseKey(text) ?? {};
    expect(id).toBe(key.id);
    expect(isSecretOf(key, secret)).toBe(true);
    expect(isSecretOf(other.key, secret)).toBe(false);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(other.text).not.toBe(text);
    for (const wrong of ['', 'sluice_', text.slice(1), `${text}x`, text.toUpperCase(), `${text}\n`]) {
      expect(parseKey(wrong)).toBeUndefined();
    }
  });

  it('stays valid while the store is unavailable, and is unknown before the first load', async () => {
    const { key, text } = makeKey({ name: 'a', limit: 1, origins: [] }, new Date(0));
    let away = true;
    const failures: unknown[] = [];
    const store = {
      all: () => (away ? Promise.reject(new Error('away')) : Promise.resolve([key])),
      add: () => Promise.resolve(),
      revoke: () => Promise.resolve(false),
      close: () => Promise.resolve(),
    };
    const ring = new KeyRing(store, (failure) => failures.push(failure));
    await ring.load();
    expect(ring.find(text)).toEqual({ why: 'notLoaded' });
    away = false;
    await ring.load();
    expect(ring.find(text)).toEqual({ key });
    away = true;
    await ring.load();
    expect(ring.find(text)).toEqual({ key });
    expect(failures).toHaveLength(2);
    await ring.stop();
  });

  it('in a file is readable only by its owner, and unrelated files are ignored', async () => {
    const place = await folder.open();
    const command = KEYS.read(['create', '--name', 'a', '--limit', '1']);
    if (command === null) throw new Error('Invalid arguments');
    await runKeys(place.config, command, () => undefined);
    const { KEYS_DIR: path } = place.config;
    const [file = ''] = await readdir(path);
    expect((await stat(join(path, file))).mode & 0o777).toBe(0o600);
    await writeFile(join(path, 'README.txt'), 'not a key');
    expect(await keyStoreFor(place.config).all()).toHaveLength(1);
    await place.close();
  });
});

describe('KEYS.read', () => {
  it.each([
    [[]],
    [['create']],
    [['create', '--name', 'a']],
    [['create', '--name', '', '--limit', '1']],
    [['create', '--name', 'a', '--limit', '-1']],
    [['create', '--name', 'a', '--limit', '1', '--origin', 'app.example']],
    [['create', '--name', 'a', '--limit', '1', '--origin', 'https://app.example/path']],
    [['create', '--name', 'a<b>', '--limit', '1']],
    [['list', 'all']],
    [['revoke']],
    [['revoke', 'a', 'b']],
    [['list', '--unknown']],
  ])('%j make no sense', (args) => {
    expect(KEYS.read(args)).toBeNull();
  });
});
