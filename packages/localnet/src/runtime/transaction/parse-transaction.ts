import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
} from '@solana/kit';
import { Refusal } from './refusal.ts';

/** The largest transaction that fits into a network packet. */
const MAX_TRANSACTION_BYTES = 1_232;
const SIGNATURE_BYTES = 64;
/** An index into the accounts takes one byte. */
const MAX_ADDRESSES = 256;

const messageDecoder = getCompiledTransactionMessageDecoder();

/** A compiled message of a supported version. */
export type TransactionMessage = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime;

export interface ParsedTransaction {
  readonly wire: Uint8Array;
  /** In signer order; a missing one is 64 zero bytes. */
  readonly signatures: readonly Uint8Array[];
  /** Bytes that the signers sign. */
  readonly messageBytes: Uint8Array;
  readonly message: TransactionMessage;
}

/** Decodes the wire format and checks that the message is consistent in itself. */
export function parseTransaction(wire: Uint8Array): ParsedTransaction {
  if (wire.length > MAX_TRANSACTION_BYTES) throw new Refusal('SanitizeFailure');
  // One byte: a packet has room for 19 signatures.
  const count = wire[0] ?? 0;
  const start = 1 + count * SIGNATURE_BYTES;
  if (count === 0 || start >= wire.length) throw new Refusal('SanitizeFailure');
  const { message, end } = decodeMessage(wire, start);
  if (count !== message.header.numSignerAccounts || !isSane(message)) throw new Refusal('SanitizeFailure');
  return {
    wire: wire.slice(0, end),
    signatures: Array.from({ length: count }, (_, i) =>
      wire.slice(1 + i * SIGNATURE_BYTES, 1 + (i + 1) * SIGNATURE_BYTES),
    ),
    messageBytes: wire.slice(start, end),
    message,
  };
}

function decodeMessage(wire: Uint8Array, start: number): { message: TransactionMessage; end: number } {
  const [message, end] = read(wire, start);
  if (message.version !== 0 && message.version !== 'legacy') throw new Refusal('UnsupportedVersion');
  return { message, end };
}

function read(wire: Uint8Array, start: number): ReturnType<typeof messageDecoder.read> {
  try {
    return messageDecoder.read(wire, start);
  } catch {
    // The decoder throws errors of many kinds; all mean that the bytes are no message.
    throw new Refusal('SanitizeFailure');
  }
}

/** A payer who signs and pays, and indexes that exist. */
function isSane(message: TransactionMessage): boolean {
  const { header, staticAccounts, instructions } = message;
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  if (numReadonlySignerAccounts >= numSignerAccounts) return false;
  if (numSignerAccounts + numReadonlyNonSignerAccounts > staticAccounts.length) return false;
  const lookups = lookupsOf(message).map(
    ({ writableIndexes, readonlyIndexes }) => writableIndexes.length + readonlyIndexes.length,
  );
  if (lookups.includes(0)) return false;
  const total = lookups.reduce((sum, each) => sum + each, staticAccounts.length);
  if (total > MAX_ADDRESSES) return false;
  return instructions.every(
    ({ programAddressIndex, accountIndices = [] }) =>
      // The payer cannot be a program, and a program cannot come from a lookup table.
      programAddressIndex > 0 &&
      programAddressIndex < staticAccounts.length &&
      accountIndices.every((index) => index < total),
  );
}

export function lookupsOf(message: TransactionMessage) {
  return message.version === 0 ? (message.addressTableLookups ?? []) : [];
}
