import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { FRACTION_ONE, FULL_BPS, fromScaledFraction, U128_MAX } from '@sluice/protocol/numeric/fraction';
import { ONE, Rational } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { OraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { isInEmergency } from './reserve.ts';

/** A price per whole token, and how much the lending program trusts it. */
export interface PriceUsd {
  readonly usd: Rational;
  /** Unix seconds of its oldest component. */
  readonly asOf: bigint;
  /** Older than the reserve's maximum price age, or no oracle could be read. */
  readonly stale: boolean;
  /** SCOPE: from the oracle. RESERVE: the one that the lending program stored last. */
  readonly source: 'SCOPE' | 'RESERVE';
  /** Checks that it passes, as bits of `PRICE_CHECKS`. Null when unknown, because no oracle could be read. */
  readonly checks: number | null;
}

/** The checks of a price, as the bits that the program stores in `lastUpdate.priceStatus`. */
export const PRICE_CHECKS = {
  LOADED: 1,
  AGE: 2,
  TWAP_DIVERGENCE: 4,
  TWAP_AGE: 8,
  BOUNDS: 16,
  USAGE: 32,
} as const;

export type PriceCheck = keyof typeof PRICE_CHECKS;

/** Ends a chain of price feeds, like any other index beyond the price account. */
const END_OF_CHAIN = 65_535;
/** The program fails on a price with more decimals. */
const MAX_EXPONENT = 36n;
/** Factors with more decimals than this are cut before a product that would have more than `MAX_EXPONENT`. */
const CUT_EXPONENT = MAX_EXPONENT / 2n;

const ALL_CHECKS: number = Object.values(PRICE_CHECKS).reduce((all, bit) => all | bit, 0);

/** Whether the program accepts the price for borrowing, and for withdrawing while in debt. */
export function passesAll({ checks }: PriceUsd): boolean {
  return checks !== null && (checks & ALL_CHECKS) === ALL_CHECKS;
}

/** The checks that a price fails; null when unknown. */
export function failedChecks({ checks }: PriceUsd): readonly PriceCheck[] | null {
  if (checks === null) return null;
  return (Object.keys(PRICE_CHECKS) as PriceCheck[]).filter((check) => (checks & PRICE_CHECKS[check]) === 0);
}

/** The price that the lending program last stored in the reserve. Null when it stores none. */
export function storedPrice({ liquidity, config, lastUpdate }: Reserve, timestamp: bigint): PriceUsd | null {
  if (liquidity.marketPriceSf === 0n) return null;
  const asOf = liquidity.marketPriceLastUpdatedTs;
  return {
    usd: fromScaledFraction(liquidity.marketPriceSf),
    asOf,
    stale: timestamp - asOf > config.tokenInfo.maxAgePriceSeconds,
    source: 'RESERVE',
    checks: lastUpdate.priceStatus,
  };
}

/**
 * The price that a refresh of the reserve at `timestamp` would leave in it. Every lending action begins with a refresh, so
 * this price decides values and limits. It is the stored one, as stale, without a readable oracle and in emergency mode.
 * Null when there is none.
 * @param oracle the account that the reserve names; undefined when it cannot be read
 */
export function effectivePrice(
  reserve: Reserve,
  market: Pick<LendingMarket, 'priceRefreshTriggerToMaxAgePct'>,
  oracle: OraclePrices | undefined,
  timestamp: bigint,
): PriceUsd | null {
  const stored = storedPrice(reserve, timestamp);
  if (isInEmergency(reserve)) return stored && { ...stored, asOf: 0n, stale: true, checks: 0 };
  if (stored !== null && !isRefreshDue(reserve, market, timestamp)) return kept(reserve, stored, timestamp);
  if (oracle === undefined || presentAddress(reserve.config.tokenInfo.scopeConfiguration.priceFeed) === null)
    return stored && { ...stored, stale: true, checks: null };
  const feed = feedPrice(scopeFeeds(reserve), oracle);
  if (feed === null) return stored && { ...stored, stale: true, checks: 0 };
  const twap = twapOf(reserve.config, oracle);
  // The program takes a source with a zero for one that it could not read.
  if (feed.sf === 0n || twap?.sf === 0n) return stored && kept(reserve, stored, timestamp);
  const checks = checksOf(reserve.config, feed, twap, timestamp);
  return {
    usd: fromScaledFraction(feed.sf),
    asOf: feed.asOf,
    stale: (checks & PRICE_CHECKS.AGE) === 0,
    source: 'SCOPE',
    checks,
  };
}

/** A stored price after a refresh that found no other: it keeps its status only below its maximum age. */
function kept({ config }: Reserve, stored: PriceUsd, timestamp: bigint): PriceUsd {
  const isRecent = age(stored.asOf, timestamp) < config.tokenInfo.maxAgePriceSeconds;
  return isRecent ? stored : { ...stored, stale: true, checks: 0 };
}

/** A market may let a stored price serve for a part of its maximum age. */
function isRefreshDue(
  { liquidity, config }: Reserve,
  { priceRefreshTriggerToMaxAgePct }: Pick<LendingMarket, 'priceRefreshTriggerToMaxAgePct'>,
  timestamp: bigint,
): boolean {
  const dueAfter = (config.tokenInfo.maxAgePriceSeconds * BigInt(priceRefreshTriggerToMaxAgePct)) / 100n;
  return age(liquidity.marketPriceLastUpdatedTs, timestamp) >= dueAfter;
}

/** Seconds; 0 for a time in the future. */
const age = (asOf: bigint, timestamp: bigint): bigint => (timestamp > asOf ? timestamp - asOf : 0n);

/** A price in the program's fixed point. */
interface FeedPrice {
  /** Scaled by 2^60, rounded down. */
  readonly sf: bigint;
  readonly asOf: bigint;
}

/** The average that the price is compared with; null when the reserve compares with none or it cannot be used. */
function twapOf({ tokenInfo }: ReserveConfig, oracle: OraclePrices): FeedPrice | null {
  if (tokenInfo.maxTwapDivergenceBps === 0n) return null;
  return feedPrice(feedsOf(tokenInfo.scopeConfiguration.twapChain), oracle);
}

function checksOf(
  { tokenInfo }: ReserveConfig,
  price: FeedPrice,
  twap: FeedPrice | null,
  timestamp: bigint,
): number {
  const { maxAgePriceSeconds, maxTwapDivergenceBps, maxAgeTwapSeconds, heuristic } = tokenInfo;
  let checks: number = PRICE_CHECKS.LOADED;
  if (age(price.asOf, timestamp) <= maxAgePriceSeconds) checks |= PRICE_CHECKS.AGE;
  if (maxTwapDivergenceBps === 0n) {
    checks |= PRICE_CHECKS.TWAP_AGE | PRICE_CHECKS.TWAP_DIVERGENCE;
  } else {
    if (twap !== null && age(twap.asOf, timestamp) <= maxAgeTwapSeconds) checks |= PRICE_CHECKS.TWAP_AGE;
    if (twap !== null && isNear(price.sf, twap.sf, maxTwapDivergenceBps))
      checks |= PRICE_CHECKS.TWAP_DIVERGENCE;
  }
  if (isWithin(heuristic, price.sf)) checks |= PRICE_CHECKS.BOUNDS;
  if (tokenInfo.blockPriceUsage === 0) checks |= PRICE_CHECKS.USAGE;
  return checks;
}

function isNear(price: bigint, twap: bigint, toleranceBps: bigint): boolean {
  const difference = price > twap ? price - twap : twap - price;
  return difference * FULL_BPS < price * toleranceBps;
}

/** A bound of 0 is none. */
function isWithin({ lower, upper, exp }: ReserveConfig['tokenInfo']['heuristic'], price: bigint): boolean {
  const scaled = (bound: bigint) => (bound * FRACTION_ONE) / 10n ** exp;
  if (exp > MAX_EXPONENT) return lower === 0n && upper === 0n;
  return (lower === 0n || price >= scaled(lower)) && (upper === 0n || price <= scaled(upper));
}

const feedsByConfig = new WeakMap<ReserveConfig, readonly number[]>();

/** The feeds whose prices are multiplied, as indexes into the price account; empty when the reserve names none. */
export function scopeFeeds({ config }: Reserve): readonly number[] {
  const feeds = feedsByConfig.get(config) ?? feedsOf(config.tokenInfo.scopeConfiguration.priceChain);
  feedsByConfig.set(config, feeds);
  return feeds;
}

function feedsOf(chain: readonly number[]): readonly number[] {
  if (chain.every((feed) => feed === 0)) return [];
  const end = chain.indexOf(END_OF_CHAIN);
  return end < 0 ? [...chain] : chain.slice(0, end);
}

/** The product of feeds as the program computes it, with the time of the oldest. Null when one cannot be used. */
function feedPrice(feeds: readonly number[], oracle: OraclePrices): FeedPrice | null {
  let [value, exponent] = [1n, 0n];
  let asOf: bigint | null = null;
  for (const feed of feeds) {
    const entry = oracle.prices[feed];
    if (entry === undefined) break;
    let { value: factor, exp } = entry.price;
    if (exp > MAX_EXPONENT) return null;
    if (exponent + exp > MAX_EXPONENT) {
      [value, exponent] = cut(value, exponent);
      [factor, exp] = cut(factor, exp);
    }
    [value, exponent] = [value * factor, exponent + exp];
    if (asOf === null || entry.unixTimestamp < asOf) asOf = entry.unixTimestamp;
  }
  const sf = (value * FRACTION_ONE) / 10n ** exponent;
  return asOf === null || sf > U128_MAX ? null : { sf, asOf };
}

function cut(value: bigint, exponent: bigint): [bigint, bigint] {
  if (exponent <= CUT_EXPONENT) return [value, exponent];
  return [value / 10n ** (exponent - CUT_EXPONENT), CUT_EXPONENT];
}

/**
 * The oracle's exchange rate between two tokens, when the price of one is defined as a rate times the price of the other,
 * as for liquid-staking tokens. Null when it is not, or a feed has no usable price.
 */
export function scopeRateIn(reserve: Reserve, base: Reserve, oracle: OraclePrices): Rational | null {
  const [feeds, baseFeeds] = [scopeFeeds(reserve), scopeFeeds(base)];
  const rates = feeds.slice(0, Math.max(0, feeds.length - baseFeeds.length));
  const shared = feeds.slice(rates.length);
  if (rates.length === 0 || baseFeeds.length === 0 || shared.some((feed, i) => feed !== baseFeeds[i]))
    return null;
  return rateOf(rates, oracle);
}

/** The exact product of feeds; null when one has no usable value. */
function rateOf(feeds: readonly number[], oracle: OraclePrices): Rational | null {
  let rate = ONE;
  for (const feed of feeds) {
    const { value, exp } = oracle.prices[feed]?.price ?? { value: 0n, exp: 0n };
    if (value === 0n || exp > MAX_EXPONENT) return null;
    rate = rate.mul(Rational.of(value, 10n ** exp));
  }
  return rate;
}

/** Converts USD to SOL; null when the value or the SOL price is unknown. */
export function inSol(usd: Rational | null, solPriceUsd: Rational | null): Rational | null {
  if (usd === null || solPriceUsd === null || solPriceUsd.isZero) return null;
  return usd.div(solPriceUsd);
}
