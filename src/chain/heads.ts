import { isOnlyRefreshed, RESERVE_HEAD_BYTES } from '../programs/klend/reserve-head.ts';
import { vaultState } from '../programs/kvault/vault-state.ts';
import type { Kind } from './kinds.ts';

/**
 * The first bytes of a kind of account, which change often or tell that the rest has changed. They start at offset 0, so that
 * the same slice contains the whole clock of the page.
 */
export interface Head {
  readonly bytes: number;
  /** Whether the bytes after the head are still those of the account before. */
  leavesRest(before: Uint8Array, head: Uint8Array): boolean;
}

/** Kinds of which the head is read more often than the account. */
export const HEADS: { readonly [K in Kind]?: Head } = {
  reserve: { bytes: RESERVE_HEAD_BYTES, leavesRest: isOnlyRefreshed },
  // Every action on a vault charges its fees first, which changes the time, the value or the fees in its head.
  vault: { bytes: vaultState.offsetOf('vaultAllocationStrategy'), leavesRest: () => false },
};

/** The account before with a new head; null when it has to be read whole. */
export function withHead(kind: Kind, before: Uint8Array, head: Uint8Array): Uint8Array | null {
  const known = HEADS[kind];
  if (known === undefined || head.length !== known.bytes || before.length < known.bytes) return null;
  if (Buffer.compare(before.subarray(0, head.length), head) === 0) return before;
  if (!known.leavesRest(before, head)) return null;
  const data = Uint8Array.from(before);
  data.set(head);
  return data;
}
