import type { LookupTable } from '@sluice/protocol/lookup-table/lookup-table';

/** Slots in the sysvar of slot hashes, which ends with the slot before the current one. */
const SLOT_HASHES = 512n;

/** Whether the slot is among the slot hashes. */
export function isRecentSlot(slot: bigint, currentSlot: bigint): boolean {
  return slot < currentSlot && slot >= currentSlot - SLOT_HASHES;
}

/** Whether a table can no longer be used, and can be closed: its last slot has left the slot hashes. */
export function isDeactivated({ deactivationSlot }: LookupTable, slot: bigint): boolean {
  return deactivationSlot !== null && deactivationSlot !== slot && !isRecentSlot(deactivationSlot, slot);
}
