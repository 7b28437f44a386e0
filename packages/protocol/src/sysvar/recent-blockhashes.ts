import type { Address } from '@solana/kit';
import { viewOf } from '../layout/account.ts';
import { publicKey, u64 } from '../layout/codec.ts';
import { struct } from '../layout/struct.ts';

const LENGTH_BYTES = u64.size;
const entry = struct({ blockhash: publicKey, lamportsPerSignature: u64 });

export interface RecentBlockhash {
  readonly blockhash: string;
  readonly lamportsPerSignature: bigint;
}

/** Null when the sysvar is missing or empty. */
export function newestBlockhash(data: Uint8Array): RecentBlockhash | null {
  if (data.length < LENGTH_BYTES + entry.size) return null;
  const view = viewOf(data);
  return u64.read(view, 0) === 0n ? null : entry.read(view, LENGTH_BYTES);
}

/** Newest first. */
export function encodeRecentBlockhashes(blockhashes: readonly RecentBlockhash[]): Uint8Array {
  const data = new Uint8Array(LENGTH_BYTES + blockhashes.length * entry.size);
  const view = viewOf(data);
  u64.write(view, 0, BigInt(blockhashes.length));
  blockhashes.forEach(({ blockhash, lamportsPerSignature }, i) => {
    entry.write(view, LENGTH_BYTES + i * entry.size, {
      blockhash: blockhash as Address,
      lamportsPerSignature,
    });
  });
  return data;
}
