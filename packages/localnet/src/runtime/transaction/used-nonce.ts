import { viewOf } from '@sluice/protocol/layout/account';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { RECENT_BLOCKHASHES_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  decodeNonceAccount,
  encodeNonceAccount,
  type NonceAccount,
} from '@sluice/protocol/system/nonce-account';
import { newestBlockhash } from '@sluice/protocol/sysvar/recent-blockhashes';
import { type Address, isSignerRole, isWritableRole } from '@solana/kit';
import type { AccountReader } from '../account-overlay.ts';
import { durableNonceOf } from '../system/durable-nonce.ts';

const ADVANCE_NONCE_ACCOUNT = 4;

export interface UsedNonce {
  readonly address: Address;
  /** The account's data once the nonce is used up. */
  readonly advanced: Uint8Array;
}

/** The nonce that a transaction uses instead of a recent blockhash; null when it uses none, or not the stored one. */
export function usedNonce(
  [first]: readonly EncodedInstruction[],
  lifetime: string,
  accounts: AccountReader,
): UsedNonce | null {
  const meta = first?.accounts[0];
  if (first === undefined || meta === undefined) return null;
  if (first.programAddress !== SYSTEM_PROGRAM || first.data.length < 4) return null;
  if (viewOf(first.data).getUint32(0, true) !== ADVANCE_NONCE_ACCOUNT) return null;
  if (!isWritableRole(meta.role)) return null;
  const account = accounts.get(meta.address);
  const newest = newestBlockhash(accounts.get(RECENT_BLOCKHASHES_SYSVAR)?.data ?? new Uint8Array(0));
  if (account === undefined || account.owner !== SYSTEM_PROGRAM || newest === null) return null;
  const nonce: NonceAccount | null = decodeNonceAccount(account.data) ?? null;
  const next = durableNonceOf(newest.blockhash);
  if (nonce === null || nonce.durableNonce !== lifetime || nonce.durableNonce === next) return null;
  const isAuthorised = first.accounts.some(
    ({ address, role }) => address === nonce.authority && isSignerRole(role),
  );
  if (!isAuthorised) return null;
  const { lamportsPerSignature } = newest;
  return {
    address: meta.address,
    advanced: encodeNonceAccount({ authority: nonce.authority, durableNonce: next, lamportsPerSignature }),
  };
}
