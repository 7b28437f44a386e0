import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import {
  type AccountMeta,
  AccountRole,
  type Address,
  type AddressesByLookupTableAddress,
  appendTransactionMessageInstructions,
  type Blockhash,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  compileTransactionMessage,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getCompiledTransactionMessageEncoder,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
} from '@solana/kit';

type Compiled = Extract<CompiledTransactionMessage, { version: 0 }> & CompiledTransactionMessageWithLifetime;

/** A key pair that is the same in every run. */
export function signerOf(number: number): Promise<KeyPairSigner> {
  const bytes = new Uint8Array(32).fill(number & 0xff);
  bytes[0] = number >> 8;
  return createKeyPairSignerFromPrivateKeyBytes(bytes);
}

export interface WireOptions {
  readonly blockhash: string;
  /** The first one pays. */
  readonly signers: readonly KeyPairSigner[];
  readonly instructions: readonly EncodedInstruction[];
  readonly tables?: AddressesByLookupTableAddress;
  /** Changes the message before it is signed. */
  readonly edit?: (compiled: Compiled) => Compiled;
}

/** A signed transaction of version 0, in wire format. */
export async function signedWire(options: WireOptions): Promise<Uint8Array> {
  const compiled = compiledMessage(options);
  const edited = options.edit?.(compiled) ?? compiled;
  const message = Uint8Array.from(getCompiledTransactionMessageEncoder().encode(edited));
  const keys = new Map(options.signers.map((signer) => [signer.address, signer.keyPair.privateKey]));
  const count = edited.header.numSignerAccounts;
  const wire: Uint8Array[] = [Uint8Array.of(count)];
  for (let i = 0; i < count; i += 1) {
    const address = compiled.staticAccounts[i];
    const key = address === undefined ? undefined : keys.get(address);
    wire.push(key === undefined ? new Uint8Array(64) : await signBytes(key, message));
  }
  return Uint8Array.from(Buffer.concat([...wire, message]));
}

function compiledMessage({ blockhash, signers, instructions, tables = {} }: WireOptions): Compiled {
  const [payer] = signers;
  if (payer === undefined) throw new RangeError('A transaction has a payer');
  return compileTransactionMessage(
    pipe(
      createTransactionMessage({ version: 0 }),
      (draft) => setTransactionMessageFeePayer(payer.address, draft),
      (draft) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
          draft,
        ),
      (draft) => appendTransactionMessageInstructions(instructions, draft),
      (draft) => compressTransactionMessageUsingAddressLookupTables(draft, tables),
    ),
  );
}

/** An instruction from its parts; the data is hex, little-endian as on the wire. */
export function rawInstruction(
  programAddress: Address,
  data: string,
  accounts: readonly AccountMeta[] = [],
): EncodedInstruction {
  return { programAddress, accounts, data: Uint8Array.from(Buffer.from(data, 'hex')) };
}

export const writable = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE });
export const readonly = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY });
export const signing = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY_SIGNER });
export const paying = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE_SIGNER });

/** Little-endian hex of a u64. */
export function hex64(value: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes.toString('hex');
}
