import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Address } from '@solana/kit';
import { debtTermKind } from '../../domain/debt-terms.ts';
import type { Moment } from '../../domain/moment.ts';
import { activeBorrows } from '../../domain/obligation.ts';
import { changed } from '../changed-account.ts';
import { type DebtTermFigures, debtTermFigures, type TermDebt } from '../debt-term-figures.ts';
import type { LendingSide } from './preview.ts';

/** Terms of the debt after a borrow, which starts its term anew. Null for a debt without an end. */
export function borrowTermFigures(
  market: LendingMarket,
  borrowReserve: Address,
  { before, after }: { readonly before: LendingSide; readonly after: LendingSide },
  moment: Moment,
): DebtTermFigures | null {
  const debt = debtOf(after, borrowReserve);
  if (debt === null || debtTermKind(debt.reserve.account.config) === 'OPEN_TERM') return null;
  const borrowed = changed(debt.debt, { lastBorrowedAtTimestamp: moment.timestamp });
  return debtTermFigures(market, debtOf(before, borrowReserve), { ...debt, debt: borrowed }, moment);
}

function debtOf({ obligation, reserve }: LendingSide, borrowReserve: Address): TermDebt | null {
  const debt = activeBorrows(obligation).find((each) => each.borrowReserve === borrowReserve);
  return debt === undefined ? null : { reserve, debt };
}
