import type { Address } from '@solana/kit';
import { viewOf } from '../layout/account.ts';
import { publicKey, u8 } from '../layout/codec.ts';
import { array, struct } from '../layout/struct.ts';

export const MAX_MULTISIG_SIGNERS = 11;

const layout = struct({
  required: u8,
  provided: u8,
  isInitialized: u8,
  signers: array(publicKey, MAX_MULTISIG_SIGNERS),
});

/** Nothing else that a token program owns has this length. */
export const MULTISIG_BYTES = layout.size;

/** An authority of which `required` of the signers must sign. */
export interface Multisig {
  readonly required: number;
  readonly isInitialized: boolean;
  readonly signers: readonly Address[];
}

/** The data must have MULTISIG_BYTES bytes. */
export function decodeMultisig(data: Uint8Array): Multisig {
  const { required, provided, isInitialized, signers } = layout.read(viewOf(data), 0);
  return { required, isInitialized: isInitialized === 1, signers: signers.slice(0, provided) };
}

export function encodeMultisig({ required, signers }: Omit<Multisig, 'isInitialized'>): Uint8Array {
  const data = new Uint8Array(layout.size);
  layout.write(viewOf(data), 0, { required, provided: signers.length, isInitialized: 1, signers });
  return data;
}
