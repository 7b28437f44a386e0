import { fromScaledFraction } from '../numeric/fraction.ts';
import { ONE, Rational } from '../numeric/rational.ts';
import type { Reserve } from '../programs/klend/reserve.ts';
import type { ReserveConfig } from '../programs/klend/reserve-config.ts';
import type { OraclePrices } from '../programs/scope/oracle-prices.ts';

/** A price per whole token, with its age. */
export interface PriceUsd {
  readonly usd: Rational;
  /** Unix seconds of its oldest component. */
  readonly asOf: bigint;
  /** Older than the reserve's maximum price age. */
  readonly stale: boolean;
}

/** Ends a chain of price feeds. */
const END_OF_CHAIN = 65_535;
/** No feed has more decimals; a greater exponent is corrupt data. */
const MAX_EXPONENT = 38n;

/** The price that the lending program last stored in the reserve. Null when it stores none. */
export function reservePrice({ liquidity, config }: Reserve, timestamp: bigint): PriceUsd | null {
  if (liquidity.marketPriceSf === 0n) return null;
  const asOf = liquidity.marketPriceLastUpdatedTs;
  return {
    usd: fromScaledFraction(liquidity.marketPriceSf),
    asOf,
    stale: timestamp - asOf > config.tokenInfo.maxAgePriceSeconds,
  };
}

const feedsByConfig = new WeakMap<ReserveConfig, readonly number[]>();

/** The feeds whose prices are multiplied, as indexes into the price account; empty when the reserve names none. */
export function scopeFeeds({ config }: Reserve): readonly number[] {
  const feeds = feedsByConfig.get(config) ?? readFeeds(config);
  feedsByConfig.set(config, feeds);
  return feeds;
}

function readFeeds(config: ReserveConfig): readonly number[] {
  const { priceChain } = config.tokenInfo.scopeConfiguration;
  if (priceChain.every((feed) => feed === 0)) return [];
  const end = priceChain.indexOf(END_OF_CHAIN);
  return end < 0 ? [...priceChain] : priceChain.slice(0, end);
}

/**
 * The live price of a reserve's token from the oracle account of its settings; `timestamp` in unix seconds. Null when the
 * reserve names no feed, or a feed has no usable price.
 */
export function scopePrice(reserve: Reserve, oracle: OraclePrices, timestamp: bigint): PriceUsd | null {
  const price = product(scopeFeeds(reserve), oracle);
  if (price === null) return null;
  const { value, asOf } = price;
  return { usd: value, asOf, stale: timestamp - asOf > reserve.config.tokenInfo.maxAgePriceSeconds };
}

/** The product of the feeds and the time of the oldest; null without feeds, and when one has no usable price. */
function product(feeds: readonly number[], oracle: OraclePrices): { value: Rational; asOf: bigint } | null {
  let value = ONE;
  let asOf: bigint | null = null;
  for (const feed of feeds) {
    const entry = oracle.prices[feed];
    if (entry === undefined || entry.price.value === 0n || entry.price.exp > MAX_EXPONENT) return null;
    value = value.mul(Rational.of(entry.price.value, 10n ** entry.price.exp));
    if (asOf === null || entry.unixTimestamp < asOf) asOf = entry.unixTimestamp;
  }
  return asOf === null ? null : { value, asOf };
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
  return product(rates, oracle)?.value ?? null;
}

/** Converts USD to SOL; null when the value or the SOL price is unknown. */
export function inSol(usd: Rational | null, solPriceUsd: Rational | null): Rational | null {
  if (usd === null || solPriceUsd === null || solPriceUsd.isZero) return null;
  return usd.div(solPriceUsd);
}
