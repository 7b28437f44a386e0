import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RawAccount } from '@sluice/protocol/layout/account';
import { type Address, isAddress } from '@solana/kit';

/**
 * Real accounts and transactions, stored outside the repository: beside it, or in the folder that REAL_FIXTURES names.
 * Suites that need them report when they are absent.
 */
const folder =
  process.env.REAL_FIXTURES === undefined
    ? fileURLToPath(new URL('../../../../shared/fixtures/', import.meta.url))
    : `${process.env.REAL_FIXTURES}/`;

export const haveRealAccounts = existsSync(`${folder}accounts`);
export const haveRealTransactions = existsSync(`${folder}transactions`);
export const ABSENT = haveRealAccounts ? '' : ' (skipped: the folder with real accounts is absent)';

interface AccountFile {
  readonly pubkey: Address;
  readonly account: { readonly owner: Address; readonly data: [string, 'base64']; readonly lamports: number };
}

export type StoredAccount = RawAccount & { readonly address: Address; readonly lamports: bigint };

export const haveAccounts2026 = existsSync(`${folder}accounts-2026-08`);

/** Accounts of August 2026 by address: a vault and reserves that it invests in. */
export const accounts2026 = () => readAccountFiles(`${folder}accounts-2026-08`);

/** All real accounts by address. */
export const realAccounts = () => readAccountFiles(`${folder}accounts`);

/** The accounts in the files of a folder, each of which is named after its address. */
export function readAccountFiles(path: string): ReadonlyMap<Address, StoredAccount> {
  const files = readdirSync(path).filter((file) => isAddress(file.replace(/\.json$/, '')));
  return new Map(
    files.map((file) => {
      const { pubkey, account } = JSON.parse(readFileSync(join(path, file), 'utf8')) as AccountFile;
      const data = Uint8Array.from(Buffer.from(account.data[0], 'base64'));
      return [pubkey, { address: pubkey, owner: account.owner, data, lamports: BigInt(account.lamports) }];
    }),
  );
}

export interface RealTransaction {
  readonly id: string;
  readonly wallet: Address;
  readonly transaction_base64: string;
  readonly lookupTable: Address;
  readonly decoded: {
    readonly bytes: number;
    readonly instructions: readonly {
      readonly programAddress: Address;
      readonly accounts: readonly { readonly address: Address; readonly role: string }[];
      readonly data: string;
    }[];
  };
}

export function realTransactions(): {
  readonly lookupTables: Readonly<Record<Address, readonly Address[]>>;
  readonly vectors: readonly RealTransaction[];
} {
  return JSON.parse(readFileSync(`${folder}transactions/vault-transactions.json`, 'utf8'));
}
