import { decodeLookupTable, type LookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { LOOKUP_TABLE_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccountReader } from '../account-overlay.ts';
import { isDeactivated } from '../lookup-table/deactivation.ts';
import { lookupsOf, type TransactionMessage } from './parse-transaction.ts';
import { Refusal } from './refusal.ts';

export interface LoadedAddresses {
  readonly loadedWritable: readonly Address[];
  readonly loadedReadonly: readonly Address[];
  readonly lookupTables: number;
}

/** The addresses that the message takes from lookup tables. */
export function lookUpAddresses(
  message: TransactionMessage,
  accounts: AccountReader,
  slot: bigint,
): LoadedAddresses {
  const lookups = lookupsOf(message).map((lookup) => {
    const entries = activeEntries(tableAt(accounts, lookup.lookupTableAddress, slot), slot);
    const entryAt = (index: number) => {
      const entry = entries[index];
      if (entry === undefined) throw new Refusal('InvalidAddressLookupTableIndex');
      return entry;
    };
    return {
      writable: lookup.writableIndexes.map(entryAt),
      readonly: lookup.readonlyIndexes.map(entryAt),
    };
  });
  return {
    loadedWritable: lookups.flatMap(({ writable }) => writable),
    loadedReadonly: lookups.flatMap(({ readonly }) => readonly),
    lookupTables: lookups.length,
  };
}

function tableAt(accounts: AccountReader, address: Address, slot: bigint): LookupTable {
  const account = accounts.get(address);
  if (account === undefined || account.lamports === 0n) throw new Refusal('AddressLookupTableNotFound');
  if (account.owner !== LOOKUP_TABLE_PROGRAM) throw new Refusal('InvalidAddressLookupTableOwner');
  const table = decoded(account);
  if (isDeactivated(table, slot)) throw new Refusal('AddressLookupTableNotFound');
  return table;
}

function decoded(account: Parameters<typeof decodeLookupTable>[0]): LookupTable {
  try {
    return decodeLookupTable(account);
  } catch {
    throw new Refusal('InvalidAddressLookupTableData');
  }
}

/** Entries added in this slot can only be used in the next one. */
function activeEntries(table: LookupTable, slot: bigint): readonly Address[] {
  return slot > table.lastExtendedSlot
    ? table.addresses
    : table.addresses.slice(0, table.lastExtendedStartIndex);
}
