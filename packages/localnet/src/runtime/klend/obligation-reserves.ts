import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { LENDING } from './lending-errors.ts';
import type { ObligationState } from './obligation-state.ts';

/** The accounts after the named ones of `refreshObligation` and `requestElevationGroup`. */
export interface ObligationReserves {
  readonly deposits: readonly InstructionAccount[];
  readonly borrows: readonly InstructionAccount[];
  /** One for each debt of an obligation with a referrer. */
  readonly referrers: readonly InstructionAccount[];
}

/** Splits the accounts, whose number must be exact. */
export function obligationReserves(
  obligation: ObligationState,
  remaining: readonly InstructionAccount[],
): ObligationReserves {
  const deposits = obligation.activeDeposits.length;
  const borrows = obligation.activeBorrows.length;
  const referrers = obligation.hasReferrer ? borrows : 0;
  const isExact = remaining.length === deposits + borrows + referrers;
  ensure(isExact, LENDING.invalidAccountInput);
  return {
    deposits: remaining.slice(0, deposits),
    borrows: remaining.slice(deposits, deposits + borrows),
    referrers: remaining.slice(deposits + borrows),
  };
}
