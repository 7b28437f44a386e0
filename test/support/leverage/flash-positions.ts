import { flashBorrow, flashRepay } from '@sluice/protocol/klend/flash-instructions';
import { getCompiledTransactionMessageDecoder } from '@solana/kit';
import { decodeTransaction } from '../../../docs/signing/with-kit.ts';

const startsWith = (data: Uint8Array, discriminator: Uint8Array) =>
  discriminator.every((byte, i) => data[i] === byte);

/** The data of the instructions of a transaction, in order. */
export function instructionData(base64: string): Uint8Array[] {
  const { messageBytes } = decodeTransaction(base64);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version !== 0) throw new Error('not a transaction of version 0');
  return message.instructions.map(({ data }) => Uint8Array.from(data ?? []));
}

/** Where flash loans are taken in a list of instructions, and the position that each repayment names: its last byte. */
export function flashPositions(all: readonly Uint8Array[]) {
  const borrows: number[] = [];
  const named: number[] = [];
  all.forEach((data, index) => {
    if (startsWith(data, flashBorrow.discriminator)) borrows.push(index);
    if (startsWith(data, flashRepay.discriminator)) named.push(data.at(-1) ?? -1);
  });
  return { borrows, named };
}
