import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { viewOf } from '@sluice/protocol/layout/account';
import { U128_MAX } from '@sluice/protocol/numeric/fraction';
import { presentAddress } from '@sluice/protocol/program-ids';
import { datedPrice, oraclePrices, PRICE_ENTRIES } from '@sluice/protocol/scope/oracle-prices';
import { aborted, ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import { ONE_SF } from './fraction.ts';
import { PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';

type TokenInfo = ReserveConfig['tokenInfo'];

/** A price per whole token in USD, the unix time of its oldest feed, and the checks that it passes. */
export interface ValidatedPrice {
  readonly sf: bigint;
  readonly timestamp: bigint;
  readonly status: number;
}

export type OracleAccount = Pick<InstructionAccount, 'address' | 'data'>;

/** The oracle accounts of a refresh; null when absent. */
export interface OracleAccounts {
  readonly pyth: OracleAccount | null;
  readonly switchboard: OracleAccount | null;
  readonly switchboardTwap: OracleAccount | null;
  readonly scope: OracleAccount | null;
}

/** The program refuses prices with more decimals than this. */
const MAX_EXPONENT = 36n;
/** Factors are cut to this many decimals before a product that would have more. */
const CUT_EXPONENT = 18n;
const END_OF_CHAIN = 65_535;

/**
 * The price that a refresh stores. The localnet has no oracle but Scope: reserves that name another one are refused as
 * without a price (6044). Null when the price cannot be computed, or when it or its average is zero, which leaves the
 * stored one.
 */
export function oraclePrice(info: TokenInfo, oracles: OracleAccounts, clock: Clock): ValidatedPrice | null {
  checkOracles(info, oracles);
  const prices = oracles.scope === null ? null : scopePrices(oracles.scope);
  const { priceChain, twapChain } = info.scopeConfiguration;
  const price = prices === null ? null : feedPrice(priceChain, prices);
  if (prices === null || price === null) throw customError(LENDING.priceNotValid);
  if (price.sf === null || price.sf === 0n) return null;
  const twap = isChain(twapChain) ? feedPrice(twapChain, prices) : null;
  if (info.maxTwapDivergenceBps > 0n && twap?.sf === 0n) return null;
  const status = statusOf(info, { sf: price.sf, timestamp: price.timestamp }, twap, clock.unixTimestamp);
  return { sf: price.sf, timestamp: price.timestamp, status };
}

const isChain = (chain: readonly number[]) =>
  chain.some((feed) => feed !== 0) && chain.some((feed) => feed !== END_OF_CHAIN);

/** Refuses accounts other than those that the reserve names. */
function checkOracles(info: TokenInfo, { pyth, switchboard, switchboardTwap, scope }: OracleAccounts): void {
  const { scopeConfiguration, switchboardConfiguration, pythConfiguration } = info;
  const scopeFeed = presentAddress(scopeConfiguration.priceFeed);
  const pythFeed = presentAddress(pythConfiguration.price);
  const switchboardFeed = presentAddress(switchboardConfiguration.priceAggregator);
  const hasTwap = info.maxTwapDivergenceBps > 0n;
  const isScopeValid = scopeFeed === null || isChain(scopeConfiguration.priceChain);
  const isAny = scopeFeed !== null || pythFeed !== null || switchboardFeed !== null;
  ensure(isScopeValid && isAny, LENDING.invalidOracleConfig);
  const switchboardTwapFeed = presentAddress(switchboardConfiguration.twapAggregator);
  const isTwapValid =
    info.maxAgeTwapSeconds > 0n &&
    (scopeFeed === null || isChain(scopeConfiguration.twapChain)) &&
    (switchboardFeed === null || switchboardTwapFeed !== null);
  ensure(!hasTwap || isTwapValid, LENDING.invalidTwapConfig);
  ensure((pyth?.address ?? null) === pythFeed, LENDING.invalidPythPriceAccount);
  const expectedTwap = switchboardFeed === null ? null : switchboardConfiguration.twapAggregator;
  const isTwapMatching =
    (switchboardTwap?.address ?? null) === expectedTwap || (switchboardFeed !== null && !hasTwap);
  ensure(
    (switchboard?.address ?? null) === switchboardFeed && isTwapMatching,
    LENDING.invalidSwitchboardAccount,
  );
  ensure((scope?.address ?? null) === scopeFeed, LENDING.invalidScopePriceAccount);
}

/** The price of a feed below PRICE_ENTRIES. */
type Feeds = (feed: number) => ReturnType<typeof datedPrice.read>;

/** Null when the account holds no prices. */
function scopePrices({ data }: OracleAccount): Feeds | null {
  const { discriminator, size } = oraclePrices;
  if (data.length < size || !discriminator.every((byte, i) => data[i] === byte)) return null;
  const view = viewOf(data);
  const start = oraclePrices.offsetOf('prices');
  return (feed) => datedPrice.read(view, start + feed * datedPrice.size);
}

interface FeedPrice {
  /** Null when the product overflows. */
  readonly sf: bigint | null;
  readonly timestamp: bigint;
}

/** The product of a chain of feeds; null when the chain is empty. The first index beyond the account ends it. */
function feedPrice(chain: readonly number[], prices: Feeds): FeedPrice | null {
  if (chain.every((feed) => feed === 0)) return null;
  const end = chain.findIndex((feed) => feed >= PRICE_ENTRIES);
  const feeds = (end < 0 ? chain : chain.slice(0, end)).map(prices);
  const [first] = feeds;
  if (first === undefined) return null;
  const timestamp = feeds.reduce(
    (oldest, { unixTimestamp }) => (unixTimestamp < oldest ? unixTimestamp : oldest),
    first.unixTimestamp,
  );
  let [value, exponent] = [1n, 0n];
  for (const { price } of feeds) {
    let factor: readonly [bigint, bigint] = [price.value, price.exp];
    if (exponent + price.exp > MAX_EXPONENT) {
      [value, exponent] = cut(value, exponent);
      factor = cut(price.value, price.exp);
    }
    [value, exponent] = [value * factor[0], exponent + factor[1]];
    if (value >> 256n !== 0n) return { sf: null, timestamp };
  }
  return { sf: priceSf(value, exponent), timestamp };
}

function cut(value: bigint, exponent: bigint): [bigint, bigint] {
  if (exponent <= CUT_EXPONENT) return [value, exponent];
  if (exponent - CUT_EXPONENT > MAX_EXPONENT) throw aborted();
  return [value / 10n ** (exponent - CUT_EXPONENT), CUT_EXPONENT];
}

function priceSf(value: bigint, exponent: bigint): bigint {
  if (exponent > MAX_EXPONENT) throw aborted();
  const sf = (value * ONE_SF) / 10n ** exponent;
  if (sf > U128_MAX) throw aborted();
  return sf;
}

function statusOf(
  info: TokenInfo,
  price: { readonly sf: bigint; readonly timestamp: bigint },
  twap: FeedPrice | null,
  now: bigint,
): number {
  const { maxAgePriceSeconds, maxAgeTwapSeconds, maxTwapDivergenceBps, heuristic } = info;
  let status: number = PRICE_STATUS.loaded;
  if (ageOf(price.timestamp, now) <= maxAgePriceSeconds) status |= PRICE_STATUS.age;
  if (maxTwapDivergenceBps === 0n) {
    status |= PRICE_STATUS.twap | PRICE_STATUS.twapAge;
  } else if (twap !== null) {
    if (ageOf(twap.timestamp, now) <= maxAgeTwapSeconds) status |= PRICE_STATUS.twapAge;
    if (twap.sf !== null && isNear(price.sf, twap.sf, maxTwapDivergenceBps)) status |= PRICE_STATUS.twap;
  }
  if (isWithin(heuristic, price.sf)) status |= PRICE_STATUS.heuristic;
  if (info.blockPriceUsage === 0) status |= PRICE_STATUS.usageAllowed;
  return status;
}

/** Seconds; 0 for a time in the future. */
export const ageOf = (timestamp: bigint, now: bigint) => (now > timestamp ? now - timestamp : 0n);

function isNear(price: bigint, twap: bigint, toleranceBps: bigint): boolean {
  const difference = price > twap ? price - twap : twap - price;
  return difference * 10_000n < price * toleranceBps;
}

/** A bound of 0 is none. */
function isWithin({ lower, upper, exp }: TokenInfo['heuristic'], sf: bigint): boolean {
  if (lower > 0n && sf < priceSf(lower, exp)) return false;
  return upper === 0n || sf <= priceSf(upper, exp);
}
