import { createHash } from 'node:crypto';
import { addressBytes, addressFromBytes } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';

/** The nonce that follows from a block: nobody can know it before that block. */
export function durableNonceOf(blockhash: string): string {
  const hash = createHash('sha256')
    .update('DURABLE_NONCE')
    .update(addressBytes(blockhash as Address));
  return addressFromBytes(hash.digest());
}
