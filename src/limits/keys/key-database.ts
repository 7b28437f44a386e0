import { addKey, readKeys, revokeKey } from '../../store/keys/key-table.ts';
import { migrate } from '../../store/migrate.ts';
import type { Database } from '../../store/sql.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyStore } from './key-store.ts';

const STATEMENT_MS = 5_000;

/**
 * API keys in PostgreSQL, shared by any number of gateways. Connects and migrates the schema on first use.
 */
export class KeyDatabase implements KeyStore {
  readonly #url: string;
  #opened: Promise<Database> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async all(): Promise<readonly ApiKey[]> {
    const rows = await readKeys(await this.#open());
    return rows.map((row) => ({ ...row, hash: Buffer.from(row.hash, 'hex') }));
  }

  async add(key: ApiKey): Promise<void> {
    await addKey(await this.#open(), { ...key, hash: key.hash.toString('hex') });
  }

  async revoke(id: string, now: Date): Promise<boolean> {
    return await revokeKey(await this.#open(), id, now);
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.close();
  }

  #open(): Promise<Database> {
    this.#opened ??= open(this.#url).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

async function open(url: string): Promise<Database> {
  await migrate(url);
  const { openDatabase } = await import('../../store/database.ts');
  return await openDatabase({ url, poolSize: 1, statementTimeoutMs: STATEMENT_MS });
}
