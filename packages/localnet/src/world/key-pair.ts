import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { viewOf } from '@sluice/protocol/layout/account';
import { readAddress } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import { digest } from './prng.ts';

/** An ed25519 key pair. Derived from labels that everyone can read, so it protects nothing. */
export interface KeyPair {
  readonly address: Address;
  /** 64 bytes as in a Solana key file: the seed, then the public key. */
  readonly secretKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

/** Prefix of the 32 bytes of an ed25519 seed in its standard (PKCS #8) encoding. */
const SEED_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

export function labelledKeyPair(...labels: readonly (string | number)[]): KeyPair {
  const seed = digest(...labels);
  const key = createPrivateKey({ key: Buffer.concat([SEED_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  return {
    address: readAddress(viewOf(publicKey), 0),
    secretKey: Uint8Array.from(Buffer.concat([seed, publicKey])),
    sign: (message) => Uint8Array.from(sign(null, message, key)),
  };
}
