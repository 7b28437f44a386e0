import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { readText } from '@sluice/protocol/layout/codec';
import { ensure } from '../anchor.ts';
import type { Clock } from '../program.ts';
import { displaySf } from './fraction.ts';
import { markRefreshed, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import { accrualUnit, accrueInterest } from './reserve-interest.ts';
import { updateLimitTimestamps } from './reserve-liquidity.ts';
import { giveRewards } from './reserve-rewards.ts';
import type { ReserveState } from './reserve-state.ts';
import { ageOf, type OracleAccounts, oraclePrice, type ValidatedPrice } from './scope-price.ts';

export const RESERVE_VERSION = 1n;

/**
 * Accrues interest, gives rewards and stores the price. Without a price, a stored one that has become too old loses its
 * status. In emergency mode the price stays, without time and status, so that nothing which demands a valid price succeeds.
 */
export function refreshReserveState(
  reserve: ReserveState,
  clock: Clock,
  market: LendingMarket,
  price: ValidatedPrice | null = null,
): void {
  const units = accrualUnit(reserve.config).elapsed(reserve.lastUpdate, clock);
  accrueInterest(reserve, units, market.referralFeeBps);
  giveRewards(reserve, units, market.reserveRewardsMaxAprBps);
  let status: number | null = null;
  if (reserve.config.emergencyMode !== 0) {
    reserve.marketPriceTimestamp = 0n;
    status = PRICE_STATUS.none;
  } else if (price !== null) {
    reserve.marketPriceSf = price.sf;
    reserve.marketPriceTimestamp = price.timestamp;
    status = price.status;
  } else {
    const { maxAgePriceSeconds } = reserve.config.tokenInfo;
    const age = ageOf(reserve.marketPriceTimestamp, clock.unixTimestamp);
    if (age >= maxAgePriceSeconds) status = PRICE_STATUS.none;
  }
  markRefreshed(reserve.lastUpdate, clock, status);
  updateLimitTimestamps(reserve, clock);
}

/** Refreshes one reserve, as both refresh instructions do. Oracles are null when prices are to be left alone. */
export function refreshWithOracles(
  reserve: ReserveState,
  market: LendingMarket,
  oracles: OracleAccounts | null,
  clock: Clock,
  log: (message: string) => void,
): void {
  ensure(reserve.data.version === RESERVE_VERSION, LENDING.reserveDeprecated);
  const { tokenInfo } = reserve.config;
  const isDue = oracles !== null && isPriceRefreshDue(reserve, market, clock);
  const price = isDue ? oraclePrice(tokenInfo, oracles, clock) : null;
  refreshReserveState(reserve, clock, market, price);
  reserve.save();
  if (oracles !== null) log(`Token: ${readText(tokenInfo.name)} Price: ${displaySf(reserve.marketPriceSf)}`);
}

/** A market may let a stored price serve for a part of its maximum age. */
function isPriceRefreshDue(reserve: ReserveState, market: LendingMarket, { unixTimestamp }: Clock): boolean {
  const { maxAgePriceSeconds } = reserve.config.tokenInfo;
  const due = (maxAgePriceSeconds * BigInt(market.priceRefreshTriggerToMaxAgePct)) / 100n;
  return ageOf(reserve.marketPriceTimestamp, unixTimestamp) >= due;
}
