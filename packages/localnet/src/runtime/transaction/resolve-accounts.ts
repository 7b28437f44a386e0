import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { UPGRADEABLE_LOADER } from '@sluice/protocol/loader/program-data';
import { AccountRole, type Address } from '@solana/kit';
import type { AccountReader } from '../account-overlay.ts';
import { lookUpAddresses } from './look-up-addresses.ts';
import type { TransactionMessage } from './parse-transaction.ts';
import { Refusal } from './refusal.ts';
import { RESERVED_ADDRESSES } from './reserved-addresses.ts';

const MAX_ACCOUNT_LOCKS = 64;

/** The accounts of a transaction and what it may do with them. */
export interface ResolvedAccounts {
  readonly addresses: readonly Address[];
  readonly loadedWritable: readonly Address[];
  readonly loadedReadonly: readonly Address[];
  readonly lookupTables: number;
  /** By index. */
  readonly isWritable: readonly boolean[];
  readonly instructions: readonly EncodedInstruction[];
}

export function resolveAccounts(
  message: TransactionMessage,
  accounts: AccountReader,
  slot: bigint,
): ResolvedAccounts {
  const { loadedWritable, loadedReadonly, lookupTables } = lookUpAddresses(message, accounts, slot);
  const addresses = [...message.staticAccounts, ...loadedWritable, ...loadedReadonly];
  if (addresses.length > MAX_ACCOUNT_LOCKS) throw new Refusal('TooManyAccountLocks');
  if (new Set(addresses).size < addresses.length) throw new Refusal('AccountLoadedTwice');
  const programs = new Set(
    message.instructions.flatMap(({ programAddressIndex }) => addresses[programAddressIndex] ?? []),
  );
  // Only the loader may write to a program that the transaction also runs.
  const mayWritePrograms = addresses.includes(UPGRADEABLE_LOADER);
  const isWritable = addresses.map(
    (address, i) =>
      isRequestedWritable(message, i, loadedWritable.length) &&
      !RESERVED_ADDRESSES.has(address) &&
      (mayWritePrograms || !programs.has(address)),
  );
  return {
    addresses,
    loadedWritable,
    loadedReadonly,
    lookupTables,
    isWritable,
    instructions: message.instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
      programAddress: at(addresses, programAddressIndex),
      accounts: accountIndices.map((index) => ({
        address: at(addresses, index),
        role: roleOf(index < message.header.numSignerAccounts, at(isWritable, index)),
      })),
      data: Uint8Array.from(data ?? []),
    })),
  };
}

/** Whether a message asks for write access to the account at an index. */
export function isRequestedWritable(
  { header, staticAccounts }: Pick<TransactionMessage, 'header' | 'staticAccounts'>,
  index: number,
  loadedWritable: number,
): boolean {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  if (index < numSignerAccounts) return index < numSignerAccounts - numReadonlySignerAccounts;
  if (index < staticAccounts.length) return index < staticAccounts.length - numReadonlyNonSignerAccounts;
  return index < staticAccounts.length + loadedWritable;
}

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

/** Indexes were checked when the message was parsed. */
function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`No account ${index}`);
  return item;
}
