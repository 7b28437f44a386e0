import type { ElevationGroup } from '@sluice/protocol/klend/lending-market';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { ANCHOR_ERRORS, ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { LENDING } from './lending-errors.ts';
import type { BorrowState } from './obligation-slots.ts';
import type { ObligationState } from './obligation-state.ts';
import { remainingReserve } from './refreshed-reserve.ts';
import type { ReserveState } from './reserve-state.ts';

/**
 * Reserves count debt in base units: outside elevation groups in the reserve of the debt; in a group in the reserve of every
 * deposit, which are the accounts after the named ones, in the order of the deposits.
 */

/** Adds new debt to the counters and refuses it above their limits. */
export function countBorrow(
  obligation: ObligationState,
  { borrow, reserve }: { readonly borrow: BorrowState; readonly reserve: ReserveState },
  group: ElevationGroup | null,
  amount: bigint,
  depositReserves: readonly InstructionAccount[],
): void {
  if (group === null) {
    const total = reserve.borrowedOutsideGroups + amount;
    ensure(total <= U64_MAX, LENDING.mathOverflow);
    const fits = total <= reserve.config.borrowLimitOutsideElevationGroup;
    ensure(fits, LENDING.borrowLimitExceeded);
    reserve.borrowedOutsideGroups = total;
    borrow.outsideGroups += amount;
    return;
  }
  const index = group.id - 1;
  ensure(group.debtReserve === reserve.address, LENDING.elevationGroupHasAnotherDebtReserve);
  for (const [i, deposit] of obligation.activeDeposits.entries()) {
    const collateral = collateralReserve(depositReserves[i], deposit.reserve);
    const total = (collateral.borrowedInGroups[index] ?? 0n) + amount;
    const limit = collateral.config.borrowLimitAgainstThisCollateralInElevationGroup[index] ?? 0n;
    ensure(total <= limit, LENDING.elevationGroupBorrowLimitExceeded);
    collateral.borrowedInGroups[index] = total;
    deposit.borrowedInGroup += amount;
    collateral.save();
  }
}

/** Takes repaid debt out of the counters. */
export function countRepayment(
  obligation: ObligationState,
  borrow: BorrowState,
  reserve: ReserveState,
  amount: bigint,
  depositReserves: readonly InstructionAccount[],
): void {
  if (!obligation.inGroup) {
    reserve.borrowedOutsideGroups = lessened(reserve.borrowedOutsideGroups, amount);
    borrow.outsideGroups = lessened(borrow.outsideGroups, amount);
    return;
  }
  const index = obligation.elevationGroup - 1;
  for (const [i, deposit] of obligation.activeDeposits.entries()) {
    const collateral = collateralReserve(depositReserves[i], deposit.reserve);
    collateral.borrowedInGroups[index] = lessened(collateral.borrowedInGroups[index] ?? 0n, amount);
    deposit.borrowedInGroup = lessened(deposit.borrowedInGroup, amount);
    collateral.save();
  }
}

const lessened = (total: bigint, amount: bigint) => (total > amount ? total - amount : 0n);

function collateralReserve(account: InstructionAccount | undefined, expected: string): ReserveState {
  const isExpected = account === undefined || account.address === expected;
  ensure(isExpected, ANCHOR_ERRORS.requireKeysEqViolated);
  return remainingReserve(account, ANCHOR_ERRORS.accountNotMutable);
}
