import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import type { Address } from '@solana/kit';
import {
  fixed,
  type ProgramAccounts,
  ProgramState,
  Refusal,
  type ReserveState,
  require,
  UNIT,
} from '../../../packages/localnet/test/support/lending/program-state.ts';
import type { LendingAction } from '../../../src/builders/lending/request.ts';

/**
 * A second implementation of the lending program's four user actions, written from its published source, for tests: plain
 * integers in its fixed point, in its order of checks. It shares no arithmetic with the gateway. Not covered: account
 * constraints, price status beyond emergencies, token extensions, referrer accounts.
 */
export interface ProgramCall extends ProgramAccounts {
  readonly action: LendingAction;
  /** The reserve acted on. */
  readonly address: Address;
  /** The argument of the instruction: base units of liquidity, or collateral tokens for a withdrawal. */
  readonly amount: bigint;
  readonly hasFarm: boolean;
  readonly hasReferrer: boolean;
}

export interface ProgramResult {
  /** The program's error; null when it accepts the action. */
  readonly refusal: string | null;
  /** Base units paid or received by the wallet; 0 when refused. */
  readonly moved: bigint;
  readonly fee: bigint;
  /** Collateral tokens minted or redeemed. */
  readonly collateral: bigint;
  /** Debt added or settled, fixed point. */
  readonly debt: bigint;
}

type Done = Omit<ProgramResult, 'refusal'>;

const ALL = (1n << 64n) - 1n;
const NOTHING: Done = { moved: 0n, fee: 0n, collateral: 0n, debt: 0n };

export function runProgram(call: ProgramCall): ProgramResult {
  try {
    return { refusal: null, ...execute(call) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message, ...NOTHING };
    throw error;
  }
}

function execute(call: ProgramCall): Done {
  require(call.market.emergencyMode === 0, 'GlobalEmergencyMode');
  const state = new ProgramState(call);
  const reserve = state.reserve(call.address);
  const entering = call.action === 'deposit' || call.action === 'borrow';
  require(!(entering && reserve.isObsolete), 'ReserveObsolete');
  require(reserve.account.version === 1n, 'ReserveDeprecated');
  require(!reserve.isInEmergency, 'ReserveEmergencyMode');
  require(call.amount !== 0n, 'InvalidAmount');
  const done = ACTIONS[call.action](call, state, reserve);
  require(!(call.hasFarm && reserve.isObsolete), 'ReserveObsolete');
  return done;
}

const ACTIONS: Readonly<
  Record<LendingAction, (call: ProgramCall, state: ProgramState, reserve: ReserveState) => Done>
> = { deposit, borrow, repay, withdraw };

function takeFromCap(cap: ReserveConfig['debtWithdrawalCap'], amount: bigint, timestamp: bigint): void {
  if (cap.configIntervalLengthSeconds === 0n) return;
  require(cap.lastIntervalStartTimestamp <= timestamp, 'LastTimestampGreaterThanCurrent');
  const elapsed = timestamp - cap.lastIntervalStartTimestamp >= cap.configIntervalLengthSeconds;
  const left = cap.configCapacity < 0n ? 0n : cap.configCapacity - (elapsed ? 0n : cap.currentTotal);
  require(amount <= fixed.most(left, 0n), 'WithdrawalCapReached');
}

function checkMinimum(call: ProgramCall, value: bigint): void {
  require(!(value > 0n && value < call.market.minNetValueInObligationSf), 'NetValueRemainingTooSmall');
}

function checkOrders({ obligation }: ProgramCall, deposits: number, debts: number): void {
  for (const order of obligation.obligationOrders) {
    const { conditionThresholdSf, opportunityParameterSf, conditionType, opportunityType } = order;
    const bonus = order.minExecutionBonusBps + order.maxExecutionBonusBps;
    const set =
      conditionThresholdSf + opportunityParameterSf + BigInt(bonus + conditionType + opportunityType);
    if (set === 0n) continue;
    const pair = deposits === 1 && debts === 1;
    const conditionHolds = (conditionType !== 3 && conditionType !== 4) || pair;
    const opportunityHolds = opportunityType !== 0 || debts === 1;
    require(conditionHolds && opportunityHolds, 'OperationNotPermittedWithCurrentObligationOrders');
  }
}

