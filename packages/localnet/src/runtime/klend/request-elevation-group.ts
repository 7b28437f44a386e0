import type { ElevationGroup } from '@sluice/protocol/klend/lending-market';
import { requestElevationGroup as layout } from '@sluice/protocol/klend/setup-instructions';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, anchorInstruction, ensure } from '../anchor.ts';
import { checkHasOne } from '../anchor-accounts.ts';
import {
  checkGroupCount,
  elevationGroupOf,
  recountInGroup,
  recountOutsideGroups,
} from './elevation-group.ts';
import { divSf } from './fraction.ts';
import { LENDING } from './lending-errors.ts';
import { checkNoEmergency, loadMarket } from './market.ts';
import { checkGroupOnlyCollateral, checkRefreshedWithDeposits } from './obligation-checks.ts';
import { type ObligationReserves, obligationReserves } from './obligation-reserves.ts';
import { ObligationState } from './obligation-state.ts';
import { refreshBorrows } from './refresh-borrows.ts';
import { refreshDeposits } from './refresh-deposits.ts';
import { remainingReserve } from './refreshed-reserve.ts';

/** Moves the obligation into an elevation group, or out of one with group 0. Leaves the obligation stale. */
export const requestElevationGroup = anchorInstruction(
  layout,
  22_000,
  ({ invocation, accounts, args, remaining }) => {
    const { clock } = invocation;
    const obligation = ObligationState.load(accounts.obligation);
    const market = loadMarket(accounts.lendingMarket);
    checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
    checkHasOne(obligation.data.owner, accounts.owner);
    checkNoEmergency(market);

    const reserves = obligationReserves(obligation, remaining);
    checkRefreshedWithDeposits(obligation, clock);
    const isOther = obligation.elevationGroup !== args.elevationGroup;
    ensure(isOther, LENDING.elevationGroupAlreadyActivated);
    const initialLtvSf = obligation.loanToValueSf;
    leaveGroup(obligation, elevationGroupOf(market, obligation.elevationGroup), reserves);
    const group = elevationGroupOf(market, args.elevationGroup);
    if (group !== null) checkGroupOpen(obligation, group);

    const terms = { market, clock, group };
    const borrows = refreshBorrows(obligation, terms, reserves.borrows, reserves.referrers);
    const deposits = refreshDeposits(obligation, terms, reserves.deposits, borrows.owed);
    const isHealthy = deposits.allowedDebtValueSf >= borrows.factoredValueSf;
    ensure(isHealthy, LENDING.unhealthyElevationGroupLtv);
    if (obligation.isMarkedForDeleveraging) {
      const ltvSf = divSf(borrows.factoredValueSf, deposits.valueSf);
      ensure(ltvSf <= initialLtvSf, LENDING.worseLtvBlocked);
    }
    obligation.elevationGroup = args.elevationGroup;
    obligation.borrowingDisabled = deposits.borrowingDisabled;
    obligation.lastUpdate.stale = true;
    checkLimits(obligation, group, reserves);
    obligation.save();
  },
);

/** Takes the obligation's debt out of the counters of the group that it leaves, or of those outside groups. */
function leaveGroup(obligation: ObligationState, group: ElevationGroup | null, accounts: ObligationReserves) {
  if (group === null) {
    for (const [i, borrow] of obligation.activeBorrows.entries()) {
      const reserve = remainingReserve(accounts.borrows[i], ANCHOR_ERRORS.accountNotMutable);
      recountOutsideGroups(reserve, borrow.outsideGroups, 0n);
      borrow.outsideGroups = 0n;
      reserve.save();
    }
    return;
  }
  for (const [i, deposit] of obligation.activeDeposits.entries()) {
    const reserve = remainingReserve(accounts.deposits[i], ANCHOR_ERRORS.accountNotMutable);
    ensure(reserve.address === deposit.reserve, LENDING.invalidAccountInput);
    recountInGroup(reserve, group.id, deposit.borrowedInGroup, 0n);
    deposit.borrowedInGroup = 0n;
    reserve.save();
  }
}

function checkGroupOpen({ activeDeposits }: ObligationState, group: ElevationGroup): void {
  const { allowNewLoans, debtReserve, maxReservesAsCollateral } = group;
  ensure(allowNewLoans !== 0, LENDING.elevationGroupNewLoansDisabled);
  ensure(debtReserve !== NO_ADDRESS, LENDING.elevationGroupWithoutDebtReserve);
  ensure(maxReservesAsCollateral > 0, LENDING.elevationGroupMaxCollateralReserveZero);
  checkGroupCount(group, activeDeposits.length);
}

/** The counters, which now hold the obligation's debt, must be within the limits of the reserves. */
function checkLimits(
  obligation: ObligationState,
  group: ElevationGroup | null,
  accounts: ObligationReserves,
): void {
  const readOnly = ANCHOR_ERRORS.accountNotMutable;
  if (group === null) {
    for (const account of accounts.borrows) {
      const { config, borrowedOutsideGroups } = remainingReserve(account, readOnly);
      const fits = borrowedOutsideGroups <= config.borrowLimitOutsideElevationGroup;
      ensure(fits, LENDING.elevationGroupBorrowLimitExceeded);
    }
  } else {
    const index = group.id - 1;
    for (const account of accounts.deposits) {
      const reserve = remainingReserve(account, readOnly);
      const limit = reserve.config.borrowLimitAgainstThisCollateralInElevationGroup[index] ?? 0n;
      const fits = (reserve.borrowedInGroups[index] ?? 0n) <= limit;
      ensure(fits, LENDING.elevationGroupBorrowLimitExceeded);
    }
  }
  if (obligation.activeBorrows.length > 0) checkGroupOnlyCollateral(obligation);
}
