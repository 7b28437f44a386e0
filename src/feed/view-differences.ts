import type { Address } from '@solana/kit';
import { KINDS, type Kind, type WantedAccount } from '../chain/view/kinds.ts';
import type { View } from '../chain/view/view.ts';
import type { AccountUpdate, FailedAccount } from '../chain/view/view-update.ts';
import type { CodedError } from '../errors/sluice-error.ts';

/** A changed account with its bytes in the earlier View, null when it was not there. */
export interface ChangedAccount extends AccountUpdate {
  readonly base: Uint8Array | null;
}

export interface ViewDifferences {
  readonly accounts: readonly ChangedAccount[];
  readonly failed: readonly FailedAccount[];
  readonly removed: readonly WantedAccount[];
}

/** Differences between two Views of one process. Without an earlier View, everything that the later one holds. */
export function differences(earlier: View | null, later: View): ViewDifferences {
  const changes = KINDS.map((kind) => differencesOfKind(kind, earlier, later));
  return {
    accounts: changes.flatMap(({ accounts }) => accounts),
    failed: changes.flatMap(({ failed }) => failed),
    removed: changes.flatMap(({ removed }) => removed),
  };
}

function differencesOfKind(kind: Kind, earlier: View | null, later: View): ViewDifferences {
  const accounts: ChangedAccount[] = [];
  const failed: FailedAccount[] = [];
  const removed: WantedAccount[] = [];
  const before = earlier?.all(kind);
  const now = later.all(kind);
  // An account that has not changed is the same object in both Views.
  for (const [address, held] of before === now ? [] : now) {
    const known = before?.get(address);
    if (known === held) continue;
    const { owner, data, slot } = held;
    accounts.push({ kind, address, owner, data, slot, base: known?.data ?? null });
  }
  const failedBefore = earlier?.unreadable(kind);
  const failedNow = later.unreadable(kind);
  for (const [address, error] of failedNow) {
    const known = failedBefore?.get(address);
    if (known === undefined || !isSame(known, error)) failed.push({ kind, address, error });
  }
  const isGone = (address: Address) => !now.has(address) && !failedNow.has(address);
  for (const address of [...(before?.keys() ?? []), ...(failedBefore?.keys() ?? [])])
    if (isGone(address)) removed.push({ kind, address });
  return { accounts, failed, removed };
}

/** Every read of an undecodable account makes a new error. */
const isSame = (a: CodedError, b: CodedError) => a.code === b.code && a.message === b.message;
