import type { Base64EncodedBytes } from '@solana/kit';

/** A getProgramAccounts filter: the account holds these bytes at the offset. */
export const memcmp = (offset: number, bytes: Uint8Array) => ({
  memcmp: {
    offset: BigInt(offset),
    bytes: Buffer.from(bytes).toString('base64') as Base64EncodedBytes,
    encoding: 'base64' as const,
  },
});
