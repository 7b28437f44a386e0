import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiKey } from './api-key.ts';
import type { KeyStore } from './key-store.ts';

const FILE = /^[0-9a-f]{16}\.json$/;
/** Nobody but the gateway's own user. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** Keys without a database: a folder with a file for each, so that two commands at once cannot undo each other. */
export class KeyFolder implements KeyStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async all(): Promise<readonly ApiKey[]> {
    const names = await readdir(this.#path).catch(none);
    return await Promise.all(names.filter((name) => FILE.test(name)).map((name) => this.#read(name)));
  }

  async add(key: ApiKey): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: PRIVATE_FOLDER });
    await this.#write(key);
  }

  async revoke(id: string, now: Date): Promise<boolean> {
    const key = (await this.all()).find((each) => each.id === id);
    if (key === undefined || key.revokedAt !== null) return false;
    await this.#write({ ...key, revokedAt: now });
    return true;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #read(name: string): Promise<ApiKey> {
    // Not loaded where there are no keys: a start does not wait for it.
    const { StoredKey } = await import('./stored-key.ts');
    const stored = StoredKey.parse(JSON.parse(await readFile(join(this.#path, name), 'utf8')));
    return {
      ...stored,
      hash: Buffer.from(stored.hash, 'hex'),
      createdAt: new Date(stored.createdAt),
      revokedAt: stored.revokedAt === null ? null : new Date(stored.revokedAt),
    };
  }

  /** Whole or not at all: a gateway may read at the same time. */
  async #write(key: ApiKey): Promise<void> {
    const file = join(this.#path, `${key.id}.json`);
    const text = JSON.stringify({ ...key, hash: key.hash.toString('hex') }, null, 2);
    await writeFile(`${file}.new`, `${text}\n`, { mode: PRIVATE_FILE });
    await rename(`${file}.new`, file);
  }
}

/** A folder that nobody has made yet has no keys. */
function none(error: unknown): readonly string[] {
  if ((error as { code?: unknown }).code === 'ENOENT') return [];
  throw error;
}
