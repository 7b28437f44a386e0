import { decodeLookupTable, usableLength } from '@sluice/protocol/lookup-table/lookup-table';
import type { Address } from '@solana/kit';
import { isCodedError } from '../../errors/sluice-error.ts';
import { decodedOnce, distinct, programAccount, type ReadAccounts } from '../read-accounts.ts';

/** A lookup table that transactions can use. */
export interface UsableTable {
  readonly address: Address;
  /** The full content, in order: transactions refer to it by index. */
  readonly addresses: readonly Address[];
  /** Length of the prefix that transactions may already refer to. */
  readonly usable: number;
}

/**
 * The candidates that exist and are active. Entries appended in the current slot or later cannot be used yet. Accounts
 * that are not tables are skipped, because a table only makes a transaction smaller.
 */
export function usableTables(
  candidates: Iterable<Address | null>,
  read: ReadAccounts,
  slot: bigint,
): UsableTable[] {
  const tables: UsableTable[] = [];
  for (const address of distinct(candidates)) {
    const table = tableAt(address, read);
    if (table === null || table.deactivationSlot !== null) continue;
    tables.push({ address, addresses: table.addresses, usable: usableLength(table, slot) });
  }
  return tables;
}

function tableAt(address: Address, read: ReadAccounts) {
  const account = programAccount(read, address);
  if (account === null) return null;
  try {
    return decodedOnce(account, decodeLookupTable, () => decodeLookupTable(account));
  } catch (error) {
    if (isCodedError(error)) return null;
    throw error;
  }
}
