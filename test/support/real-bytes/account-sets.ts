import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Address } from '@solana/kit';
import { type DumpMoment, MOMENT_FILE } from '../../../src/cli/dump/write-dump.ts';
import type { FileMoment } from '../localnet/file-chain.ts';
import {
  haveRealAccounts,
  readAccountFiles,
  realAccounts,
  type StoredAccount,
} from '../vectors/shared-fixtures.ts';

/** Accounts of one chain and the moment at which to evaluate them. */
export interface AccountSet {
  readonly accounts: ReadonlyMap<Address, StoredAccount>;
  readonly moment: FileMoment;
}

/** The slot of the newest reserve among the real accounts, and its time. */
const REAL_MOMENT: FileMoment = { slot: 298_271_854n, timestamp: 1_730_163_600n };
/** Where a maintainer puts what `npm run dump` has written. */
const DUMPS = fileURLToPath(new URL('../../dumps/', import.meta.url));

/** The real accounts beside the repository; null when they are absent. */
export const REAL_SET: AccountSet | null = haveRealAccounts
  ? { accounts: realAccounts(), moment: REAL_MOMENT }
  : null;

/** Folders in `test/dumps`, by name. */
export const DUMP_FOLDERS: readonly string[] = existsSync(DUMPS)
  ? readdirSync(DUMPS).map((name) => join(DUMPS, name))
  : [];

/** Reads a folder that `npm run dump` has written. */
export function readDump(folder: string): AccountSet {
  const { slot, unixTimestamp } = JSON.parse(readFileSync(join(folder, MOMENT_FILE), 'utf8')) as DumpMoment;
  return {
    accounts: readAccountFiles(folder),
    moment: { slot: BigInt(slot), timestamp: BigInt(unixTimestamp) },
  };
}
