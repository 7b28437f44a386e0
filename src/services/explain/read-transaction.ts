import { usableLength } from '@sluice/protocol/lookup-table/lookup-table';
import type { Address } from '@solana/kit';
import type { MessageAccount, MessageInstruction } from '../../builders/signing/named-instructions.ts';
import { readTable } from '../builds/lookup-tables.ts';
import type { Session } from '../request/session.ts';
import { isSignedBy } from '../sending/signed-transaction.ts';
import { malformed, type WireTransaction } from '../sending/wire-transaction.ts';

/** A transaction with the addresses of its lookup tables. */
export interface ReadTransaction {
  readonly signers: readonly { readonly address: Address; readonly hasSigned: boolean }[];
  readonly accounts: readonly MessageAccount[];
  readonly instructions: readonly MessageInstruction[];
  /** Tables that do not exist, are closed, or lack an entry that the message names. */
  readonly unreadableTables: readonly Address[];
}

/** Reads the lookup tables of a message and resolves its accounts. */
export async function readTransaction(session: Session, wire: WireTransaction): Promise<ReadTransaction> {
  const { message, messageBytes, signatures } = wire;
  const looked = await lookedUp(session, message);
  const accounts = [...staticAccounts(message), ...looked.accounts];
  const at = (index: number): MessageAccount => {
    const account = accounts[index];
    if (account === undefined) throw malformed(`it has no account ${index}`);
    return account;
  };
  return {
    signers: signatures.map(([address, signature]) => ({
      address,
      hasSigned: signature !== null && isSignedBy(address, messageBytes, signature),
    })),
    accounts,
    instructions: message.instructions.map(({ programAddressIndex, accountIndices = [], data }) => {
      const programAddress = message.staticAccounts[programAddressIndex];
      if (programAddress === undefined) throw malformed(`it has no account ${programAddressIndex}`);
      return { programAddress, accounts: accountIndices.map(at), data: Uint8Array.from(data ?? []) };
    }),
    unreadableTables: looked.unreadable,
  };
}

function staticAccounts({ header, staticAccounts: addresses }: WireTransaction['message']): MessageAccount[] {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  const writableSigners = numSignerAccounts - numReadonlySignerAccounts;
  const writableEnd = addresses.length - numReadonlyNonSignerAccounts;
  return addresses.map((address, i) => {
    const isSigner = i < numSignerAccounts;
    return {
      address,
      isSigner,
      isWritable: i < (isSigner ? writableSigners : writableEnd),
      lookupTable: null,
    };
  });
}

interface LookedUp {
  readonly accounts: MessageAccount[];
  readonly unreadable: Address[];
}

/** Writable accounts of all tables come first, then the read-only ones. */
async function lookedUp(session: Session, message: WireTransaction['message']): Promise<LookedUp> {
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  const tables = await Promise.all(
    lookups.map(async ({ lookupTableAddress }) => {
      const table = await readTable(session, lookupTableAddress);
      if (table === null) return [];
      // Entries that were appended in the slot of the read can be used in the next one.
      return table.value.addresses.slice(0, usableLength(table.value, table.slot + 1n));
    }),
  );
  const unreadable = new Set<Address>();
  const part = (isWritable: boolean) =>
    lookups.flatMap(({ lookupTableAddress: lookupTable, writableIndexes, readonlyIndexes }, i) =>
      (isWritable ? writableIndexes : readonlyIndexes).map((index): MessageAccount => {
        const address = tables[i]?.[index] ?? null;
        if (address === null) unreadable.add(lookupTable);
        return { address, isSigner: false, isWritable, lookupTable };
      }),
    );
  return { accounts: [...part(true), ...part(false)], unreadable: [...unreadable] };
}
