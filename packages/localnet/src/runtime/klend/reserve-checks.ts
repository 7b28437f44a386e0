import { aborted, ensure } from '../anchor.ts';
import { balanceOf } from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { LENDING } from './lending-errors.ts';
import { RESERVE_VERSION } from './reserve-refresh.ts';
import type { ReserveState } from './reserve-state.ts';

const OBSOLETE = 1;

export const isObsolete = ({ config }: ReserveState) => config.status === OBSOLETE;

/** For actions that enter a position: a reserve that is obsolete or in emergency mode takes none. */
export function checkOpenForEntry(reserve: ReserveState): void {
  ensure(!isObsolete(reserve), LENDING.reserveObsolete);
  checkVersion(reserve);
  checkNoReserveEmergency(reserve);
}

/** For actions that leave a position: an obsolete reserve still lets go. */
export function checkOpenForExit(reserve: ReserveState): void {
  checkNoReserveEmergency(reserve);
  checkVersion(reserve);
}

export function checkNoReserveEmergency({ config }: ReserveState): void {
  ensure(config.emergencyMode === 0, LENDING.reserveEmergencyMode);
}

export function checkVersion({ data }: ReserveState): void {
  ensure(data.version === RESERVE_VERSION, LENDING.reserveDeprecated);
}

/** Refuses a wallet's account that is the reserve's own vault. */
export function checkNotVault(account: InstructionAccount, vault: string): void {
  ensure(account.address !== vault, LENDING.invalidAccountInput);
}

/**
 * Remembers the vault's balance before a transfer. The returned check compares it afterwards with the reserve's accounting;
 * `moved` is the amount that entered, negative for one that left.
 */
export function watchVault(vault: InstructionAccount, reserve: ReserveState): (moved: bigint) => void {
  const [balance, available] = [balanceOf(vault), reserve.available];
  return (moved) => {
    const [newBalance, newAvailable] = [balanceOf(vault), reserve.available];
    const [before, after] = [balance - available, newBalance - newAvailable];
    if (before < 0n || after < 0n) throw aborted();
    ensure(before === after, LENDING.reserveTokenBalanceMismatch);
    ensure(newBalance === balance + moved, LENDING.reserveVaultBalanceMismatch);
    ensure(newAvailable === available + moved, LENDING.reserveAccountingMismatch);
  };
}