const isDeleveraged = ({ obligation }: ProgramCall) =>
  obligation.autodeleverageMarginCallStartedTimestamp !== 0n;

function deposit(call: ProgramCall, state: ProgramState, reserve: ReserveState): Done {
  const collateral = reserve.toCollateral(call.amount);
  const moved = reserve.toLiquidityUp(collateral);
  require(reserve.supply + moved * UNIT <= reserve.config.depositLimit * UNIT, 'DepositLimitExceeded');
  reserve.available += moved;
  reserve.minted += collateral;

  require(collateral !== 0n, 'InvalidAmount');
  const groupOnly = reserve.config.disableUsageAsCollOutsideEmode > 0;
  require(!(groupOnly && !state.inGroup && state.factoredDebt > 0n), 'DepositDisabledOutsideElevationGroup');
  require(!state.inGroup || state.isMember(reserve), 'InconsistentElevationGroup');
  const [, threshold] = state.percents(reserve);
  require(!(threshold === 0 && isDeleveraged(call)), 'ObligationCurrentlyMarkedForDeleveraging');
  const held = state.deposits.find((each) => each.reserve === reserve);
  const count = state.deposits.length + (held === undefined ? 1 : 0);
  require(count <= 8, 'ObligationReserveLimit');
  const group = state.group();
  if (group !== null && held === undefined) {
    require(group.debtReserve !== reserve.address, 'ElevationGroupDebtReserveAsCollateral');
    require(count <= group.maxReservesAsCollateral, 'ObligationCollateralExceedsElevationGroupLimit');
    require(state.borrows.length <= 1, 'ObligationElevationGroupMultipleDebtReserve');
  }
  checkOrders(call, count, state.borrows.length);
  const value = reserve.valueOf(reserve.toLiquidity(collateral));
  const ltv = fixed.div(state.factoredDebt, state.deposited + value);
  checkMinimum(call, (held?.value ?? 0n) + value);
  if (state.deposited !== 0n) {
    require(ltv <= fixed.div(state.factoredDebt, state.deposited), 'WorseLtvBlocked');
  }
  return { moved, fee: 0n, collateral, debt: 0n };
}

function checkBorrowPossible(call: ProgramCall, state: ProgramState, reserve: ReserveState): void {
  require(call.market.borrowDisabled === 0, 'BorrowingDisabled');
  const maturity = reserve.config.debtMaturityTimestamp;
  require(maturity === 0n || call.timestamp < maturity, 'ReserveDebtMaturityReached');
  require(!isDeleveraged(call), 'ObligationCurrentlyMarkedForDeleveraging');
  require(state.obsolete === 0, 'ObligationInObsoleteReserve');
  require(state.hasPrices, 'ObligationStale');
  require(state.deposits.length > 0, 'ObligationDepositsEmpty');
  require(state.deposited !== 0n, 'ObligationDepositsZero');
  require(!state.inGroup || state.isMember(reserve), 'InconsistentElevationGroup');
  require(state.group()?.allowNewLoans !== 0, 'ElevationGroupNewLoansDisabled');
  require(state.inGroup || !state.borrowingDisabled, 'BorrowingDisabledOutsideElevationGroup');
}

/** The fee of a borrow, split into the protocol's and the referrer's part. */
function fees(
  call: ProgramCall,
  reserve: ReserveState,
  amount: bigint,
  inclusive: boolean,
): [bigint, bigint] {
  const rate = reserve.config.fees.originationFeeSf;
  if (rate === 0n || amount === 0n) return [0n, 0n];
  const share = fixed.mul(amount, inclusive ? fixed.div(rate, rate + UNIT) : rate);
  const fee = fixed.most(share, UNIT);
  require(fee < amount, 'BorrowTooSmall');
  const whole = fixed.round(fee);
  const { referralFeeBps } = call.market;
  if (referralFeeBps === 0 || !call.hasReferrer) return [whole, 0n];
  const referrer = referralFeeBps === 10_000 ? whole : fixed.floor(fixed.mul(fee, fixed.bps(referralFeeBps)));
  return [whole - referrer, referrer];
}

