import type { ElevationGroup, LendingMarket } from '@sluice/protocol/klend/lending-market';
import { ensure } from '../anchor.ts';
import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import { checkGroupCount, collateralTerms, elevationGroupOf, isGroupMember } from './elevation-group.ts';
import { collateralToLiquiditySf, exchangeRateOf } from './exchange-rate.ts';
import { addSf, ceilSf, divSf, unsigned64 } from './fraction.ts';
import { isStale, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import { checkMinimumValue } from './obligation-checks.ts';
import { checkOrdersSupported } from './obligation-orders.ts';
import type { DepositState } from './obligation-slots.ts';
import type { ObligationState } from './obligation-state.ts';
import { marketValueSf } from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';

/** Whether the number of deposits in an elevation group counts now, or after a withdrawal by the same instruction. */
export type GroupCount = 'now' | 'afterWithdrawal';

/** Adds collateral tokens to an obligation, and leaves it and the reserve stale. */
export function depositCollateral(
  market: LendingMarket,
  reserve: ReserveState,
  obligation: ObligationState,
  clock: Clock,
  collateral: bigint,
  groupCount: GroupCount = 'now',
): void {
  ensure(collateral !== 0n, LENDING.invalidAmount);
  ensure(!isStale(reserve.lastUpdate, clock, PRICE_STATUS.none), LENDING.reserveStale);
  ensure(!isStale(obligation.lastUpdate, clock, PRICE_STATUS.none), LENDING.obligationStale);
  const isGroupOnly = reserve.config.disableUsageAsCollOutsideEmode > 0;
  const isRefused = isGroupOnly && !obligation.inGroup && obligation.factoredDebtValueSf > 0n;
  ensure(!isRefused, LENDING.depositDisabledOutsideElevationGroup);
  const isMember = !obligation.inGroup || isGroupMember(reserve, { id: obligation.elevationGroup });
  ensure(isMember, LENDING.inconsistentElevationGroup);
  const group = elevationGroupOf(market, obligation.elevationGroup);
  const { liquidationThresholdPct } = collateralTerms(reserve, group);
  const isMarked = liquidationThresholdPct === 0 && obligation.isMarkedForDeleveraging;
  ensure(!isMarked, LENDING.obligationCurrentlyMarkedForDeleveraging);

  const deposit = findOrOpenDeposit(obligation, reserve, group, groupCount);
  deposit.collateral = unsigned64(deposit.collateral + collateral);
  checkOrdersSupported(obligation);
  obligation.lastUpdate.stale = true;
  reserve.lastUpdate.stale = true;
  checkAfterDeposit(market, reserve, obligation, deposit, collateral);
}

function findOrOpenDeposit(
  obligation: ObligationState,
  reserve: ReserveState,
  group: ElevationGroup | null,
  groupCount: GroupCount,
): DepositState {
  const { deposits } = obligation;
  const known = deposits.find((each) => each?.reserve === reserve.address);
  if (known !== undefined && known !== null) return known;
  const free = deposits.indexOf(null);
  if (free < 0) throw customError(LENDING.obligationReserveLimit);
  const opened: DepositState = {
    reserve: reserve.address,
    collateral: 0n,
    valueSf: 0n,
    borrowedInGroup: group === null ? 0n : countInGroup(obligation, reserve, group, groupCount),
  };
  deposits[free] = opened;
  return opened;
}

/** Counts the obligation's debt against the limit of a new collateral. Returns that debt in base units, rounded up. */
function countInGroup(
  { activeBorrows, activeDeposits }: ObligationState,
  reserve: ReserveState,
  group: ElevationGroup,
  groupCount: GroupCount,
): bigint {
  const { id, debtReserve } = group;
  ensure(debtReserve !== reserve.address, LENDING.elevationGroupDebtReserveAsCollateral);
  if (groupCount === 'now') checkGroupCount(group, activeDeposits.length + 1);
  ensure(activeBorrows.length <= 1, LENDING.obligationElevationGroupMultipleDebtReserve);
  const debt = ceilSf(activeBorrows[0]?.amountSf ?? 0n);
  reserve.borrowedInGroups[id - 1] = unsigned64((reserve.borrowedInGroups[id - 1] ?? 0n) + debt);
  return debt;
}

/** The obligation still holds the values of its refresh. */
function checkAfterDeposit(
  market: LendingMarket,
  reserve: ReserveState,
  obligation: ObligationState,
  deposit: DepositState,
  collateral: bigint,
): void {
  const addedSf = marketValueSf(reserve, collateralToLiquiditySf(exchangeRateOf(reserve), collateral));
  const ltvSf = divSf(obligation.factoredDebtValueSf, addSf(obligation.depositedValueSf, addedSf));
  checkMinimumValue(market, addSf(deposit.valueSf, addedSf));
  const isWorse = obligation.depositedValueSf !== 0n && ltvSf > obligation.loanToValueSf;
  ensure(!isWorse, LENDING.worseLtvBlocked);
}
