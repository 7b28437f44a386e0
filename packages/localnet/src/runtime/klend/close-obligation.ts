import type { InstructionAccount } from '../instruction-account.ts';
import type { Invocation } from '../program.ts';
import type { ObligationState } from './obligation-state.ts';

/** The end of a withdrawal: an obligation without positions is closed, and its rent returned. Returns whether it was. */
export function closeIfEmpty(
  { log }: Invocation,
  { activeDeposits, activeBorrows }: ObligationState,
  accounts: { readonly obligation: InstructionAccount; readonly owner: InstructionAccount },
): boolean {
  if (activeDeposits.length > 0 || activeBorrows.length > 0) return false;
  log('Closing account');
  accounts.obligation.close(accounts.owner);
  return true;
}
