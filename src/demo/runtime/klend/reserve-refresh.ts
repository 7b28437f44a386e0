import type { LendingMarket } from '../../../programs/klend/lending-market.ts';
import { readText } from '../../../programs/layout/codec.ts';
import { ensure } from '../anchor.ts';
import type { Clock } from '../program.ts';
import { displaySf } from './fraction.ts';
import { markRefreshed, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import { accrueInterest } from './reserve-interest.ts';
import { updateLimitTimestamps } from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';
import { ageOf, type OracleAccounts, oraclePrice, type ValidatedPrice } from './scope-price.ts';

export const RESERVE_VERSION = 1n;

/** Accrues interest and stores the price. Without a price, a stored one that has become too old loses its status. */
export function refreshReserveState(
  reserve: ReserveState,
  clock: Clock,
  referralFeeBps: number,
  price: ValidatedPrice | null = null,
): void {
  accrueInterest(reserve, clock, referralFeeBps);
  let status: number | null = null;
  if (price !== null) {
    reserve.marketPriceSf = price.sf;
    reserve.marketPriceTimestamp = price.timestamp;
    status = price.status;
  } else {
    const { maxAgePriceSeconds } = reserve.config.tokenInfo;
    const age = ageOf(reserve.marketPriceTimestamp, clock.unixTimestamp);
    if (age >= maxAgePriceSeconds) status = PRICE_STATUS.none;
  }
  markRefreshed(reserve.lastUpdate, clock.slot, status);
}

/** What the two refresh instructions do to one reserve. Oracles are null when prices are to be left alone. */
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
  refreshReserveState(reserve, clock, market.referralFeeBps, price);
  updateLimitTimestamps(reserve, clock);
  reserve.save();
  if (oracles !== null) log(`Token: ${readText(tokenInfo.name)} Price: ${displaySf(reserve.marketPriceSf)}`);
}

/** A market may let a stored price serve for a part of its maximum age. */
function isPriceRefreshDue(reserve: ReserveState, market: LendingMarket, { unixTimestamp }: Clock): boolean {
  const { maxAgePriceSeconds } = reserve.config.tokenInfo;
  const due = (maxAgePriceSeconds * BigInt(market.priceRefreshTriggerToMaxAgePct)) / 100n;
  return ageOf(reserve.marketPriceTimestamp, unixTimestamp) >= due;
}
