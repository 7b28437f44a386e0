import type { ElevationGroup, LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { ceilScaled, divideScaled, multiplyScaled, percentScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { isInGroup, NO_GROUP } from './elevation.ts';
import { activeBorrows, activeDeposits, positionReserves } from './obligation.ts';
import type { RefreshedObligation } from './refreshed-obligation.ts';
import { isInEmergency } from './reserve.ts';

/** Why the program rejects the move of an obligation to an elevation group. */
export type ElevationHindrance =
  | 'MARKET_EMERGENCY'
  | 'RESERVE_EMERGENCY'
  | 'NO_COLLATERAL'
  | 'GROUP_ACTIVE'
  | 'GROUP_UNKNOWN'
  | 'NEW_LOANS_DISABLED'
  | 'NO_DEBT_RESERVE'
  | 'NO_COLLATERAL_RESERVES'
  | 'TOO_MANY_DEPOSITS'
  | 'DEBT_NOT_IN_GROUP'
  | 'ANOTHER_DEBT_RESERVE'
  | 'SEVERAL_DEBTS'
  | 'DEPOSIT_NOT_IN_GROUP'
  | 'DEBT_RESERVE_AS_COLLATERAL'
  | 'COLLATERAL_TOO_LOW'
  | 'WORSE_LTV'
  | 'BORROW_LIMIT'
  | 'GROUP_ONLY_COLLATERAL';

/** A hindrance, and the reserve that causes it; null when none does. */
export interface HinderedBy {
  readonly hindrance: ElevationHindrance;
  readonly reserve: Address | null;
}

/** A requested move. */
export interface ElevationRequestState {
  readonly market: LendingMarket;
  /** Before the move. */
  readonly obligation: Obligation;
  /** The group to move to; 0 for none. */
  readonly group: number;
  readonly reserveAt: (address: Address) => Reserve | undefined;
  /** The obligation under its present terms and under those of the group; null when a price is unknown. */
  readonly before: RefreshedObligation | null;
  readonly after: RefreshedObligation | null;
}

/** Everything that hinders a move, in the order of the program's checks: the first is the one that it reports. */
export function elevationHindrances(state: ElevationRequestState): HinderedBy[] {
  const { market, obligation, group: number } = state;
  const found: HinderedBy[] = [];
  const hinder = (hindrance: ElevationHindrance, reserve: Address | null = null) =>
    void found.push({ hindrance, reserve });
  if (market.emergencyMode !== 0) hinder('MARKET_EMERGENCY');
  for (const address of new Set(positionReserves(obligation))) {
    const account = state.reserveAt(address);
    if (account !== undefined && isInEmergency(account)) hinder('RESERVE_EMERGENCY', address);
  }
  if (activeDeposits(obligation).length === 0 || state.before?.depositedSf === 0n) hinder('NO_COLLATERAL');
  if (obligation.elevationGroup === number) {
    hinder('GROUP_ACTIVE');
    return found;
  }
  const group = number === NO_GROUP ? null : usableGroup(market, number);
  if (group === undefined) {
    hinder('GROUP_UNKNOWN');
    return found;
  }
  if (group !== null) {
    found.push(...closedGroup(obligation, group), ...misfits(state, group));
  }
  return [...found, ...healthHindrances(state), ...limitHindrances(state, group)];
}

/** Undefined when the market does not define the group. */
function usableGroup(market: LendingMarket, number: number): ElevationGroup | undefined {
  const group = market.elevationGroups[number - 1];
  return group === undefined || group.ltvPct === 0 || group.liquidationThresholdPct === 0 ? undefined : group;
}

function closedGroup(obligation: Obligation, group: ElevationGroup): HinderedBy[] {
  const { allowNewLoans, debtReserve, maxReservesAsCollateral } = group;
  const found: ElevationHindrance[] = [];
  if (allowNewLoans === 0) found.push('NEW_LOANS_DISABLED');
  if (presentAddress(debtReserve) === null) found.push('NO_DEBT_RESERVE');
  if (maxReservesAsCollateral === 0) found.push('NO_COLLATERAL_RESERVES');
  else if (activeDeposits(obligation).length > maxReservesAsCollateral) found.push('TOO_MANY_DEPOSITS');
  return found.map((hindrance) => ({ hindrance, reserve: null }));
}

/** Positions that the group does not accept. */
function misfits(
  { obligation, reserveAt, group }: ElevationRequestState,
  terms: ElevationGroup,
): HinderedBy[] {
  const isMember = (address: Address) => {
    const account = reserveAt(address);
    return account !== undefined && isInGroup(account, group);
  };
  const borrows = activeBorrows(obligation);
  return [
    ...borrows.flatMap(({ borrowReserve: reserve }): HinderedBy[] => {
      if (!isMember(reserve)) return [{ hindrance: 'DEBT_NOT_IN_GROUP', reserve }];
      return reserve === terms.debtReserve ? [] : [{ hindrance: 'ANOTHER_DEBT_RESERVE', reserve }];
    }),
    ...(borrows.length > 1 ? [{ hindrance: 'SEVERAL_DEBTS', reserve: null } as const] : []),
    ...activeDeposits(obligation).flatMap(({ depositReserve: reserve }): HinderedBy[] => {
      if (!isMember(reserve)) return [{ hindrance: 'DEPOSIT_NOT_IN_GROUP', reserve }];
      return reserve === terms.debtReserve ? [{ hindrance: 'DEBT_RESERVE_AS_COLLATERAL', reserve }] : [];
    }),
  ];
}

/** Unknown without prices. */
function healthHindrances({ obligation, before, after }: ElevationRequestState): HinderedBy[] {
  if (before === null || after === null || after.depositedSf === 0n) return [];
  // Unlike a borrow, the move is not limited by the market's largest debt of an obligation.
  const allowedSf = after.deposits.reduce(
    (sum, { valueSf, ltvPct }) => sum + multiplyScaled(valueSf, percentScaled(ltvPct)),
    0n,
  );
  if (allowedSf < after.factoredSf) return [{ hindrance: 'COLLATERAL_TOO_LOW', reserve: null }];
  const isMarked = obligation.autodeleverageMarginCallStartedTimestamp !== 0n;
  const isWorse =
    divideScaled(after.factoredSf, after.depositedSf) > divideScaled(before.factoredSf, before.depositedSf);
  return isMarked && isWorse ? [{ hindrance: 'WORSE_LTV', reserve: null }] : [];
}

/** Limits of the reserves on the debt inside the group or outside groups, which the move adds to. */
function limitHindrances(state: ElevationRequestState, group: ElevationGroup | null): HinderedBy[] {
  const { obligation, reserveAt, after } = state;
  const owedIn = (address: Address) =>
    ceilScaled(after?.debts.find(({ reserve }) => reserve === address)?.amountSf ?? 0n);
  const borrows = activeBorrows(obligation);
  const isOver = (used: bigint, limit: bigint, reserve: Address): HinderedBy[] =>
    used > limit ? [{ hindrance: 'BORROW_LIMIT', reserve }] : [];
  if (group === null) {
    const over = borrows.flatMap(({ borrowReserve, borrowedAmountOutsideElevationGroups: counted }) => {
      const account = reserveAt(borrowReserve);
      if (account === undefined) return [];
      const others = atLeastZero(account.borrowedAmountOutsideElevationGroup - counted);
      const limit = account.config.borrowLimitOutsideElevationGroup;
      return isOver(others + owedIn(borrowReserve), limit, borrowReserve);
    });
    return [...over, ...groupOnly(state)];
  }
  const owed = borrows.reduce((sum, { borrowReserve }) => sum + owedIn(borrowReserve), 0n);
  const index = group.id - 1;
  return activeDeposits(obligation).flatMap(({ depositReserve }) => {
    const account = reserveAt(depositReserve);
    if (account === undefined) return [];
    const others = account.borrowedAmountsAgainstThisReserveInElevationGroups[index] ?? 0n;
    const limit = account.config.borrowLimitAgainstThisCollateralInElevationGroup[index] ?? 0n;
    return isOver(others + owed, limit, depositReserve);
  });
}

/** Deposits that back debts only inside a group. */
function groupOnly({ obligation, reserveAt }: ElevationRequestState): HinderedBy[] {
  if (activeBorrows(obligation).length === 0) return [];
  return activeDeposits(obligation)
    .filter(({ depositReserve }) => reserveAt(depositReserve)?.config.disableUsageAsCollOutsideEmode)
    .map(({ depositReserve }) => ({ hindrance: 'GROUP_ONLY_COLLATERAL', reserve: depositReserve }));
}
