import { join } from 'node:path';
import { KeyDatabase } from './key-database.ts';
import { KeyFolder } from './key-folder.ts';
import type { KeyStore } from './key-store.ts';

export interface KeyStoreSettings {
  readonly DATABASE_URL: string | null;
  readonly KEYS_DIR: string;
  readonly DATA_DIR: string;
}

/** The key store of a deployment: its database if it has one, otherwise files. */
export function keyStoreFor({ DATABASE_URL, KEYS_DIR, DATA_DIR }: KeyStoreSettings): KeyStore {
  if (DATABASE_URL !== null) return new KeyDatabase(DATABASE_URL);
  return new KeyFolder(KEYS_DIR === '' ? join(DATA_DIR, 'keys') : KEYS_DIR);
}
