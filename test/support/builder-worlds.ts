import type { Address } from '@solana/kit';
import type { ReadAccount, ReadAccounts } from '../../src/builders/read-accounts.ts';

export const SLOT = 345_678_901n;

export interface GivenAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly lamports?: bigint;
}

/** A ledger of the given accounts and no others. */
export function accountsOf(given: Iterable<GivenAccount>): ReadAccounts {
  const accounts = new Map<Address, ReadAccount>();
  for (const { lamports = 1_000_000n, ...account } of given) {
    accounts.set(account.address, { ...account, lamports });
  }
  return (address) => accounts.get(address) ?? null;
}
