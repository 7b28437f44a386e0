import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import { countAgainstLimits, refreshObligation } from './debts.ts';
import { Draft } from './journal.ts';
import { reservesOf, setStake } from './lending-setup.ts';
import type { Borrow, Deposit, Obligation, Wallet } from './model.ts';
import {
  availableOf,
  floorSf,
  liquiditySfOf,
  maxOf,
  minOf,
  toSf,
  totalSupplySf,
  valueSfOf,
} from './program-maths.ts';
import type { World } from './world.ts';

/**
 * The share of a debt that one liquidation may repay, and the liquidator's bonus, of which the protocol takes
 * half.
 */
const CLOSE_FACTOR_PCT = 20n;
const BONUS_BPS = 500n;
const PROTOCOL_PCT = 50n;
const BPS = 10_000n;

/**
 * Liquidates part of the largest debt against the largest deposit. False when the program would reject it.
 */
export function liquidate(world: World, obligation: Obligation, liquidator: Wallet, slot: bigint): boolean {
  if (!obligation.exists) return false;
  refreshObligation(world, obligation, slot);
  if (obligation.unhealthySf >= obligation.adjustedDebtSf) return false;
  const debt = largest(obligation.borrows);
  const deposit = largest(obligation.deposits);
  if (debt === null || deposit === null || debt.reserve === deposit.reserve) return false;
  const repaid = (floorSf(debt.amountSf) * CLOSE_FACTOR_PCT) / 100n;
  const ctokens = minOf(deposit.ctokens, collateralWorth(deposit, seizedSf(debt, repaid)));
  const collateral = deposit.reserve;
  const liquidity = floorSf(liquiditySfOf(collateral, ctokens));
  if (repaid <= 0n || liquidity <= 0n || liquidity > availableOf(collateral)) return false;
  const fee = (liquidity * BONUS_BPS * PROTOCOL_PCT) / ((BPS + BONUS_BPS) * 100n);
  const { deposits, borrows } = reservesOf(obligation);

  const draft = new Draft(world.store, liquidator, slot);
  draft.take(liquidator, debt.reserve.token.mint, repaid);
  draft.move(debt.reserve.liquidityVault, repaid);
  draft.move(collateral.collateralVault, -ctokens);
  // The collateral tokens pass through the liquidator's account and are redeemed at once.
  draft.move(draft.accountFor(liquidator, collateral.collateralMint), 0n);
  collateral.collateralMint.supply -= ctokens;
  draft.move(collateral.liquidityVault, -liquidity);
  draft.take(liquidator, collateral.token.mint, fee - liquidity);
  draft.move(collateral.feeVault, fee);
  debt.amountSf -= toSf(repaid);
  debt.reserve.borrowedSf = maxOf(0n, debt.reserve.borrowedSf - toSf(repaid));
  countAgainstLimits(obligation, debt.reserve, -repaid);
  deposit.ctokens -= ctokens;
  if (deposit.ctokens === 0n) obligation.deposits[obligation.deposits.indexOf(deposit)] = null;
  setStake(world, obligation, debt.reserve.debtFarm, floorSf(debt.amountSf), slot);
  setStake(world, obligation, collateral.collateralFarm, deposit.ctokens, slot);
  for (const { address } of [obligation, debt.reserve, collateral, collateral.collateralMint])
    world.store.touch(address);

  const concerned: Address[] = [liquidator.address, obligation.address, obligation.market.address];
  for (const { address } of [...deposits, ...borrows]) concerned.push(address);
  for (const { holding } of draft.movements) concerned.push(holding.address);
  world.journal.append(
    slot,
    draft,
    {
      kind: 'liquidation',
      obligation,
      debt: debt.reserve,
      collateral,
      repaid,
      ctokens,
      liquidity,
      fee,
      deposits,
      borrows,
    },
    concerned,
  );
  refreshObligation(world, obligation, slot);
  return true;
}

function largest<T extends Deposit | Borrow>(slots: readonly (T | null)[]): T | null {
  let found: T | null = null;
  for (const slot of slots) if (slot !== null && slot.valueSf > (found?.valueSf ?? 0n)) found = slot;
  return found;
}

/** The value of the collateral seized for a repayment, bonus included. USD scaled by 2^60. */
function seizedSf({ reserve }: Borrow, repaid: bigint): bigint {
  return (valueSfOf(reserve, toSf(repaid)) * (BPS + BONUS_BPS)) / BPS;
}

/** The collateral tokens worth this many USD (scaled by 2^60). */
function collateralWorth({ reserve }: Deposit, usdSf: bigint): bigint {
  const liquiditySf = (usdSf * 10n ** BigInt(reserve.token.mint.decimals) * FRACTION_ONE) / reserve.priceSf;
  return (liquiditySf * reserve.collateralMint.supply) / totalSupplySf(reserve);
}