function sizeBorrow(call: ProgramCall, state: ProgramState, reserve: ReserveState, room: bigint) {
  const factor = reserve.borrowFactor(state.inGroup);
  if (call.amount === ALL) {
    const covered = fixed.div(reserve.amountOf(room), factor);
    const debt = fixed.least(covered, reserve.remainingBorrow, reserve.free * UNIT);
    const [protocol, referrer] = fees(call, reserve, debt, true);
    return { debt, received: fixed.floor(debt) - protocol - referrer, fee: protocol + referrer };
  }
  const [protocol, referrer] = fees(call, reserve, call.amount * UNIT, false);
  const debt = (call.amount + protocol + referrer) * UNIT;
  require(fixed.mul(reserve.valueOf(debt), factor) <= room, 'BorrowTooLarge');
  require(debt <= reserve.remainingBorrow, 'BorrowLimitExceeded');
  require(debt <= reserve.free * UNIT, 'InsufficientLiquidity');
  return { debt, received: call.amount, fee: protocol + referrer };
}

function borrow(call: ProgramCall, state: ProgramState, reserve: ReserveState): Done {
  checkBorrowPossible(call, state, reserve);
  const room = fixed.minus(state.allowed, state.factoredDebt);
  require(room !== 0n, 'BorrowTooLarge');
  require(reserve.remainingBorrow !== 0n, 'BorrowLimitExceeded');
  const { debt, received, fee } = sizeBorrow(call, state, reserve, room);
  takeFromCap(reserve.config.debtWithdrawalCap, fixed.ceil(debt), call.timestamp);
  require(received !== 0n, 'BorrowTooSmall');
  const blockPct = reserve.config.utilizationLimitBlockBorrowingAbovePct;
  const used = fixed.div(reserve.borrowed + debt, reserve.supply);
  require(blockPct === 0 || used < fixed.percent(blockPct), 'BorrowingAboveUtilizationRateDisabled');
  require(fixed.floor(debt) <= reserve.free, 'InsufficientLiquidity');

  const owed = state.borrows.find((each) => each.reserve === reserve);
  const count = state.borrows.length + (owed === undefined ? 1 : 0);
  require(count <= 5, 'ObligationReserveLimit');
  const term = reserve.config.debtTermSeconds;
  if (owed !== undefined && term !== 0n && owed.borrowedAt !== 0n) {
    require(call.timestamp < owed.borrowedAt + term, 'DebtReachedReserveDebtTerm');
  }
  checkOrders(call, state.deposits.length, count);
  countBorrow(state, reserve, fixed.ceil(debt));

  const value = reserve.valueOf(debt);
  checkMinimum(call, (owed?.value ?? 0n) + value);
  const factored = state.factoredDebt + fixed.mul(value, reserve.borrowFactor(state.inGroup));
  const unhealthyLtv = fixed.div(state.unhealthy, state.deposited);
  require(fixed.div(factored, state.deposited) <= unhealthyLtv, 'WorseLtvThanUnhealthyLtv');
  require(state.debt + value < state.deposited, 'LiabilitiesBiggerThanAssets');
  return { moved: received, fee, collateral: 0n, debt };
}

function countBorrow(state: ProgramState, reserve: ReserveState, amount: bigint): void {
  const group = state.group();
  if (group === null) {
    const total = reserve.outsideGroups + amount;
    require(total <= reserve.config.borrowLimitOutsideElevationGroup, 'BorrowLimitExceeded');
    return;
  }
  require(group.debtReserve === reserve.address, 'ElevationGroupHasAnotherDebtReserve');
  const index = group.id - 1;
  for (const { reserve: collateral } of state.deposits) {
    const limit = collateral.config.borrowLimitAgainstThisCollateralInElevationGroup[index] ?? 0n;
    const total = (collateral.inGroups[index] ?? 0n) + amount;
    require(total <= limit, 'ElevationGroupBorrowLimitExceeded');
  }
}

function repay(call: ProgramCall, state: ProgramState, reserve: ReserveState): Done {
  const owed = state.borrows.find((each) => each.reserve === reserve);
  if (owed === undefined) throw new Refusal('InvalidObligationLiquidity');
  require(owed.amount !== 0n, 'ObligationLiquidityEmpty');
  const debt = call.amount === ALL ? owed.amount : fixed.least(call.amount * UNIT, owed.amount);
  const closes = debt === owed.amount;
  const count = state.borrows.length - (closes ? 1 : 0);
  if (count > 0) checkOrders(call, state.deposits.length, count);
  const left = owed.value - reserve.valueOf(debt);
  if (!closes && owed.value !== 0n) checkMinimum(call, left);
  const moved = fixed.ceil(debt) + penaltyOf(call, reserve, owed.borrowedAt, debt);
  return { moved, fee: 0n, collateral: 0n, debt };
}

