import { type VaultState, vaultAllocation, vaultState } from '@sluice/protocol/kvault/vault-state';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { patch } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';

/** Position of the reserve in the strategy; -1 when the vault does not use it. */
export const slotOf = ({ vaultAllocationStrategy: slots }: VaultState, reserve: Address): number =>
  slots.findIndex((slot) => slot.reserve === reserve);

/** Writes fields of one slot and leaves the others. */
export function patchSlot(
  account: InstructionAccount,
  index: number,
  fields: StructInput<typeof vaultAllocation.fields>,
): void {
  const slots = Array.from({ length: index }, () => ({}));
  patch(account, vaultState, { vaultAllocationStrategy: [...slots, fields] });
}

/** Empties a slot: nothing in it but caps that do not limit. */
export function clearSlot(account: InstructionAccount, index: number): void {
  const data = new Uint8Array(account.data);
  const start = vaultState.offsetOf('vaultAllocationStrategy') + index * vaultAllocation.size;
  data.fill(0, start, start + vaultAllocation.size);
  account.write(data);
  patchSlot(account, index, { tokenAllocationCap: U64_MAX, ctokenAllocationCap: U64_MAX });
}

/** The first unused slot; -1 in a full strategy. */
export const freeSlotOf = (vault: VaultState): number => slotOf(vault, NO_ADDRESS);
