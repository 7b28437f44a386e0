import { createPublicKey, verify } from 'node:crypto';
import { type Address, getAddressEncoder, getBase58Decoder } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { isAdvanceNonce, malformed, type WireTransaction, wireTransaction } from './wire-transaction.ts';

/** A transaction that all of its signers have signed. */
export interface SignedTransaction {
  /** The first signature, which identifies the transaction, in base58. */
  readonly signature: string;
  /** The wire format in base64 with padding. */
  readonly base64: string;
  /** A recent blockhash, or the value of a durable nonce. */
  readonly blockhash: string;
  readonly feePayer: Address;
  /** The durable nonce that is its lifetime; null when it has a recent blockhash. */
  readonly nonce: DurableNonce | null;
  /** The program of each instruction. */
  readonly programs: readonly Address[];
}

/** The account of a nonce, and the signer that uses it. */
interface DurableNonce {
  /** Null when a lookup table has it. */
  readonly account: Address | null;
  readonly authority: Address;
}

const addressEncoder = getAddressEncoder();
const base58 = getBase58Decoder();

/**
 * Decodes a transaction and checks its size and every signature, so that nothing is relayed that no cluster accepts.
 * @throws SluiceError TRANSACTION_TOO_LARGE, TRANSACTION_MALFORMED, TRANSACTION_UNSIGNED or TRANSACTION_SIGNATURE_INVALID
 */
export function signedTransaction(text: string): SignedTransaction {
  const { bytes, message, messageBytes, signatures } = wireTransaction(text);
  const unsigned = signatures.filter(([, signature]) => signature === null).map(([signer]) => signer);
  if (unsigned.length > 0) throw new SluiceError('TRANSACTION_UNSIGNED', { signers: unsigned });
  const wrong = signatures
    .filter(([signer, signature]) => signature !== null && !isSignedBy(signer, messageBytes, signature))
    .map(([signer]) => signer);
  if (wrong.length > 0) throw new SluiceError('TRANSACTION_SIGNATURE_INVALID', { signers: wrong });
  const [feePayer, first = null] = signatures[0] ?? [];
  if (feePayer === undefined || first === null) throw malformed('it has no signature');
  const programs = message.instructions.map(({ programAddressIndex }) => {
    const program = message.staticAccounts[programAddressIndex];
    if (program === undefined) throw malformed(`it has no account ${programAddressIndex}`);
    return program;
  });
  return {
    signature: base58.decode(first),
    base64: bytes.toString('base64'),
    blockhash: message.lifetimeToken,
    feePayer,
    nonce: nonceOf(message, programs[0], feePayer),
    programs,
  };
}

/**
 * Nobody can use a nonce without the signature of its authority. An authority that does not sign is no part of the identity
 * of the nonce here: transactions that name the nonce of somebody else would take its place.
 */
function nonceOf(
  { instructions, staticAccounts, header }: WireTransaction['message'],
  program: Address | undefined,
  feePayer: Address,
): DurableNonce | null {
  const [advance] = instructions;
  if (!isAdvanceNonce(program, advance?.data)) return null;
  const [account, , authority] = advance?.accountIndices ?? [];
  const signs = authority !== undefined && authority < header.numSignerAccounts;
  return {
    account: (account === undefined ? undefined : staticAccounts[account]) ?? null,
    authority: (signs ? staticAccounts[authority] : undefined) ?? feePayer,
  };
}

/** Whether a signature over a message is valid. */
export function isSignedBy(signer: Address, message: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(addressEncoder.encode(signer)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
}
