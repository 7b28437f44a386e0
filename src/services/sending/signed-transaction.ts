import { createPublicKey, verify } from 'node:crypto';
import { type Address, getAddressEncoder, getBase58Decoder } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { isAdvanceNonce, malformed, wireTransaction } from './wire-transaction.ts';

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
    usesNonce: isAdvanceNonce(programs[0], message.instructions[0]?.data),
    programs,
  };
}

/** Whether a signature over a message is valid. */
export function isSignedBy(signer: Address, message: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(addressEncoder.encode(signer)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
}
