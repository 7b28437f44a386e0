import { fromScaledFraction } from '../numeric/fraction.ts';
import { ONE, Rational } from '../numeric/rational.ts';
import type { Reserve } from '../programs/klend/reserve.ts';
import type { ReserveConfig } from '../programs/klend/reserve-config.ts';
import type { OraclePrices } from '../programs/scope/oracle-prices.ts';

/** A price per whole token, with its age. */
export interface PriceUsd {
  readonly usd: Rational;
  /** Unix seconds of the oldest figure in it. */
  readonly asOf: bigint;
  /** Older than the reserve lets a price be. */
  readonly stale: boolean;
}

/** Ends a chain of price feeds. */
const END_OF_CHAIN = 65_535;
/** No feed has more decimals; a greater exponent is damage. */
const MAX_EXPONENT = 38n;

/** The price that the lending program used last, as stored in the reserve. Null when it holds none. */
export function reservePrice({ liquidity, config }: Reserve, timestamp: bigint): PriceUsd | null {
  if (liquidity.marketPriceSf === 0n) return null;
  const asOf = liquidity.marketPriceLastUpdatedTs;
  return {
    usd: fromScaledFraction(liquidity.marketPriceSf),
    asOf,
    stale: timestamp - asOf > config.tokenInfo.maxAgePriceSeconds,
  };
}

const knownFeeds = new WeakMap<ReserveConfig, readonly number[]>();

/** The feeds whose prices are multiplied, as indexes into the price account; empty when the reserve names none. */
export function scopeFeeds({ config }: Reserve): readonly number[] {
  const feeds = knownFeeds.get(config) ?? readFeeds(config);
  knownFeeds.set(config, feeds);
  return feeds;
}

function readFeeds(config: ReserveConfig): readonly number[] {
  const { priceChain } = config.tokenInfo.scopeConfiguration;
  if (priceChain.every((feed) => feed === 0)) return [];
  const end = priceChain.indexOf(END_OF_CHAIN);
  return end < 0 ? [...priceChain] : priceChain.slice(0, end);
}

/**
 * The live price of a reserve's token from the oracle account that its settings name, at a unix time in seconds. Null
 * when the reserve names no feed or a feed of the chain holds no usable price.
 */
export function scopePrice(reserve: Reserve, oracle: OraclePrices, timestamp: bigint): PriceUsd | null {
  const price = product(scopeFeeds(reserve), oracle);
  if (price === null) return null;
  const { value, asOf } = price;
  return { usd: value, asOf, stale: timestamp - asOf > reserve.config.tokenInfo.maxAgePriceSeconds };
}

/** The product of feeds and the time of the oldest; null for no feeds, and when one holds no usable figure. */
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
 * What one token is worth in another by the oracle, when its price is made of a rate on top of the other's price, as a
 * liquid-staking token's is. Null when it is not, or a feed holds no usable figure.
 */
export function scopeRateIn(reserve: Reserve, base: Reserve, oracle: OraclePrices): Rational | null {
  const [feeds, baseFeeds] = [scopeFeeds(reserve), scopeFeeds(base)];
  const rates = feeds.slice(0, Math.max(0, feeds.length - baseFeeds.length));
  const shared = feeds.slice(rates.length);
  if (rates.length === 0 || baseFeeds.length === 0 || shared.some((feed, i) => feed !== baseFeeds[i]))
    return null;
  return product(rates, oracle)?.value ?? null;
}

/** A USD value in SOL; null when either is unknown or SOL has no price. */
export function inSol(usd: Rational | null, solPriceUsd: Rational | null): Rational | null {
  if (usd === null || solPriceUsd === null || solPriceUsd.isZero) return null;
  return usd.div(solPriceUsd);
}
