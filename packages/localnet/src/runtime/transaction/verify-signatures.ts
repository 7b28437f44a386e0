import { createPublicKey, verify } from 'node:crypto';
import { addressBytes } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import type { ParsedTransaction } from './parse-transaction.ts';
import { Refusal } from './refusal.ts';

/** Prefix of the 32 bytes of an ed25519 key in its standard (SPKI) encoding. */
const KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export function verifySignatures({ message, messageBytes, signatures }: ParsedTransaction): void {
  const valid = signatures.every((signature, i) => {
    const signer = message.staticAccounts[i];
    return signer !== undefined && isSignedBy(signer, messageBytes, signature);
  });
  if (!valid) throw new Refusal('SignatureFailure');
}

function isSignedBy(signer: Address, message: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.concat([KEY_PREFIX, addressBytes(signer)]);
  return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}
