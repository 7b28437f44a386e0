import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { Address } from '@solana/kit';
import { addressFromBytes } from '../../programs/layout/base58.ts';
import { digest } from './prng.ts';

/** The key of a wallet of the embedded chain. Anyone can derive it from the world's seed: it protects nothing. */
export interface WalletKey {
  readonly address: Address;
  /** 64 bytes as in a Solana key file: the private seed, then the public key. */
  readonly secretKey: Uint8Array;
}

/** What precedes the seed in the PKCS #8 encoding of an ed25519 private key. */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_BYTES = 32;

export function walletKey(seed: string, label: string): WalletKey {
  const privateSeed = digest(seed, 'wallet-key', label);
  const key = Buffer.concat([PKCS8_HEADER, privateSeed]);
  const spki = createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' })).export({
    format: 'der',
    type: 'spki',
  });
  const publicKey = spki.subarray(-PUBLIC_KEY_BYTES);
  return {
    address: addressFromBytes(publicKey),
    secretKey: Uint8Array.from([...privateSeed, ...publicKey]),
  };
}
