import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { collateralTerms, isGroupMember, recountInGroup } from './elevation-group.ts';
import { collateralToLiquiditySf, exchangeRateOf } from './exchange-rate.ts';
import { addSf, mulSf, percentSf, wholeSf } from './fraction.ts';
import { PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import type { DepositState } from './obligation-slots.ts';
import type { ObligationState } from './obligation-state.ts';
import type { RefreshTerms } from './referrer-fees.ts';
import { refreshedReserve } from './refreshed-reserve.ts';
import { isObsolete } from './reserve-checks.ts';
import { marketValueSf } from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';

/** The deposits of an obligation together. */
export interface RefreshedDeposits {
  readonly valueSf: bigint;
  readonly allowedDebtValueSf: bigint;
  readonly unhealthyDebtValueSf: bigint;
  /** 255 without a deposit that counts; likewise below. */
  readonly lowestLiquidationLtvPct: number;
  readonly lowestMaxLtvPct: number;
  readonly obsolete: number;
  readonly priceStatus: number;
  /** Whether a deposit backs debt in elevation groups only, and the obligation is in none. */
  readonly borrowingDisabled: boolean;
}

const NO_LTV = 255;

/**
 * Values every deposit. `reserves` are in the order of the deposits, one for each; `owed` is the obligation's debt in base
 * units, which collateral reserves of a group count.
 */
export function refreshDeposits(
  obligation: ObligationState,
  terms: RefreshTerms,
  reserves: readonly InstructionAccount[],
  owed: bigint,
): RefreshedDeposits {
  const { market, clock, group } = terms;
  let [valueSf, allowedDebtValueSf, unhealthyDebtValueSf] = [0n, 0n, 0n];
  let [lowestLiquidationLtvPct, lowestMaxLtvPct, obsolete] = [NO_LTV, NO_LTV, 0];
  let [priceStatus, borrowingDisabled] = [PRICE_STATUS.all as number, false];
  for (const [i, deposit] of obligation.activeDeposits.entries()) {
    const reserve = refreshedReserve(reserves[i], deposit.reserve, clock);
    if (group === null && reserve.config.disableUsageAsCollOutsideEmode > 0) borrowingDisabled = true;
    if (isObsolete(reserve)) obsolete += 1;
    countInGroup(deposit, reserve, terms, owed);
    deposit.valueSf = depositValueSf(reserve, deposit.collateral);
    const { ltvPct, liquidationThresholdPct } = collateralTerms(reserve, group);
    const counts = deposit.valueSf >= wholeSf(market.minValueSkipLiquidationLtvChecks);
    if (counts && liquidationThresholdPct > 0) {
      lowestLiquidationLtvPct = Math.min(lowestLiquidationLtvPct, liquidationThresholdPct);
    }
    lowestMaxLtvPct = Math.min(lowestMaxLtvPct, ltvPct);
    valueSf = addSf(valueSf, deposit.valueSf);
    allowedDebtValueSf = addSf(allowedDebtValueSf, mulSf(deposit.valueSf, percentSf(ltvPct)));
    const unhealthySf = mulSf(deposit.valueSf, percentSf(liquidationThresholdPct));
    unhealthyDebtValueSf = addSf(unhealthyDebtValueSf, unhealthySf);
    priceStatus &= reserve.lastUpdate.priceStatus;
    reserve.save();
  }
  return {
    valueSf,
    allowedDebtValueSf,
    unhealthyDebtValueSf,
    lowestLiquidationLtvPct,
    lowestMaxLtvPct,
    obsolete,
    priceStatus,
    borrowingDisabled,
  };
}

/** USD of collateral tokens. */
export function depositValueSf(reserve: ReserveState, collateral: bigint): bigint {
  return marketValueSf(reserve, collateralToLiquiditySf(exchangeRateOf(reserve), collateral));
}

function countInGroup(
  deposit: DepositState,
  reserve: ReserveState,
  { group }: RefreshTerms,
  owed: bigint,
): void {
  if (group === null) return;
  ensure(isGroupMember(reserve, group), LENDING.inconsistentElevationGroup);
  ensure(reserve.address !== group.debtReserve, LENDING.elevationGroupDebtReserveAsCollateral);
  recountInGroup(reserve, group.id, deposit.borrowedInGroup, owed);
  deposit.borrowedInGroup = owed;
}
