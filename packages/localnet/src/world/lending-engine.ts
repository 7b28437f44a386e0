import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { bpsScaled, ceilScaled, floorScaled, U64_MAX, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';
import { rentLamports } from '../runtime/account-store.ts';
import { feesOf } from '../runtime/klend/borrow-size.ts';
import {
  countAgainstLimits,
  enterGroup,
  findBorrow,
  findDeposit,
  leaveDeposit,
  openBorrow,
  openDeposit,
  refreshObligation,
  refreshReserve,
} from './debts.ts';
import { Draft } from './journal.ts';
import { OBLIGATION_BYTES, prepare, reservesOf, setStake } from './lending-setup.ts';
import type { Obligation, Reserve } from './model.ts';
import { closeIfEmpty } from './obligations.ts';
import { countOutflow } from './outflow-caps.ts';
import { availableOf, collateralFor, liquiditySfOf, noteLimits } from './program-maths.ts';
import { creditReferrer } from './referrers.ts';
import { timeOf } from './time.ts';
import type { World } from './world.ts';
import type { LendAction } from './world-actions.ts';

/**
 * Each action refreshes what it concerns, as its transaction does, and makes the state changes that the program makes. False
 * when there is nothing to do it with; then only interest and prices have changed. The limits of markets and reserves are left
 * to the plan, which also makes positions that are beyond them at present prices.
 */

export function lend(
  world: World,
  obligation: Obligation,
  reserve: Reserve,
  amount: bigint,
  slot: bigint,
): boolean {
  refresh(world, obligation, reserve, slot);
  const { ctokens, taken } = collateralFor(reserve, amount);
  if (ctokens <= 0n) return false;
  const before = reservesOf(obligation);
  const deposit = findDeposit(obligation, reserve) ?? openDeposit(obligation, reserve);
  if (deposit === null) return false;
  const draft = new Draft(world.store, obligation.owner, slot);
  const setup = prepare(world, draft, obligation, reserve.collateralFarm, 0);
  draft.take(obligation.owner, reserve.token.mint, taken);
  countOutflow(reserve.depositCap, -taken, timeOf(slot));
  draft.move(reserve.liquidityVault, taken);
  draft.move(reserve.collateralVault, ctokens);
  reserve.collateralMint.supply += ctokens;
  deposit.ctokens += ctokens;
  setStake(world, obligation, reserve.collateralFarm, deposit.ctokens, slot);
  finish(world, draft, {
    kind: 'lend',
    operation: 'deposit',
    obligation,
    reserve,
    argument: amount,
    liquidity: taken,
    ctokens,
    fee: 0n,
    ...before,
    closes: false,
    setup,
  });
  return true;
}

/** Withdraws cTokens; `U64_MAX` withdraws all. Of an obligation with debt the program would take less than asked for by that. */
export function withdraw(
  world: World,
  obligation: Obligation,
  reserve: Reserve,
  argument: bigint,
  slot: bigint,
): boolean {
  const deposit = findDeposit(obligation, reserve);
  if (deposit === null) return false;
  refresh(world, obligation, reserve, slot);
  const ctokens = lesser(argument, deposit.ctokens);
  const liquidity = floorScaled(liquiditySfOf(reserve, ctokens));
  if (liquidity <= 0n || liquidity > availableOf(reserve)) return false;
  const before = reservesOf(obligation);
  const draft = new Draft(world.store, obligation.owner, slot);
  const setup = prepare(world, draft, obligation, reserve.collateralFarm, 0);
  draft.move(reserve.collateralVault, -ctokens);
  reserve.collateralMint.supply -= ctokens;
  draft.move(reserve.liquidityVault, -liquidity);
  draft.take(obligation.owner, reserve.token.mint, -liquidity);
  noteLimits(reserve, timeOf(slot));
  countOutflow(reserve.depositCap, liquidity, timeOf(slot));
  deposit.ctokens -= ctokens;
  setStake(world, obligation, reserve.collateralFarm, deposit.ctokens, slot);
  if (deposit.ctokens === 0n) {
    obligation.deposits[obligation.deposits.indexOf(deposit)] = null;
    leaveDeposit(obligation, deposit);
  }
  const closes = closeIfEmpty(world, obligation);
  if (closes) draft.spend(-rentLamports(OBLIGATION_BYTES));
  finish(world, draft, {
    kind: 'lend',
    operation: 'withdraw',
    obligation,
    reserve,
    argument: before.borrows.length === 0 ? argument : ctokens,
    liquidity,
    ctokens,
    fee: 0n,
    ...before,
    closes,
    setup,
  });
  return true;
}

export function borrow(
  world: World,
  obligation: Obligation,
  reserve: Reserve,
  amount: bigint,
  slot: bigint,
): boolean {
  return borrowInGroup(world, obligation, { reserve, group: obligation.group }, amount, slot);
}

/** Borrows, first entering the elevation group if the obligation is not in it. */
export function borrowInGroup(
  world: World,
  obligation: Obligation,
  { reserve, group }: { readonly reserve: Reserve; readonly group: number },
  amount: bigint,
  slot: bigint,
): boolean {
  if (obligation.exists) refreshObligation(world, obligation, slot);
  refreshReserve(world, reserve, slot);
  // Its fee would consume a loan of one unit.
  if (amount <= 1n) return false;
  const { fee, referral } = borrowFee(obligation, reserve, amount);
  const { referrer } = obligation.owner;
  const paid = amount + fee - referral;
  if (paid > availableOf(reserve)) return false;
  const before = reservesOf(obligation);
  const debt = findBorrow(obligation, reserve) ?? openBorrow(obligation, reserve);
  if (debt === null) return false;
  const draft = new Draft(world.store, obligation.owner, slot);
  const entered = group === obligation.group ? 0 : group;
  const setup = prepare(world, draft, obligation, reserve.debtFarm, entered);
  const firstReferral = referrer !== null && creditReferrer(world, referrer, reserve, referral);
  if (firstReferral) draft.rent(referrerTokenState.size);
  if (entered > 0) enterGroup(world, obligation, entered, slot);
  draft.move(reserve.liquidityVault, -paid);
  draft.move(reserve.feeVault, fee - referral);
  draft.take(obligation.owner, reserve.token.mint, -amount);
  debt.amountSf += wholeScaled(amount + fee);
  debt.lastBorrowedTime = timeOf(slot);
  reserve.borrowedSf += wholeScaled(amount + fee);
  countAgainstLimits(obligation, reserve, amount + fee);
  countOutflow(reserve.debtCap, amount + fee, timeOf(slot));
  setStake(world, obligation, reserve.debtFarm, floorScaled(debt.amountSf), slot);
  finish(world, draft, {
    kind: 'lend',
    operation: 'borrow',
    obligation,
    reserve,
    argument: amount,
    liquidity: amount,
    ctokens: 0n,
    fee: fee - referral,
    ...before,
    group,
    closes: false,
    setup: { ...setup, referrer: firstReferral },
  });
  return true;
}

/** Repays; `U64_MAX` repays all, rounded up to a whole unit. */
export function repay(
  world: World,
  obligation: Obligation,
  reserve: Reserve,
  argument: bigint,
  slot: bigint,
): boolean {
  const debt = findBorrow(obligation, reserve);
  // Nobody pays the penalty of an early repayment.
  if (debt === null || reserve.spec.earlyRepayPct !== undefined) return false;
  refresh(world, obligation, reserve, slot);
  const whole = argument === U64_MAX || wholeScaled(argument) >= debt.amountSf;
  const settledSf = whole ? debt.amountSf : wholeScaled(argument);
  const liquidity = whole ? ceilScaled(debt.amountSf) : argument;
  if (liquidity <= 0n) return false;
  const before = reservesOf(obligation);
  const draft = new Draft(world.store, obligation.owner, slot);
  const setup = prepare(world, draft, obligation, reserve.debtFarm, 0);
  draft.take(obligation.owner, reserve.token.mint, liquidity);
  draft.move(reserve.liquidityVault, liquidity);
  debt.amountSf -= settledSf;
  reserve.borrowedSf = atLeastZero(reserve.borrowedSf - settledSf);
  countAgainstLimits(obligation, reserve, -liquidity);
  countOutflow(reserve.debtCap, -liquidity, timeOf(slot));
  setStake(world, obligation, reserve.debtFarm, floorScaled(debt.amountSf), slot);
  if (whole) obligation.borrows[obligation.borrows.indexOf(debt)] = null;
  finish(world, draft, {
    kind: 'lend',
    operation: 'repay',
    obligation,
    reserve,
    argument,
    liquidity,
    ctokens: 0n,
    fee: 0n,
    ...before,
    closes: false,
    setup,
  });
  return true;
}

/** Opens an obligation and leaves it empty. */
export function openObligation(world: World, obligation: Obligation, slot: bigint): void {
  const draft = new Draft(world.store, obligation.owner, slot);
  const { metadata } = prepare(world, draft, obligation, null, 0);
  const { owner } = obligation;
  const concerned = [owner.address, owner.metadata, obligation.address, obligation.market.address];
  world.journal.append(draft, { kind: 'init', obligation, metadata }, concerned);
}

/** An obligation without debt stores nothing on which these actions depend; its values wait for the next refresh. */
function refresh(world: World, obligation: Obligation, reserve: Reserve, slot: bigint): void {
  if (obligation.borrows.some((debt) => debt !== null)) refreshObligation(world, obligation, slot);
  refreshReserve(world, reserve, slot);
}

/** The fee of a loan. The referrer's share stays in the reserve until claimed. */
function borrowFee({ owner, market }: Obligation, { spec }: Reserve, amount: bigint) {
  const referralFeeBps = owner.referrer === null ? 0 : market.referralFeeBps;
  const { fee, referrerFee: referral } = feesOf(wholeScaled(amount), bpsScaled(spec.originationFeeBps), {
    referralFeeBps,
  });
  return { fee: fee + referral, referral };
}

function finish(world: World, draft: Draft, action: LendAction): void {
  const { obligation, reserve } = action;
  for (const changed of [obligation, reserve, reserve.collateralMint]) world.store.touch(changed.address);
  const concerned: Address[] = [
    obligation.owner.address,
    obligation.address,
    obligation.market.address,
    reserve.address,
  ];
  for (const { address } of [...action.deposits, ...action.borrows]) concerned.push(address);
  for (const { holding } of draft.movements) concerned.push(holding.address);
  if (action.setup.metadata || action.setup.obligation) concerned.push(obligation.owner.metadata);
  world.journal.append(draft, action, concerned);
}
