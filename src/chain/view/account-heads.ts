import { reserve } from '@sluice/protocol/klend/reserve';
import { reserveConfig } from '@sluice/protocol/klend/reserve-config';
import { isOnlyRefreshed, RESERVE_HEAD_BYTES, RESERVE_SETTINGS } from '@sluice/protocol/klend/reserve-head';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import type { Slice } from '../accounts/account-page.ts';
import type { Kind } from './kinds.ts';

/**
 * The first bytes of a kind of account, which change often or tell that the rest has changed. They start at offset 0, so that
 * the same slice contains the whole clock of the page.
 */
export interface AccountHead {
  readonly bytes: number;
  /** Bytes that may have changed although `keepsRest` is true. Absent: none. */
  readonly settings?: Slice;
  /** Bytes that may change without a trace in the head, and are compared each time that vaults are read. */
  readonly untraced: Slice;
  /** Whether the bytes after the head are still those of the account before. */
  keepsRest(before: Uint8Array, head: Uint8Array): boolean;
}

/** From one field of a vault to another. */
function between(first: Parameters<typeof vaultState.offsetOf>[0], end: typeof first): Slice {
  const offset = vaultState.offsetOf(first);
  return { offset, length: vaultState.offsetOf(end) - offset };
}

/** Kinds of which the head is read more often than the account. */
export const ACCOUNT_HEADS: { readonly [K in Kind]?: AccountHead } = {
  reserve: {
    bytes: RESERVE_HEAD_BYTES,
    settings: RESERVE_SETTINGS,
    untraced: { offset: reserve.offsetOf('config'), length: reserveConfig.size },
    keepsRest: isOnlyRefreshed,
  },
  // Every action on a vault charges its fees first, which changes the time, the value or the fees in its head.
  vault: {
    bytes: vaultState.offsetOf('vaultAllocationStrategy'),
    untraced: between('minDepositAmount', 'padding3'),
    keepsRest: () => false,
  },
};

/** The account before with a new head; null when it has to be read whole. */
export function withAccountHead(kind: Kind, before: Uint8Array, head: Uint8Array): Uint8Array | null {
  const known = ACCOUNT_HEADS[kind];
  if (known === undefined || head.length !== known.bytes || before.length < known.bytes) return null;
  if (Buffer.compare(before.subarray(0, head.length), head) === 0) return before;
  if (!known.keepsRest(before, head)) return null;
  const data = Uint8Array.from(before);
  data.set(head);
  return data;
}
