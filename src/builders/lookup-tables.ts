import type { Address } from '@solana/kit';
import { isSluiceError } from '../errors/sluice-error.ts';
import { decodeLookupTable } from '../programs/lookup-table/lookup-table.ts';
import { decodedOnce, distinct, programAccount, type ReadAccounts } from './read-accounts.ts';

/** A lookup table that transactions can use. */
export interface UsableTable {
  readonly address: Address;
  /** The whole content, in order: transactions refer to it by index. */
  readonly addresses: readonly Address[];
  /** How many of them, from the first on, transactions may refer to by now. */
  readonly usable: number;
}

/**
 * Those of the candidates that are there and not being closed. What was appended in the slot that was read, or later,
 * cannot be used yet; what is no table is passed over, since a table only makes a transaction smaller.
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
    const { addresses, lastExtendedSlot, lastExtendedStartIndex } = table;
    const usable = lastExtendedSlot < slot ? addresses.length : lastExtendedStartIndex;
    tables.push({ address, addresses, usable: Math.min(usable, addresses.length) });
  }
  return tables;
}

function tableAt(address: Address, read: ReadAccounts) {
  const account = programAccount(read, address);
  if (account === null) return null;
  try {
    return decodedOnce(account, decodeLookupTable, () => decodeLookupTable(account));
  } catch (error) {
    if (isSluiceError(error)) return null;
    throw error;
  }
}
