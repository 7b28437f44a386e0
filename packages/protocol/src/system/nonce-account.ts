import type { Address } from '@solana/kit';
import { viewOf } from '../layout/account.ts';
import { publicKey, u32, u64 } from '../layout/codec.ts';
import { struct } from '../layout/struct.ts';

const CURRENT_VERSION = 1;
const UNINITIALIZED = 0;
const INITIALIZED = 1;

const layout = struct({
  version: u32,
  state: u32,
  authority: publicKey,
  durableNonce: publicKey,
  lamportsPerSignature: u64,
});

export const NONCE_ACCOUNT_BYTES = layout.size;

/** A durable nonce, which a transaction can name in place of a recent blockhash. */
export interface NonceAccount {
  readonly authority: Address;
  /** In the text form of a blockhash. */
  readonly durableNonce: string;
  /** The fee when the nonce was stored. */
  readonly lamportsPerSignature: bigint;
}

/** Null for an account that was never initialised; undefined for data that is no nonce account. */
export function decodeNonceAccount(data: Uint8Array): NonceAccount | null | undefined {
  const raw = read(data);
  if (raw === null) return undefined;
  if (raw.state === UNINITIALIZED) return null;
  // A nonce in the first version's format can no longer be used.
  return raw.version === CURRENT_VERSION ? raw.nonce : undefined;
}

/** Null for an account that is not in the first version's format, or not initialised; undefined as above. */
export function decodeLegacyNonceAccount(data: Uint8Array): NonceAccount | null | undefined {
  const raw = read(data);
  if (raw === null) return undefined;
  return raw.version === CURRENT_VERSION || raw.state === UNINITIALIZED ? null : raw.nonce;
}

function read(data: Uint8Array) {
  if (data.length !== layout.size) return null;
  const { version, state, authority, durableNonce, lamportsPerSignature } = layout.read(viewOf(data), 0);
  const nonce: NonceAccount = { authority, durableNonce, lamportsPerSignature };
  return version > CURRENT_VERSION || state > INITIALIZED ? null : { version, state, nonce };
}

/** Null encodes an account that is not initialised. */
export function encodeNonceAccount(nonce: NonceAccount | null): Uint8Array {
  const data = new Uint8Array(layout.size);
  layout.write(viewOf(data), 0, {
    version: CURRENT_VERSION,
    state: nonce === null ? UNINITIALIZED : INITIALIZED,
    authority: nonce?.authority,
    durableNonce: nonce === null ? undefined : (nonce.durableNonce as Address),
    lamportsPerSignature: nonce?.lamportsPerSignature,
  });
  return data;
}