/** The price of repaying before the end of the term. */
function penaltyOf(call: ProgramCall, reserve: ReserveState, borrowedAt: bigint, debt: bigint): bigint {
  const { debtTermSeconds, earlyRepayRemainingInterestPct } = reserve.config;
  if (debtTermSeconds === 0n || borrowedAt === 0n) return 0n;
  const remaining = debtTermSeconds - fixed.minus(call.timestamp, borrowedAt);
  if (remaining <= 0n) return 0n;
  const rateAtEnd = fixed.mul(reserve.cumulativeRate, reserve.growthAhead(remaining));
  const interest = (debt * rateAtEnd) / reserve.cumulativeRate - debt;
  return fixed.ceil(fixed.mul(interest, fixed.percent(earlyRepayRemainingInterestPct)));
}

function withdraw(call: ProgramCall, state: ProgramState, reserve: ReserveState): Done {
  const held = state.deposits.find((each) => each.reserve === reserve);
  if (held === undefined) throw new Refusal('InvalidObligationCollateral');
  require(held.collateral !== 0n, 'ObligationCollateralEmpty');
  const indebted = state.borrows.length > 0;
  require(!indebted || state.hasPrices, 'ObligationStale');
  require(!indebted || state.group()?.allowNewLoans !== 0, 'ElevationGroupNewLoansDisabled');
  const isActive = reserve.config.status === 0;
  require(!(state.obsolete > 0 && isActive), 'ObligationInObsoleteReserve');
  const [ltv, threshold] = state.percents(reserve);
  const collateral = indebted
    ? withdrawInDebt(call, state, held, ltv)
    : fixed.least(call.amount, held.collateral);

  const value = reserve.valueOf(reserve.toLiquidity(collateral));
  const left = state.deposited - value;
  if (collateral !== held.collateral && held.value !== 0n) checkMinimum(call, held.value - value);
  require(!(left === 0n && state.factoredDebt > 0n), 'LiabilitiesBiggerThanAssets');
  if (left !== 0n) {
    require(state.debt < left, 'LiabilitiesBiggerThanAssets');
    const newLtv = fixed.div(state.factoredDebt, left);
    const unhealthy = fixed.minus(state.unhealthy, fixed.mul(value, fixed.percent(threshold)));
    require(newLtv === 0n || newLtv < fixed.div(unhealthy, left), 'WorseLtvThanUnhealthyLtv');
  }

  require(collateral !== 0n, 'InvalidAmount');
  const moved = fixed.floor(reserve.toLiquidity(collateral));
  require(moved <= reserve.free, 'InsufficientLiquidity');
  takeFromCap(reserve.config.depositWithdrawalCap, moved, call.timestamp);
  return { moved, fee: 0n, collateral, debt: 0n };
}

function withdrawInDebt(
  call: ProgramCall,
  state: ProgramState,
  held: ProgramState['deposits'][number],
  ltvPct: number,
): bigint {
  require(state.deposited !== 0n, 'ObligationDepositsZero');
  const spare = fixed.minus(state.allowed, state.factoredDebt);
  const most = ltvPct === 0 && spare > 0n ? held.value : (spare * 100n) / BigInt(ltvPct === 0 ? 1 : ltvPct);
  require(most !== 0n, 'MaximumWithdrawValueZero');
  if (call.amount === ALL) {
    const part = fixed.div(fixed.least(most, held.value), held.value);
    const collateral = fixed.least(held.collateral, fixed.floor(part * held.collateral));
    require(collateral !== 0n, 'WithdrawTooSmall');
    return collateral;
  }
  const collateral = fixed.least(call.amount, held.collateral);
  const value = fixed.mul(held.value, fixed.divUp(collateral * UNIT, held.collateral * UNIT));
  require(value <= most, 'WithdrawTooLarge');
  return collateral;
}
