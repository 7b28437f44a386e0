import type { LookupTable } from '../../../programs/lookup-table/lookup-table.ts';

/** Slots in the sysvar of slot hashes: for this long a deactivated table can still be used. */
const COOL_DOWN_SLOTS = 512n;

/** Whether a table can no longer be used, and can be closed. */
export function isDeactivated({ deactivationSlot }: LookupTable, slot: bigint): boolean {
  return deactivationSlot !== null && slot - deactivationSlot > COOL_DOWN_SLOTS;
}
