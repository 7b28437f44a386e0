import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { MAX_BORROWS, type Obligation, type ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { toScaledFraction } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from './accrued-reserve.ts';
import { supportsOrders } from './action-blocks.ts';
import { debtTermEnd } from './debt-terms.ts';
import { NO_GROUP } from './elevation.ts';
import { activeBorrows, activeDeposits, debtAmount, positionReserves } from './obligation.ts';
import { failedChecks, type PriceUsd } from './price.ts';
import type { RefreshedObligation } from './refreshed-obligation.ts';
import { isInEmergency, RESERVE_VERSION, reserveStatus } from './reserve.ts';
import { rolloverSize, sameReserveLimit } from './rollover-size.ts';
import { isSameRollover } from './rollover-terms.ts';
import { rolloverKind, windowObstacle } from './rollover-window.ts';

/** Why the program refuses a rollover, in the order of its checks. */
export const ROLLOVER_OBSTACLES = [
  'MARKET_EMERGENCY',
  'RESERVE_OBSOLETE',
  'RESERVE_DEPRECATED',
  'RESERVE_EMERGENCY',
  'IN_ELEVATION_GROUP',
  'BORROWING_DISABLED',
  'TARGET_PRICE_REFUSED',
  'TARGET_MATURED',
  'DELEVERAGING',
  'POSITION_OBSOLETE',
  'POSITION_PRICE_REFUSED',
  'NO_COLLATERAL',
  'COLLATERAL_WITHOUT_VALUE',
  'GROUP_ONLY_COLLATERAL',
  'OTHER_BORROW_FACTOR',
  'NOT_ALLOWED_BY_OWNER',
  'OPEN_TERM_NOT_ALLOWED',
  'RATE_TOO_HIGH',
  'FIXED_TERM_NOT_ALLOWED',
  'TERM_TOO_SHORT',
  'SWITCHED_OFF',
  'NO_TERM_END',
  'TOO_EARLY',
  'OTHER_SETTINGS',
  'ENDS_NO_LATER',
  'NO_LIQUIDITY',
  'BORROW_LIMIT',
  'LIMIT_OUTSIDE_GROUPS',
  'UTILIZATION_LIMIT',
  'OUTFLOW_CAP',
  'PART_TOO_SMALL',
  'COLLATERAL_TOO_LOW',
  'NO_FREE_SLOT',
  'ORDERS',
] as const;
export type RolloverObstacle = (typeof ROLLOVER_OBSTACLES)[number];

/** The accounts of a rollover, with their reserves refreshed. */
export interface RolloverState {
  readonly market: LendingMarket;
  readonly obligation: Obligation;
  /** The obligation in the program's fixed point. Null when a price is unknown. */
  readonly refreshed: RefreshedObligation | null;
  /** The debt, as it is stored. */
  readonly debt: ObligationLiquidity;
  readonly source: AccruedReserve;
  /** Address of the reserve that the debt moves to. Equal to that of the debt, only the term starts anew. */
  readonly targetAddress: Address;
  readonly target: AccruedReserve;
  /** Of a whole token, in units of 2^-60; null when unknown. */
  readonly targetPriceSf: bigint | null;
  /** Undefined when the reserve could not be read. */
  readonly reserveAt: (address: Address) => Reserve | undefined;
  /** Whether a refresh leaves a price in the reserve that passes all checks of its settings. */
  readonly isPriceAccepted: (address: Address) => boolean;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** Whether a refresh leaves a price in the reserve that passes all checks of its settings. @param price that it leaves */
export function acceptsPrice(reserve: Reserve, price: PriceUsd | null): boolean {
  return !isInEmergency(reserve) && price !== null && (failedChecks(price) ?? []).length === 0;
}

/** What a rollover does. */
export interface Rollover {
  /** Base units that the target pays to the source: 0 within one reserve, and when nothing can be lent. */
  readonly moved: bigint;
  /** Debt that leaves the source, base units in units of 2^-60. */
  readonly settledSf: bigint;
  /** Whether a part of the debt stays where it is. */
  readonly isPart: boolean;
  /** Why the program refuses it; null when it does not. */
  readonly obstacle: RolloverObstacle | null;
}

/** The outcome of a rollover under the program's rules, even if the program would reject it. */
export function rollover(state: RolloverState): Rollover {
  const owedSf = toScaledFraction(debtAmount(state.debt, state.source));
  if (state.targetAddress === state.debt.borrowReserve) {
    const limit = sameReserveLimit(state.source, state.debt, owedSf);
    return { moved: 0n, settledSf: 0n, isPart: false, obstacle: rolloverBlock(state) ?? limit };
  }
  const { limit, ...size } = rolloverSize({
    market: state.market,
    refreshed: state.refreshed,
    owedSf,
    target: state.target,
    existing: debtInTarget(state),
    priceSf: state.targetPriceSf,
    timestamp: state.timestamp,
  });
  const obstacle = rolloverBlock(state) ?? limit ?? slotObstacle(state, size.isPart);
  return { ...size, obstacle };
}

/** Why the program rejects a rollover of any size; null when it does not. */
export function rolloverBlock(state: RolloverState): RolloverObstacle | null {
  return reserveObstacle(state) ?? borrowObstacle(state) ?? termsObstacle(state) ?? mergeObstacle(state);
}

function reserveObstacle({ market, source, target }: RolloverState): RolloverObstacle | null {
  if (market.emergencyMode !== 0) return 'MARKET_EMERGENCY';
  for (const { account } of [source, target]) {
    if (reserveStatus(account) === 'OBSOLETE') return 'RESERVE_OBSOLETE';
    if (account.version !== RESERVE_VERSION) return 'RESERVE_DEPRECATED';
    if (isInEmergency(account)) return 'RESERVE_EMERGENCY';
  }
  return null;
}

/** The checks of a borrow from the target. */
function borrowObstacle(state: RolloverState): RolloverObstacle | null {
  const { market, obligation, target, targetAddress, refreshed, reserveAt, timestamp } = state;
  if (obligation.elevationGroup !== NO_GROUP) return 'IN_ELEVATION_GROUP';
  if (market.borrowDisabled !== 0) return 'BORROWING_DISABLED';
  if (!state.isPriceAccepted(targetAddress)) return 'TARGET_PRICE_REFUSED';
  const { debtMaturityTimestamp: maturity } = target.account.config;
  if (maturity !== 0n && timestamp >= maturity) return 'TARGET_MATURED';
  if (obligation.autodeleverageMarginCallStartedTimestamp !== 0n) return 'DELEVERAGING';
  const positions = positionReserves(obligation);
  const isObsolete = (address: Address) => {
    const account = reserveAt(address);
    return account !== undefined && reserveStatus(account) === 'OBSOLETE';
  };
  if (positions.some(isObsolete)) return 'POSITION_OBSOLETE';
  if (!positions.every((address) => state.isPriceAccepted(address))) return 'POSITION_PRICE_REFUSED';
  const deposits = activeDeposits(obligation);
  if (deposits.length === 0) return 'NO_COLLATERAL';
  if (refreshed?.depositedSf === 0n) return 'COLLATERAL_WITHOUT_VALUE';
  const isGroupOnly = ({ depositReserve }: { readonly depositReserve: Address }) =>
    reserveAt(depositReserve)?.config.disableUsageAsCollOutsideEmode !== 0;
  return deposits.some(isGroupOnly) ? 'GROUP_ONLY_COLLATERAL' : null;
}

/** The terms of the owner, and the time that the market sets. */
function termsObstacle({ market, debt, source, target, timestamp }: RolloverState): RolloverObstacle | null {
  const [from, to] = [source.account.config, target.account.config];
  if (from.borrowFactorPct !== to.borrowFactorPct) return 'OTHER_BORROW_FACTOR';
  const kind = rolloverKind(debt.fixedTermBorrowRolloverConfig, from, to);
  return 'misfit' in kind ? kind.misfit : windowObstacle(market, kind.of, debt, from, timestamp);
}

/** A debt joins another one only under the same terms, and when the other one ends later. */
function mergeObstacle(state: RolloverState): RolloverObstacle | null {
  const { debt, source, target, targetAddress } = state;
  const existing = debtInTarget(state);
  if (existing === undefined || targetAddress === debt.borrowReserve) return null;
  if (!isSameRollover(debt.fixedTermBorrowRolloverConfig, existing.fixedTermBorrowRolloverConfig)) {
    return 'OTHER_SETTINGS';
  }
  const end = debtTermEnd(source.account.config, debt);
  const endOfExisting = debtTermEnd(target.account.config, existing);
  const isLater = end === null || endOfExisting === null || endOfExisting > end;
  return isLater ? null : 'ENDS_NO_LATER';
}

/** Room for the debt, and orders that its move would invalidate. */
function slotObstacle(state: RolloverState, isPart: boolean): RolloverObstacle | null {
  const { obligation } = state;
  const isNew = debtInTarget(state) === undefined;
  const debts = activeBorrows(obligation).length - (isPart ? 0 : 1) + (isNew ? 1 : 0);
  if (debts > MAX_BORROWS) return 'NO_FREE_SLOT';
  return supportsOrders(obligation, activeDeposits(obligation).length, debts) ? null : 'ORDERS';
}

const debtInTarget = ({ obligation, targetAddress }: RolloverState): ObligationLiquidity | undefined =>
  activeBorrows(obligation).find(({ borrowReserve }) => borrowReserve === targetAddress);
