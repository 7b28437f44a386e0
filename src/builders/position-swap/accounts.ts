import type { StepContext } from '../action.ts';
import { type LoanAccounts, type LoanSide, loanAccounts } from '../leverage/accounts.ts';
import { type LendingPair, type PositionSwapRequest, refused } from '../leverage/request.ts';
import type { ReadAccounts } from '../read-accounts.ts';

/** All inputs of a swap of a debt or a deposit, before it. */
export interface PositionSwapAccounts extends LoanAccounts {
  readonly request: PositionSwapRequest;
  /** Side that is repaid, or withdrawn from. */
  readonly old: LoanSide;
  /** Side that is borrowed from, or deposited into. */
  readonly new: LoanSide;
}

/** The lending actions of a swap of a debt, and of one of a deposit: on the old reserve, then on the new one. */
export const DEBT_PAIR: LendingPair = ['repay', 'borrow'];
export const COLLATERAL_PAIR: LendingPair = ['withdraw', 'deposit'];

/** Decodes the accounts, and rejects a swap of the caller that would interfere with them. */
export function positionSwapAccounts(
  request: PositionSwapRequest,
  pair: LendingPair,
  read: ReadAccounts,
  at: StepContext,
): PositionSwapAccounts {
  const accounts = loanAccounts(request, pair, read, at);
  const [old, to] = accounts.sides;
  return { ...accounts, request, old, new: to };
}

/** Tags of obligations whose seeds name their collateral and their debt: Multiply and Leverage, also with a fixed rate. */
const SEEDED_WITH_BOTH: readonly bigint[] = [1n, 3n, 4n, 6n];
/** Tags of obligations whose seeds name their collateral. */
const SEEDED_WITH_COLLATERAL: readonly bigint[] = [...SEEDED_WITH_BOTH, 2n, 5n];

/** Refuses an obligation whose address stands for the position that would change. */
export function checkSeeds({ lending }: LoanAccounts, what: 'debt' | 'collateral'): void {
  const tag = lending.obligation?.tag ?? 0n;
  const seeded = what === 'debt' ? SEEDED_WITH_BOTH : SEEDED_WITH_COLLATERAL;
  if (!seeded.includes(tag)) return;
  const reason = `the address of the obligation is made from its ${what}, which therefore cannot be swapped inside it; close it and open another one, or use an obligation with the tag VANILLA`;
  throw refused(reason);
}
