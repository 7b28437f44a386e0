import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { Address } from '@solana/kit';
import { debtTermEnd } from './debt-terms.ts';
import { isInGroup, NO_GROUP } from './elevation.ts';
import { activeBorrows, activeDeposits, positionReserves } from './obligation.ts';
import { isOrderSupported } from './obligation-orders.ts';
import { isInEmergency, reserveStatus } from './reserve.ts';

/** A state of market, reserve or obligation in which the program rejects an action of any size. */
export type ActionBlock =
  | 'MARKET_EMERGENCY'
  | 'RESERVE_EMERGENCY'
  | 'RESERVE_OBSOLETE'
  | 'RESERVE_UNKNOWN'
  | 'POSITION_OBSOLETE'
  | 'POSITION_EMERGENCY'
  | 'BORROWING_DISABLED'
  | 'DEBT_MATURED'
  | 'DEBT_TERM_ENDED'
  | 'DELEVERAGING'
  | 'GROUP_INVALID'
  | 'GROUP_RESERVE'
  | 'GROUP_CLOSED'
  | 'GROUP_COLLATERAL_COUNT'
  | 'GROUP_ONLY_COLLATERAL'
  | 'ORDERS';

/** The accounts of an action, before it. */
export interface ActionState {
  readonly market: LendingMarket;
  readonly obligation: Obligation;
  /** The reserve acted on. */
  readonly address: Address;
  readonly reserve: Reserve;
  /** Undefined when the reserve could not be read. */
  readonly reserveAt: (address: Address) => Reserve | undefined;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** Why the program rejects any borrow from a reserve, whoever borrows; null when it does not. */
export function lendingBlock(market: LendingMarket, reserve: Reserve, timestamp: bigint): ActionBlock | null {
  const { debtMaturityTimestamp } = reserve.config;
  const supply = supplyBlock(market, reserve);
  if (supply !== null) return supply;
  if (market.borrowDisabled !== 0) return 'BORROWING_DISABLED';
  return debtMaturityTimestamp !== 0n && timestamp >= debtMaturityTimestamp ? 'DEBT_MATURED' : null;
}

/** Why the program rejects any deposit into a reserve, whoever deposits; null when it does not. */
export function supplyBlock(market: LendingMarket, reserve: Reserve): ActionBlock | null {
  if (market.emergencyMode !== 0) return 'MARKET_EMERGENCY';
  if (reserveStatus(reserve) === 'OBSOLETE') return 'RESERVE_OBSOLETE';
  return isInEmergency(reserve) ? 'RESERVE_EMERGENCY' : null;
}

/**
 * Why the program rejects any withdrawal from a reserve or repayment to it, whoever acts; null when it does not.
 *
 * @param hasFarm whether the reserve has a farm on that side. Updating the stake fails in an obsolete reserve.
 */
export function redemptionBlock(
  market: LendingMarket,
  reserve: Reserve,
  hasFarm: boolean,
): ActionBlock | null {
  if (market.emergencyMode !== 0) return 'MARKET_EMERGENCY';
  if (isInEmergency(reserve)) return 'RESERVE_EMERGENCY';
  return hasFarm && reserveStatus(reserve) === 'OBSOLETE' ? 'RESERVE_OBSOLETE' : null;
}

/** Why the program rejects any borrow; null when it does not. */
export function borrowBlock(state: ActionState): ActionBlock | null {
  const { market, obligation, address, reserve, timestamp } = state;
  const lending = lendingBlock(market, reserve, timestamp);
  if (lending !== null) return lending;
  if (isDeleveraged(obligation)) return 'DELEVERAGING';
  const positions = positionBlock(state);
  if (positions !== null) return positions;
  if (hasObsoletePosition(state)) return 'POSITION_OBSOLETE';
  if (hasPositionInEmergency(state)) return 'POSITION_EMERGENCY';
  const number = obligation.elevationGroup;
  if (number === NO_GROUP) {
    const isGroupOnly = ({ depositReserve }: { readonly depositReserve: Address }) =>
      state.reserveAt(depositReserve)?.config.disableUsageAsCollOutsideEmode !== 0;
    if (activeDeposits(obligation).some(isGroupOnly)) return 'GROUP_ONLY_COLLATERAL';
  } else {
    const group = market.elevationGroups[number - 1];
    if (!isInGroup(reserve, number) || group?.debtReserve !== address) return 'GROUP_RESERVE';
    if (group.allowNewLoans === 0) return 'GROUP_CLOSED';
  }
  const debt = activeBorrows(obligation).find(({ borrowReserve }) => borrowReserve === address);
  const termEnd = debt === undefined ? null : debtTermEnd(reserve.config, debt);
  if (termEnd !== null && timestamp >= termEnd) return 'DEBT_TERM_ENDED';
  const debts = activeBorrows(obligation).length + (debt === undefined ? 1 : 0);
  return supportsOrders(obligation, activeDeposits(obligation).length, debts) ? null : 'ORDERS';
}

/**
 * Why the program rejects any deposit; null when it does not.
 *
 * @param countsDeposits whether the elevation group's number of deposits is checked
 */
export function depositBlock(state: ActionState, countsDeposits = true): ActionBlock | null {
  const { market, obligation, address, reserve } = state;
  const supply = supplyBlock(market, reserve);
  if (supply !== null) return supply;
  const positions = positionBlock(state);
  if (positions !== null) return positions;
  const number = obligation.elevationGroup;
  const group = number === NO_GROUP ? undefined : market.elevationGroups[number - 1];
  const debts = activeBorrows(obligation);
  const owes = debts.some(({ borrowedAmountSf }) => borrowedAmountSf > 0n);
  if (group === undefined && owes && reserve.config.disableUsageAsCollOutsideEmode !== 0) {
    return 'GROUP_ONLY_COLLATERAL';
  }
  if (group !== undefined && !isInGroup(reserve, number)) return 'GROUP_RESERVE';
  const threshold = group?.liquidationThresholdPct ?? reserve.config.liquidationThresholdPct;
  if (threshold === 0 && isDeleveraged(obligation)) return 'DELEVERAGING';
  const deposits = activeDeposits(obligation);
  const isNew = !deposits.some(({ depositReserve }) => depositReserve === address);
  const count = deposits.length + (isNew ? 1 : 0);
  if (group !== undefined && isNew) {
    if (group.debtReserve === address) return 'GROUP_RESERVE';
    if (countsDeposits && count > group.maxReservesAsCollateral) return 'GROUP_COLLATERAL_COUNT';
  }
  return supportsOrders(obligation, count, debts.length) ? null : 'ORDERS';
}

/**
 * Why the program rejects any withdrawal; null when it does not.
 *
 * @param hasFarm whether the reserve has a farm for its collateral. Updating the stake fails in an obsolete reserve.
 */
export function withdrawBlock(state: ActionState, hasFarm: boolean): ActionBlock | null {
  const { market, obligation, reserve } = state;
  const redemption = redemptionBlock(market, reserve, hasFarm);
  if (redemption !== null) return redemption;
  const positions = positionBlock(state);
  if (positions !== null) return positions;
  const group = obligation.elevationGroup === NO_GROUP ? undefined : groupOf(state);
  if (activeBorrows(obligation).length > 0) {
    if (hasPositionInEmergency(state)) return 'POSITION_EMERGENCY';
    if (group?.allowNewLoans === 0) return 'GROUP_CLOSED';
  }
  return reserveStatus(reserve) === 'ACTIVE' && hasObsoletePosition(state) ? 'POSITION_OBSOLETE' : null;
}

/**
 * Why the program rejects any repayment; null when it does not.
 *
 * @param hasFarm whether the reserve has a farm for its debts. Updating the stake fails in an obsolete reserve.
 * @param closes whether the repayment closes the debt.
 */
export function repayBlock(state: ActionState, hasFarm: boolean, closes: boolean): ActionBlock | null {
  const { market, obligation, reserve } = state;
  const redemption = redemptionBlock(market, reserve, hasFarm);
  if (redemption !== null) return redemption;
  const positions = positionBlock(state);
  if (positions !== null) return positions;
  const debts = activeBorrows(obligation).length - (closes ? 1 : 0);
  // The program cancels the orders of an obligation without debts.
  if (debts === 0 || supportsOrders(obligation, activeDeposits(obligation).length, debts)) return null;
  return 'ORDERS';
}

const groupOf = ({ market, obligation }: ActionState) =>
  market.elevationGroups[obligation.elevationGroup - 1];

const isDeleveraged = (obligation: Obligation) => obligation.autodeleverageMarginCallStartedTimestamp !== 0n;

function hasPosition({ obligation, reserveAt }: ActionState, test: (reserve: Reserve) => boolean): boolean {
  return positionReserves(obligation).some((address) => {
    const account = reserveAt(address);
    return account !== undefined && test(account);
  });
}

const hasObsoletePosition = (state: ActionState) =>
  hasPosition(state, (reserve) => reserveStatus(reserve) === 'OBSOLETE');

/** A refresh leaves no valid price in such a reserve, so nothing that demands the obligation's prices succeeds. */
const hasPositionInEmergency = (state: ActionState) => hasPosition(state, isInEmergency);

/** Why the refresh of the obligation fails: the elevation group does not fit its positions. */
function positionBlock(state: ActionState): ActionBlock | null {
  const { obligation, reserveAt } = state;
  if (positionReserves(obligation).some((address) => reserveAt(address) === undefined))
    return 'RESERVE_UNKNOWN';
  const number = obligation.elevationGroup;
  if (number === NO_GROUP) return null;
  const group = groupOf(state);
  if (group === undefined || group.ltvPct === 0 || group.liquidationThresholdPct === 0)
    return 'GROUP_INVALID';
  const isMember = (address: Address) => {
    const account = reserveAt(address);
    return account !== undefined && isInGroup(account, number);
  };
  const debts = activeBorrows(obligation);
  const fits =
    debts.length <= 1 &&
    debts.every(({ borrowReserve: at }) => isMember(at) && at === group.debtReserve) &&
    activeDeposits(obligation).every(({ depositReserve: at }) => isMember(at) && at !== group.debtReserve);
  return fits ? null : 'GROUP_INVALID';
}

/** Whether every order of the obligation still works with this many deposits and debts. */
export function supportsOrders({ obligationOrders }: Obligation, deposits: number, debts: number): boolean {
  return obligationOrders.every((order) => isOrderSupported(order, deposits, debts));
}
