import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiKey } from './api-key.ts';
import type { KeyStore } from './key-store.ts';

const FILE = /^[0-9a-f]{16}\.json$/;
/** Accessible only to the gateway's own user. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * API keys without a database: a folder with one file per key, so that concurrent commands cannot overwrite
 * each other.
 */
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
    // Loaded lazily, so that a start without keys does not wait for the validation library.
    const { StoredKey } = await import('./stored-key.ts');
    const stored = StoredKey.parse(JSON.parse(await readFile(join(this.#path, name), 'utf8')));
    return {
      ...stored,
      hash: Buffer.from(stored.hash, 'hex'),
      createdAt: new Date(stored.createdAt),
      revokedAt: stored.revokedAt === null ? null : new Date(stored.revokedAt),
    };
  }

  /** Writes atomically, because a gateway may be reading at the same time. */
  async #write(key: ApiKey): Promise<void> {
    const file = join(this.#path, `${key.id}.json`);
    const text = JSON.stringify({ ...key, hash: key.hash.toString('hex') }, null, 2);
    await writeFile(`${file}.new`, `${text}\n`, { mode: PRIVATE_FILE });
    await rename(`${file}.new`, file);
  }
}

/** A missing folder contains no keys. */
function none(error: unknown): readonly string[] {
  if ((error as { code?: unknown }).code === 'ENOENT') return [];
  throw error;
}
