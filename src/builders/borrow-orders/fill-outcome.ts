import type { BorrowOrder } from '@sluice/protocol/klend/obligation';
import { toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { type FillHindrance, fillHindrance } from '../../domain/borrow-orders.ts';
import { borrowAtMost } from '../../domain/borrow-size.ts';
import type { Moment } from '../../domain/moment.ts';
import { changed } from '../changed-account.ts';
import { type LendingOutcome, lendingOutcome, lendingStart } from '../lending/preview.ts';
import { debtBefore, type FillAccounts } from './fill-accounts.ts';

/** The result of a fill under the program's rules, even if the program would reject it. */
export interface FillOutcome {
  /** As much of the order as is possible. */
  readonly borrow: LendingOutcome;
  /** Whether less than the order asks for is possible. */
  readonly isPart: boolean;
  /** The order afterwards; null when it is filled. */
  readonly rest: BorrowOrder | null;
  /** Why the program refuses the fill, if it does not refuse the borrow. */
  readonly hindrance: FillHindrance | null;
}

export function fillOutcome(accounts: FillAccounts, moment: Moment): FillOutcome {
  const { borrow: state, order, request } = accounts;
  const { before, refreshed } = lendingStart(state, moment);
  const priced = before.reserves(request.reserve);
  const { remainingDebtAmount: remaining } = order;
  const asked = borrowAtMost(refreshed, before.obligation.elevationGroup, priced, remaining);
  const borrow = lendingOutcome(state, asked, moment);
  const filled = borrow.effect.moved;
  const hindrance = fillHindrance({
    order,
    market: state.market,
    reserve: state.reserve,
    timestamp: moment.timestamp,
    filled,
    priceSf: priced?.priceUsd ? toScaledFraction(priced.priceUsd) : null,
    debt: debtBefore(accounts),
  });
  const rest = remaining - filled;
  return {
    borrow,
    isPart: asked === 'all',
    rest: rest > 0n ? changed(order, { remainingDebtAmount: rest }) : null,
    hindrance,
  };
}
