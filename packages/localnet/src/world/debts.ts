import { ceilScaled, multiplyScaled, percentScaled, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import { LIQUIDATION_PRIORITY_USD } from './liquidation-terms.ts';
import type { Borrow, Deposit, Obligation, Reserve } from './model.ts';
import {
  absoluteReferralRateSf,
  accrueInterest,
  hostInterestSf,
  liquiditySfOf,
  valueSfOf,
} from './program-maths.ts';
import { referrerStateOf } from './referrers.ts';
import { timeOf } from './time.ts';
import type { World } from './world.ts';

const SECONDS_PER_DAY = 86_400;

export function findDeposit(obligation: Obligation, reserve: Reserve): Deposit | null {
  return obligation.deposits.find((deposit) => deposit?.reserve === reserve) ?? null;
}

export function findBorrow(obligation: Obligation, reserve: Reserve): Borrow | null {
  return obligation.borrows.find((debt) => debt?.reserve === reserve) ?? null;
}

/** Uses the first free slot; null when there is none. */
export function openDeposit(obligation: Obligation, reserve: Reserve): Deposit | null {
  const index = obligation.deposits.indexOf(null);
  if (index < 0) return null;
  const deposit: Deposit = { reserve, ctokens: 0n, valueSf: 0n, borrowedInGroup: 0n };
  obligation.deposits[index] = deposit;
  return deposit;
}

/** Uses the first free slot; null when there is none. */
export function openBorrow(obligation: Obligation, reserve: Reserve): Borrow | null {
  const index = obligation.borrows.indexOf(null);
  if (index < 0) return null;
  const debt: Borrow = {
    reserve,
    amountSf: 0n,
    cumulativeRateSf: reserve.cumulativeRateSf,
    valueSf: 0n,
    adjustedValueSf: 0n,
    outsideGroups: 0n,
    atExpiration: 0n,
    lastBorrowedTime: 0,
  };
  obligation.borrows[index] = debt;
  return debt;
}

/**
 * Applies the reserve's cumulative rate to a debt and credits the referrer's share of the interest since the obligation's last
 * refresh, without the host's part.
 */
function accrueDebt(world: World, obligation: Obligation, debt: Borrow, slot: bigint): void {
  const { reserve } = debt;
  if (debt.cumulativeRateSf === reserve.cumulativeRateSf) return;
  const grown = (debt.amountSf * reserve.cumulativeRateSf) / debt.cumulativeRateSf;
  const fee = referralFee(obligation, debt, grown - debt.amountSf, slot);
  debt.amountSf = grown;
  debt.cumulativeRateSf = reserve.cumulativeRateSf;
  if (fee === 0n) return;
  reserve.pendingReferrerFeesSf -= fee;
  const { referrer } = obligation.owner;
  if (referrer === null) {
    reserve.protocolFeesSf += fee;
    return;
  }
  reserve.referrerFeesSf += fee;
  const [state] = referrerStateOf(world, referrer, reserve);
  state.unclaimedSf += fee;
  state.cumulativeSf += fee;
  world.store.touch(state.address);
}

function referralFee(
  { lastSlot }: Obligation,
  { reserve, amountSf }: Borrow,
  interest: bigint,
  slot: bigint,
) {
  if (reserve.market.referralFeeBps === 0) return 0n;
  const host = hostInterestSf(reserve, amountSf, lastSlot, slot);
  const share = multiplyScaled(interest - host, absoluteReferralRateSf(reserve));
  return lesser(reserve.pendingReferrerFeesSf, share);
}

/** Updates the amounts that count against the limits inside and outside elevation groups. */
export function countAgainstLimits(obligation: Obligation, reserve: Reserve, change: bigint): void {
  const debt = findBorrow(obligation, reserve);
  if (obligation.group === 0) {
    if (debt !== null) debt.outsideGroups = atLeastZero(debt.outsideGroups + change);
    reserve.borrowedOutsideGroups = atLeastZero(reserve.borrowedOutsideGroups + change);
    return;
  }
  const index = obligation.group - 1;
  for (const deposit of obligation.deposits) {
    if (deposit === null) continue;
    deposit.borrowedInGroup = atLeastZero(deposit.borrowedInGroup + change);
    const { borrowedInGroups } = deposit.reserve;
    borrowedInGroups[index] = atLeastZero((borrowedInGroups[index] ?? 0n) + change);
  }
}

/** Replaces what a debt or deposit adds to one of the amounts that count against limits. */
const recounted = (total: bigint, before: bigint, now: bigint) => atLeastZero(total - before) + now;

/** Enters an elevation group: the debts no longer count outside of groups. */
export function enterGroup(world: World, obligation: Obligation, group: number, slot: bigint): void {
  for (const debt of obligation.borrows) {
    if (debt === null) continue;
    const { reserve } = debt;
    reserve.borrowedOutsideGroups = recounted(reserve.borrowedOutsideGroups, debt.outsideGroups, 0n);
    debt.outsideGroups = 0n;
  }
  obligation.group = group;
  refreshObligation(world, obligation, slot);
}

/** Stops counting the obligation's debt against a deposit that it has withdrawn from its group. */
export function leaveDeposit({ group }: Obligation, { reserve, borrowedInGroup }: Deposit): void {
  if (group === 0) return;
  const index = group - 1;
  reserve.borrowedInGroups[index] = recounted(reserve.borrowedInGroups[index] ?? 0n, borrowedInGroup, 0n);
}

/** Updates interest and price to the slot. */
export function refreshReserve(world: World, reserve: Reserve, slot: bigint): void {
  accrueInterest(reserve, slot);
  reserve.priceSf = world.oracle.refresh(reserve.token, slot);
  world.store.touch(reserve.address);
}

interface Terms {
  readonly ltvPct: number;
  readonly liquidationPct: number;
}

function termsOf(obligation: Obligation, reserve: Reserve): Terms {
  return obligation.market.groups[obligation.group - 1] ?? reserve.spec;
}

/** Values below this do not decide which collateral and debt must be liquidated first. USD scaled by 2^60. */
const SMALL_VALUE_SF = wholeScaled(LIQUIDATION_PRIORITY_USD);
/** Where the program has found no deposit. */
const NO_LTV = 255;

/** Refreshes all its reserves, then every value stored in the account. */
export function refreshObligation(world: World, obligation: Obligation, slot: bigint): void {
  let [adjusted, owedSf, owed, highestFactor] = [0n, 0n, 0n, 100];
  for (const debt of obligation.borrows) {
    if (debt === null) continue;
    const { reserve } = debt;
    refreshReserve(world, reserve, slot);
    accrueDebt(world, obligation, debt, slot);
    countDebt(obligation, debt, timeOf(slot));
    const factor = obligation.group === 0 ? Math.max(100, reserve.spec.borrowFactorPct) : 100;
    debt.valueSf = valueSfOf(reserve, debt.amountSf);
    debt.adjustedValueSf = multiplyScaled(debt.valueSf, percentScaled(factor));
    owed += ceilScaled(debt.amountSf);
    owedSf += debt.valueSf;
    adjusted += debt.adjustedValueSf;
    if (debt.valueSf >= SMALL_VALUE_SF) highestFactor = Math.max(highestFactor, factor);
  }
  Object.assign(obligation, {
    lastSlot: slot,
    adjustedDebtSf: adjusted,
    debtValueSf: owedSf,
    highestBorrowFactor: highestFactor,
    ...refreshDeposits(world, obligation, owed, slot),
  });
  world.store.touch(obligation.address);
}

/** @param owed the obligation's debt in base units, which the collateral reserves of a group count */
function refreshDeposits(world: World, obligation: Obligation, owed: bigint, slot: bigint) {
  const { group } = obligation;
  let [deposited, allowed, unhealthy] = [0n, 0n, 0n];
  let [lowestLtv, lowestLiquidation, borrowingDisabled] = [NO_LTV, NO_LTV, false];
  for (const deposit of obligation.deposits) {
    if (deposit === null) continue;
    const { reserve } = deposit;
    refreshReserve(world, reserve, slot);
    if (group === 0 && reserve.spec.groupCollateralOnly) borrowingDisabled = true;
    if (group !== 0) {
      const total = reserve.borrowedInGroups[group - 1] ?? 0n;
      reserve.borrowedInGroups[group - 1] = recounted(total, deposit.borrowedInGroup, owed);
      deposit.borrowedInGroup = owed;
    }
    const { ltvPct, liquidationPct } = termsOf(obligation, reserve);
    deposit.valueSf = valueSfOf(reserve, liquiditySfOf(reserve, deposit.ctokens));
    deposited += deposit.valueSf;
    allowed += multiplyScaled(deposit.valueSf, percentScaled(ltvPct));
    unhealthy += multiplyScaled(deposit.valueSf, percentScaled(liquidationPct));
    lowestLtv = Math.min(lowestLtv, ltvPct);
    const decides = deposit.valueSf >= SMALL_VALUE_SF && liquidationPct > 0;
    if (decides) lowestLiquidation = Math.min(lowestLiquidation, liquidationPct);
  }
  return {
    depositedValueSf: deposited,
    allowedSf: allowed,
    unhealthySf: unhealthy,
    lowestLtv,
    lowestLiquidationLtv: lowestLiquidation,
    borrowingDisabled,
  };
}

/** Counts a debt, with its interest, against the limits outside groups, and notes the end of its term. */
function countDebt({ group }: Obligation, debt: Borrow, time: number): void {
  const { reserve } = debt;
  const amount = ceilScaled(debt.amountSf);
  if (group === 0) {
    reserve.borrowedOutsideGroups = recounted(reserve.borrowedOutsideGroups, debt.outsideGroups, amount);
    debt.outsideGroups = amount;
  }
  const { termDays } = reserve.spec;
  const isOver = termDays !== undefined && time >= debt.lastBorrowedTime + termDays * SECONDS_PER_DAY;
  if (isOver && debt.atExpiration === 0n) debt.atExpiration = amount;
}
