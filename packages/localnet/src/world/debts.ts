import type { Borrow, Deposit, Obligation, Reserve } from './model.ts';
import { accrueInterest, liquiditySfOf, maxOf, minOf, valueSfOf } from './program-maths.ts';
import { referrerStateOf } from './referrers.ts';
import type { World } from './world.ts';

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
    lastBorrowedTime: 0,
  };
  obligation.borrows[index] = debt;
  return debt;
}

/** Applies the reserve's cumulative rate to a debt and credits the referrer's share of the interest. */
export function accrueDebt(world: World, obligation: Obligation, debt: Borrow): void {
  const { reserve } = debt;
  if (debt.cumulativeRateSf === reserve.cumulativeRateSf) return;
  const grown = (debt.amountSf * reserve.cumulativeRateSf) / debt.cumulativeRateSf;
  const share = BigInt(reserve.spec.takeRatePct) * BigInt(reserve.market.referralFeeBps);
  const fee = minOf(reserve.pendingReferrerFeesSf, ((grown - debt.amountSf) * share) / 1_000_000n);
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

/** Updates the amounts that count against the limits inside and outside elevation groups. */
export function countAgainstLimits(obligation: Obligation, reserve: Reserve, change: bigint): void {
  const debt = findBorrow(obligation, reserve);
  if (obligation.group === 0) {
    if (debt !== null) debt.outsideGroups = maxOf(0n, debt.outsideGroups + change);
    reserve.borrowedOutsideGroups = maxOf(0n, reserve.borrowedOutsideGroups + change);
    return;
  }
  const index = obligation.group - 1;
  for (const deposit of obligation.deposits) {
    if (deposit === null) continue;
    deposit.borrowedInGroup = maxOf(0n, deposit.borrowedInGroup + change);
    const { borrowedInGroups } = deposit.reserve;
    borrowedInGroups[index] = maxOf(0n, (borrowedInGroups[index] ?? 0n) + change);
  }
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

/** Refreshes all its reserves, then every value stored in the account. */
export function refreshObligation(world: World, obligation: Obligation, slot: bigint): void {
  let [deposited, allowed, unhealthy, adjusted, owed] = [0n, 0n, 0n, 0n, 0n];
  let [lowestLtv, lowestLiquidation, highestFactor] = [100, 100, 0];
  for (const deposit of obligation.deposits) {
    if (deposit === null) continue;
    const { reserve } = deposit;
    refreshReserve(world, reserve, slot);
    const { ltvPct, liquidationPct } = termsOf(obligation, reserve);
    deposit.valueSf = valueSfOf(reserve, liquiditySfOf(reserve, deposit.ctokens));
    deposited += deposit.valueSf;
    allowed += (deposit.valueSf * BigInt(ltvPct)) / 100n;
    unhealthy += (deposit.valueSf * BigInt(liquidationPct)) / 100n;
    lowestLtv = Math.min(lowestLtv, ltvPct);
    lowestLiquidation = Math.min(lowestLiquidation, liquidationPct);
  }
  for (const debt of obligation.borrows) {
    if (debt === null) continue;
    const { reserve } = debt;
    refreshReserve(world, reserve, slot);
    accrueDebt(world, obligation, debt);
    const factor = obligation.group === 0 ? reserve.spec.borrowFactorPct : 100;
    debt.valueSf = valueSfOf(reserve, debt.amountSf);
    debt.adjustedValueSf = (debt.valueSf * BigInt(maxOf(100n, BigInt(factor)))) / 100n;
    owed += debt.valueSf;
    adjusted += debt.adjustedValueSf;
    highestFactor = Math.max(highestFactor, factor);
  }
  const hasDeposits = deposited > 0n;
  Object.assign(obligation, {
    lastSlot: slot,
    depositedValueSf: deposited,
    allowedSf: allowed,
    unhealthySf: unhealthy,
    adjustedDebtSf: adjusted,
    debtValueSf: owed,
    lowestLtv: hasDeposits ? lowestLtv : 0,
    lowestLiquidationLtv: hasDeposits ? lowestLiquidation : 0,
    highestBorrowFactor: highestFactor,
  });
  world.store.touch(obligation.address);
}
