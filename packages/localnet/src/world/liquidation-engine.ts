import { ceilScaled, divideScaled, floorScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';
import { liquidationFee } from '../runtime/klend/liquidation-size.ts';
import { countAgainstLimits, leaveDeposit, refreshObligation } from './debts.ts';
import { Draft } from './journal.ts';
import { reservesOf, setStake } from './lending-setup.ts';
import { sizeWithBonus } from './liquidation-size.ts';
import { PROTOCOL_LIQUIDATION_FEE_PCT } from './liquidation-terms.ts';
import type { Borrow, Deposit, Obligation, Wallet } from './model.ts';
import { availableOf, liquiditySfOf, noteLimits } from './program-maths.ts';
import { timeOf } from './time.ts';
import type { World } from './world.ts';

/**
 * Offers to repay the largest of the riskiest debts whole, for the largest of the riskiest deposits; the program limits what is
 * taken. False when nothing can be liquidated, or when the reserve cannot pay out all that is seized.
 */
export function liquidate(world: World, obligation: Obligation, liquidator: Wallet, slot: bigint): boolean {
  if (!obligation.exists) return false;
  refreshObligation(world, obligation, slot);
  if (!isUnhealthy(obligation)) return false;
  const debt = largest(
    obligation.borrows,
    ({ reserve }) => reserve.spec.borrowFactorPct >= obligation.highestBorrowFactor,
  );
  const deposit = largest(obligation.deposits, ({ reserve }) =>
    isRiskiest(obligation, reserve.spec.liquidationPct),
  );
  if (debt === null || deposit === null || debt.reserve === deposit.reserve) return false;
  const offered = ceilScaled(debt.amountSf);
  const { settledSf, repaid, seized: ctokens, bonusSf } = sizeWithBonus(obligation, debt, deposit, offered);
  const collateral = deposit.reserve;
  const liquidity = floorScaled(liquiditySfOf(collateral, ctokens));
  if (repaid <= 0n || liquidity <= 0n || liquidity > availableOf(collateral)) return false;
  const fee = liquidationFee(liquidity, bonusSf, PROTOCOL_LIQUIDATION_FEE_PCT);
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
  countAgainstLimits(obligation, debt.reserve, -repaid);
  debt.amountSf -= settledSf;
  debt.reserve.borrowedSf = atLeastZero(debt.reserve.borrowedSf - settledSf);
  if (debt.amountSf === 0n) obligation.borrows[obligation.borrows.indexOf(debt)] = null;
  deposit.ctokens -= ctokens;
  if (deposit.ctokens === 0n) {
    obligation.deposits[obligation.deposits.indexOf(deposit)] = null;
    leaveDeposit(obligation, deposit);
  }
  noteLimits(collateral, timeOf(slot));
  setStake(world, obligation, debt.reserve.debtFarm, floorScaled(debt.amountSf), slot);
  setStake(world, obligation, collateral.collateralFarm, deposit.ctokens, slot);
  for (const { address } of [obligation, debt.reserve, collateral, collateral.collateralMint])
    world.store.touch(address);

  const concerned: Address[] = [liquidator.address, obligation.address, obligation.market.address];
  for (const { address } of [...deposits, ...borrows]) concerned.push(address);
  for (const { holding } of draft.movements) concerned.push(holding.address);
  world.journal.append(
    draft,
    {
      kind: 'liquidation',
      obligation,
      debt: debt.reserve,
      collateral,
      offered,
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

function isUnhealthy({ adjustedDebtSf, unhealthySf, depositedValueSf }: Obligation): boolean {
  if (adjustedDebtSf === 0n || depositedValueSf === 0n) return false;
  return divideScaled(adjustedDebtSf, depositedValueSf) >= divideScaled(unhealthySf, depositedValueSf);
}

/** In a group all deposits have the group's terms. */
const isRiskiest = ({ group, lowestLiquidationLtv }: Obligation, liquidationPct: number) =>
  group !== 0 || (liquidationPct > 0 && liquidationPct <= lowestLiquidationLtv);

function largest<T extends Deposit | Borrow>(
  slots: readonly (T | null)[],
  fits: (slot: T) => boolean,
): T | null {
  let found: T | null = null;
  for (const slot of slots) {
    if (slot !== null && slot.valueSf > (found?.valueSf ?? 0n) && fits(slot)) found = slot;
  }
  return found;
}
