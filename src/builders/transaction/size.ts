import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { type Address, isSignerRole } from '@solana/kit';
import { BYTES_PER_TABLE, type ChosenTable } from './table-choice.ts';

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Version byte and the three counts of the header. */
const HEADER_BYTES = 4;
const BLOCKHASH_BYTES = 32;

/** The wire format encodes lengths with seven bits per byte. */
const lengthBytes = (length: number) => (length < 0x80 ? 1 : length < 0x4000 ? 2 : 3);
const listBytes = (length: number, itemBytes = 1) => lengthBytes(length) + length * itemBytes;

/** Upper bound of the compiled v0 transaction's size in bytes, signatures included. */
export function transactionSize(
  instructions: readonly EncodedInstruction[],
  feePayer: Address,
  tables: readonly ChosenTable[],
): number {
  const signers = new Set<Address>([feePayer]);
  let bytes = HEADER_BYTES + BLOCKHASH_BYTES + lengthBytes(instructions.length) + lengthBytes(tables.length);
  for (const { accounts, data } of instructions) {
    for (const { address, role } of accounts) if (isSignerRole(role)) signers.add(address);
    bytes += 1 + listBytes(accounts.length) + listBytes(data.length);
  }
  let referred = 0;
  for (const { entriesUsed } of tables) {
    referred += entriesUsed;
    // Writable and read-only entries are separate lists; neither is longer than all entries together.
    bytes += BYTES_PER_TABLE + entriesUsed + 2 * (lengthBytes(entriesUsed) - 1);
  }
  return (
    bytes +
    listBytes(signers.size, SIGNATURE_BYTES) +
    listBytes(accountsNamed(instructions, feePayer) - referred, ADDRESS_BYTES)
  );
}

/** Number of distinct accounts in a transaction, directly or through tables. */
export function accountsNamed(instructions: readonly EncodedInstruction[], feePayer: Address): number {
  const addresses = new Set<Address>([feePayer]);
  for (const { programAddress, accounts } of instructions) {
    addresses.add(programAddress);
    for (const { address } of accounts) addresses.add(address);
  }
  return addresses.size;
}
