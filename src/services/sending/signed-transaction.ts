import { createPublicKey, verify } from 'node:crypto';
import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getAddressEncoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { TRANSACTION_SIZE_LIMIT } from '../../builders/plan.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { SYSTEM_PROGRAM } from '../../programs/program-ids.ts';

/** A transaction that all of its signers have signed. */
export interface SignedTransaction {
  /** The first signature, which identifies the transaction, in base58. */
  readonly signature: string;
  /** The wire format in base64 with padding. */
  readonly base64: string;
  /** A recent blockhash, or the value of a durable nonce. */
  readonly blockhash: string;
  readonly usesNonce: boolean;
  /** The program of each instruction. */
  readonly programs: readonly Address[];
}

type Message = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Index of AdvanceNonceAccount among the instructions of the system program. */
const ADVANCE_NONCE = 4;

const transactionDecoder = getTransactionDecoder();
const messageDecoder = getCompiledTransactionMessageDecoder();
const addressEncoder = getAddressEncoder();
const base58 = getBase58Decoder();

/**
 * Decodes a transaction and checks its size and every signature, so that nothing is relayed that no cluster accepts.
 * @throws SluiceError TRANSACTION_TOO_LARGE, TRANSACTION_MALFORMED, TRANSACTION_UNSIGNED or TRANSACTION_SIGNATURE_INVALID
 */
export function signedTransaction(text: string): SignedTransaction {
  const bytes = bytesOf(text);
  const { message, messageBytes, signatures } = decoded(bytes);
  const unsigned = signatures.filter(([, signature]) => signature === null).map(([signer]) => signer);
  if (unsigned.length > 0) throw new SluiceError('TRANSACTION_UNSIGNED', { signers: unsigned });
  const wrong = signatures
    .filter(([signer, signature]) => signature !== null && !isSignedBy(signer, messageBytes, signature))
    .map(([signer]) => signer);
  if (wrong.length > 0) throw new SluiceError('TRANSACTION_SIGNATURE_INVALID', { signers: wrong });
  const first = signatures[0]?.[1] ?? null;
  if (first === null) throw malformed('it has no signature');
  const programs = message.instructions.map(({ programAddressIndex }) => {
    const program = message.staticAccounts[programAddressIndex];
    if (program === undefined) throw malformed(`it has no account ${programAddressIndex}`);
    return program;
  });
  return {
    signature: base58.decode(first),
    base64: bytes.toString('base64'),
    blockhash: message.lifetimeToken,
    usesNonce: programs[0] === SYSTEM_PROGRAM && isAdvanceNonce(message.instructions[0]?.data),
    programs,
  };
}

function bytesOf(text: string): Buffer {
  const compact = text.trim();
  if (compact === '') throw malformed('it is empty');
  if (!BASE64.test(compact) || compact.replace(/=+$/, '').length % 4 === 1)
    throw malformed('it is not valid base64');
  const bytes = Buffer.from(compact, 'base64');
  if (bytes.length <= TRANSACTION_SIZE_LIMIT) return bytes;
  throw new SluiceError('TRANSACTION_TOO_LARGE', {
    sizeBytes: bytes.length,
    sizeLimit: TRANSACTION_SIZE_LIMIT,
  });
}

interface Decoded {
  readonly message: Message;
  readonly messageBytes: Uint8Array;
  readonly signatures: readonly (readonly [Address, Uint8Array | null])[];
}

function decoded(bytes: Uint8Array): Decoded {
  let parts: ReturnType<typeof transactionDecoder.decode>;
  let message: CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;
  let end: number;
  try {
    parts = transactionDecoder.decode(bytes);
    [message, end] = messageDecoder.read(parts.messageBytes, 0);
  } catch {
    // The decoder's own message is about offsets and codecs.
    throw malformed('its bytes are not those of a transaction');
  }
  if (message.version !== 0 && message.version !== 'legacy')
    throw malformed(`its version ${message.version} is not supported`);
  if (end !== parts.messageBytes.length) throw malformed('there are bytes after its end');
  return {
    message,
    messageBytes: new Uint8Array(parts.messageBytes),
    signatures: Object.entries(parts.signatures).map(
      ([signer, signature]) => [signer as Address, signature] as const,
    ),
  };
}

function isSignedBy(signer: Address, message: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(addressEncoder.encode(signer)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
}

function isAdvanceNonce(data: { readonly [index: number]: number; readonly length: number } | undefined) {
  return (
    data !== undefined && data.length >= 4 && data[0] === ADVANCE_NONCE && !data[1] && !data[2] && !data[3]
  );
}

const malformed = (reason: string) => new SluiceError('TRANSACTION_MALFORMED', { reason });
