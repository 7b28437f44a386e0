import { removeAllocation as layout } from '@sluice/protocol/kvault/curator-instructions';
import { anchorInstruction, ensure } from '../anchor.ts';
import { checkHasOne } from '../anchor-accounts.ts';
import { ReserveState } from '../klend/reserve-state.ts';
import { clearSlot, slotOf } from './allocation-slots.ts';
import { loadVault } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

/** Takes a reserve without weight and without collateral tokens out of the strategy. */
export const removeAllocation = anchorInstruction(layout, 8_000, ({ accounts }) => {
  const { vaultAdminAuthority, vaultState, reserve } = accounts;
  const vault = loadVault(vaultState);
  ReserveState.load(reserve);
  checkHasOne(vault.vaultAdminAuthority, vaultAdminAuthority);
  const index = slotOf(vault, reserve.address);
  const slot = vault.vaultAllocationStrategy[index];
  ensure(slot !== undefined, VAULT_CODES.reserveNotPartOfAllocations);
  ensure(
    slot.ctokenAllocation === 0n && slot.targetAllocationWeight === 0n,
    VAULT_CODES.reserveHasNonZeroAllocationOrCTokens,
  );
  clearSlot(vaultState, index);
});
