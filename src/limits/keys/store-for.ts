import { join } from 'node:path';
import { KeyDatabase } from './key-database.ts';
import { KeyFolder } from './key-folder.ts';
import type { KeyStore } from './key-store.ts';

export interface KeyPlace {
  readonly DATABASE_URL: string | null;
  readonly KEYS_DIR: string;
  readonly DATA_DIR: string;
}

/** Where the keys of a deployment are: in its database, otherwise in files. */
export function keyStoreFor({ DATABASE_URL, KEYS_DIR, DATA_DIR }: KeyPlace): KeyStore {
  if (DATABASE_URL !== null) return new KeyDatabase(DATABASE_URL);
  return new KeyFolder(KEYS_DIR === '' ? join(DATA_DIR, 'keys') : KEYS_DIR);
}
