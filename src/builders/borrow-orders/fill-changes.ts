import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { borrowOrderSlots, isExpiredOrder, rolloverOfOrder } from '../../domain/borrow-orders.ts';
import type { Moment } from '../../domain/moment.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import { changeLending, NO_BORROW_ORDER } from '../lending/changes.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { debtBefore, type FillAccounts } from './fill-accounts.ts';
import type { FillOutcome } from './fill-outcome.ts';

/** The accounts after a fill: those of a borrow, the order, and the rollover terms of a debt that it opens. */
export function fillChanges(
  accounts: FillAccounts,
  { borrow, rest }: FillOutcome,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const { borrow: state, order, request } = accounts;
  const changes = new ChangedAccounts(read, state.payer);
  const received = { amount: borrow.effect.moved, all: false, wrappedSol: null, instructions: [] };
  changeLending(changes, state, received, borrow, moment);
  const slots = borrowOrderSlots(borrow.before.obligation).map((each, i) => {
    if (i === request.index) return rest ?? NO_BORROW_ORDER;
    // The refresh removes orders whose time is over.
    return isExpiredOrder(each, moment.timestamp) ? NO_BORROW_ORDER : each;
  });
  const [headBorrowOrder, ...tailBorrowOrders] = slots;
  const rollover = debtBefore(accounts) === undefined ? rolloverOfOrder(order) : null;
  const borrows = borrow.effect.obligation.borrows.map(({ borrowReserve }) =>
    rollover !== null && borrowReserve === request.reserve ? { fixedTermBorrowRolloverConfig: rollover } : {},
  );
  changes.patch(request.obligation, obligationLayout, { headBorrowOrder, tailBorrowOrders, borrows });
  return changes.changes;
}
