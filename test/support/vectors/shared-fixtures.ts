import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Address } from '@solana/kit';
import type { RawAccount } from '../../../src/programs/layout/account.ts';

/** Real accounts and transactions, stored outside the repository. Suites that need them report when they are absent. */
const folder = fileURLToPath(new URL('../../../../shared/fixtures/', import.meta.url));

export const haveRealAccounts = existsSync(`${folder}accounts`);
export const haveRealTransactions = existsSync(`${folder}transactions`);
export const ABSENT = haveRealAccounts ? '' : ' (skipped: the folder with real accounts is absent)';

interface AccountFile {
  readonly pubkey: Address;
  readonly account: { readonly owner: Address; readonly data: [string, 'base64']; readonly lamports: number };
}

/** All real accounts by address. */
export function realAccounts(): ReadonlyMap<
  Address,
  RawAccount & { readonly address: Address; readonly lamports: bigint }
> {
  const files = readdirSync(`${folder}accounts`).filter((file) => file.endsWith('.json'));
  return new Map(
    files.map((file) => {
      const { pubkey, account } = JSON.parse(
        readFileSync(`${folder}accounts/${file}`, 'utf8'),
      ) as AccountFile;
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
