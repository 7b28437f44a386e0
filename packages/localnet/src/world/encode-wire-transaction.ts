import { addressBytes } from '@sluice/protocol/layout/base58';
import type { CompiledTransactionMessage, CompiledTransactionMessageWithLifetime } from '@solana/kit';

type CompiledV0 = Extract<CompiledTransactionMessage, { version: 0 }> &
  CompiledTransactionMessageWithLifetime;

const VERSION_0 = 0x80;

/**
 * Encodes a signed version 0 transaction. The bytes equal those of the general encoder, which is slower
 * because of its big integers.
 */
export function encodeWireTransaction(signature: Uint8Array, message: CompiledV0): Uint8Array {
  const { header } = message;
  const parts: Uint8Array[] = [
    Uint8Array.of(1),
    signature,
    Uint8Array.of(
      VERSION_0,
      header.numSignerAccounts,
      header.numReadonlySignerAccounts,
      header.numReadonlyNonSignerAccounts,
    ),
    lengthOf(message.staticAccounts.length),
    ...message.staticAccounts.map(addressBytes),
    addressBytes(message.lifetimeToken as (typeof message.staticAccounts)[number]),
    lengthOf(message.instructions.length),
  ];
  for (const { programAddressIndex, accountIndices = [], data = new Uint8Array(0) } of message.instructions) {
    parts.push(Uint8Array.of(programAddressIndex), indexes(accountIndices));
    parts.push(lengthOf(data.length), Uint8Array.from(data));
  }
  const lookups = message.addressTableLookups ?? [];
  parts.push(lengthOf(lookups.length));
  for (const { lookupTableAddress, writableIndexes, readonlyIndexes } of lookups) {
    parts.push(addressBytes(lookupTableAddress), indexes(writableIndexes), indexes(readonlyIndexes));
  }
  return Uint8Array.from(Buffer.concat(parts));
}

function indexes(list: readonly number[]): Uint8Array {
  return Uint8Array.of(...lengthOf(list.length), ...list);
}

/** A compact-u16 length of up to 16,383. */
function lengthOf(length: number): Uint8Array {
  return length < 0x80 ? Uint8Array.of(length) : Uint8Array.of((length & 0x7f) | 0x80, length >> 7);
}
