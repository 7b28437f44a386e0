import type { Reserve } from '@sluice/protocol/klend/reserve';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { NO_ADDRESS, SCOPE_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { type OraclePrices, oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { describe, expect, it } from 'vitest';
import {
  effectivePrice,
  failedChecks,
  type PriceCheck,
  passesAll,
  scopeFeeds,
  storedPrice,
} from '../../src/domain/price.ts';
import { makeReserve, NOW, type ReserveInput } from '../support/domain/domain-accounts.ts';

const T = NOW.timestamp;
const END = 65_535;
const chainOf = (...feeds: number[]) => [...feeds, END, END, END, END].slice(0, 4);

type TokenInfo = NonNullable<NonNullable<ReserveInput['config']>['tokenInfo']>;

/** A reserve that stores 3 USD since a minute ago, and allows prices of up to 60 seconds. */
function reserveWith(
  chain: readonly number[],
  tokenInfo: TokenInfo = {},
  change: ReserveInput = {},
  config: ReserveInput['config'] = {},
): Reserve {
  return makeReserve({
    lastUpdate: { priceStatus: 0b11_1111 },
    ...change,
    liquidity: {
      marketPriceSf: 3n * FRACTION_ONE,
      marketPriceLastUpdatedTs: T - 60n,
      ...change.liquidity,
    },
    config: {
      ...config,
      tokenInfo: {
        maxAgePriceSeconds: 60n,
        maxAgeTwapSeconds: 240n,
        ...tokenInfo,
        scopeConfiguration: {
          priceFeed: WRAPPED_SOL_MINT,
          priceChain: [...chain],
          ...tokenInfo.scopeConfiguration,
        },
      },
    },
  });
}

type Entry = readonly [value: bigint, exp: bigint, asOf?: bigint];

function oracleOf(...entries: Entry[]): OraclePrices {
  const prices = entries.map(([value, exp, asOf = T - 5n]) => ({
    price: { value, exp },
    unixTimestamp: asOf,
  }));
  return oraclePrices.decode({ owner: SCOPE_PROGRAM, data: oraclePrices.encode({ prices }) }, SCOPE_PROGRAM);
}

const EVERY_ACTION = { priceRefreshTriggerToMaxAgePct: 0 };
const at = (reserve: Reserve, oracle: OraclePrices | undefined, timestamp = T, market = EVERY_ACTION) =>
  effectivePrice(reserve, market, oracle, timestamp);

describe('the stored price', () => {
  it('has an age, and is null when there is none', () => {
    expect(storedPrice(reserveWith([]), T)).toMatchObject({ asOf: T - 60n, stale: false, source: 'RESERVE' });
    expect(storedPrice(reserveWith([]), T + 1n)).toMatchObject({ stale: true });
    expect(storedPrice(reserveWith([], {}, { liquidity: { marketPriceSf: 0n } }), T)).toBeNull();
  });
});

describe('the effective price', () => {
  it('is the price of the oracle, whatever the reserve stores', () => {
    const price = at(reserveWith(chainOf(0)), oracleOf([250n, 2n]));
    expect(price).toMatchObject({ asOf: T - 5n, stale: false, source: 'SCOPE' });
    expect(price && [toDecimalString(price.usd), passesAll(price), failedChecks(price)]).toEqual([
      '2.5',
      true,
      [],
    ]);
  });

  it('is rounded down to 2^-60 as the program does', () => {
    const price = at(reserveWith(chainOf(0)), oracleOf([1n, 1n]));
    expect(price && toScaledFraction(price.usd)).toBe(115_292_150_460_684_697n);
  });

  it('is the product of a chain, as old as its oldest feed', () => {
    const oracle = oracleOf([15n, 1n, T - 5n], [200n, 2n, T - 61n]);
    const price = at(reserveWith(chainOf(0, 1)), oracle);
    expect(price && [toDecimalString(price.usd), price.asOf, price.stale]).toEqual(['3', T - 61n, true]);
    expect(at(reserveWith([0, END, 1, 1]), oracle)).toMatchObject({ stale: false });
    expect(at(reserveWith([0, 600, 1, 1]), oracle)).toMatchObject({ asOf: T - 5n });
  });

  it('cuts factors to 18 decimals where the product would have more than 36', () => {
    const oracle = oracleOf([3n * 10n ** 18n + 9n, 19n], [10n ** 18n, 18n]);
    // The first factor loses its last digit: 0.3 exactly.
    const price = at(reserveWith(chainOf(0, 1)), oracle);
    expect(price && toScaledFraction(price.usd)).toBe(345_876_451_382_054_092n);
    const short = at(reserveWith(chainOf(0)), oracle);
    expect(short && toScaledFraction(short.usd)).toBe(345_876_451_382_054_093n);
  });

  it('is the stored one, as stale, when no oracle can be read', () => {
    for (const price of [
      at(reserveWith(chainOf(0)), undefined),
      at(reserveWith(chainOf(0), { scopeConfiguration: { priceFeed: NO_ADDRESS } }), oracleOf([24n, 1n])),
    ]) {
      expect(price).toMatchObject({ stale: true, source: 'RESERVE', checks: null });
      expect(price && toDecimalString(price.usd)).toBe('3');
      expect(price && failedChecks(price)).toBeNull();
    }
  });

  it('is the stored one without any passed check when the feeds cannot be used', () => {
    expect(scopeFeeds(reserveWith([0, 0, 0, 0]))).toEqual([]);
    const oracle = oracleOf([1n, 37n]);
    for (const chain of [[0, 0, 0, 0], chainOf(), chainOf(600), chainOf(0)]) {
      expect(at(reserveWith(chain), oracle)).toMatchObject({ stale: true, source: 'RESERVE', checks: 0 });
    }
  });

  it('is the stored one when the oracle says zero, with its checks while it is recent', () => {
    const stored = (asOf: bigint, marketPriceSf = 3n * FRACTION_ONE) =>
      reserveWith(chainOf(0), {}, { liquidity: { marketPriceLastUpdatedTs: asOf, marketPriceSf } });
    const zero = oracleOf([0n, 2n]);
    const recent = at(stored(T - 59n), zero);
    expect(recent).toMatchObject({ asOf: T - 59n, source: 'RESERVE', stale: false, checks: 63 });
    expect(recent && toDecimalString(recent.usd)).toBe('3');
    expect(at(stored(T - 60n), zero)).toMatchObject({ asOf: T - 60n, stale: true, checks: 0 });
    // A reserve that never had a price cannot be valued.
    expect(at(stored(0n, 0n), zero)).toBeNull();
  });

  it('is the stored one when the average is zero and the reserve compares with it', () => {
    const scopeConfiguration = { twapChain: chainOf(1) };
    const oracle = oracleOf([10n, 0n], [0n, 2n]);
    const compared = reserveWith(chainOf(0), { maxTwapDivergenceBps: 500n, scopeConfiguration });
    expect(at(compared, oracle)).toMatchObject({ source: 'RESERVE', asOf: T - 60n, checks: 0 });
    expect(at(reserveWith(chainOf(0), { scopeConfiguration }), oracle)).toMatchObject({ source: 'SCOPE' });
  });

  it('is the stored one without time and checks in emergency mode', () => {
    const reserve = reserveWith(chainOf(0), {}, {}, { emergencyMode: 1 });
    const market = { priceRefreshTriggerToMaxAgePct: 200 };
    for (const price of [at(reserve, oracleOf([24n, 1n])), at(reserve, undefined, T - 59n, market)]) {
      expect(price).toMatchObject({ asOf: 0n, source: 'RESERVE', stale: true, checks: 0 });
      expect(price && toDecimalString(price.usd)).toBe('3');
    }
  });

  it('is the stored one while the market does not refresh it yet', () => {
    const market = { priceRefreshTriggerToMaxAgePct: 50 };
    const stored = (asOf: bigint) =>
      reserveWith(chainOf(0), {}, { liquidity: { marketPriceLastUpdatedTs: asOf } });
    const oracle = oracleOf([24n, 1n]);
    expect(at(stored(T - 29n), oracle, T, market)).toMatchObject({
      source: 'RESERVE',
      stale: false,
      checks: 63,
    });
    expect(at(stored(T - 30n), oracle, T, market)).toMatchObject({ source: 'SCOPE' });
    const late = { priceRefreshTriggerToMaxAgePct: 200 };
    expect(at(stored(T - 59n), oracle, T, late)).toMatchObject({ source: 'RESERVE', checks: 63 });
    expect(at(stored(T - 60n), oracle, T, late)).toMatchObject({ source: 'RESERVE', stale: true, checks: 0 });
  });
});

describe('the checks of the effective price', () => {
  const TWAP = { maxTwapDivergenceBps: 500n, scopeConfiguration: { twapChain: chainOf(1) } };
  const CASES: readonly (readonly [string, readonly PriceCheck[], TokenInfo, OraclePrices])[] = [
    ['a price of the maximum age', [], {}, oracleOf([10n, 0n, T - 60n])],
    ['an older price', ['AGE'], {}, oracleOf([10n, 0n, T - 61n])],
    ['a price from the future', [], {}, oracleOf([10n, 0n, T + 5n])],
    ['an average within the tolerance', [], TWAP, oracleOf([10_000n, 3n], [10_499n, 3n])],
    ['an average at the tolerance', ['TWAP_DIVERGENCE'], TWAP, oracleOf([10_000n, 3n], [10_500n, 3n])],
    ['an average below the tolerance', ['TWAP_DIVERGENCE'], TWAP, oracleOf([10_000n, 3n], [9_500n, 3n])],
    ['an average of the maximum age', [], TWAP, oracleOf([10n, 0n], [10n, 0n, T - 240n])],
    ['an older average', ['TWAP_AGE'], TWAP, oracleOf([10n, 0n], [10n, 0n, T - 241n])],
    [
      'no average where one is demanded',
      ['TWAP_DIVERGENCE', 'TWAP_AGE'],
      { maxTwapDivergenceBps: 500n, scopeConfiguration: { twapChain: chainOf() } },
      oracleOf([10n, 0n]),
    ],
    ['a price at both bounds', [], { heuristic: { lower: 100n, upper: 100n, exp: 1n } }, oracleOf([10n, 0n])],
    ['a price below', ['BOUNDS'], { heuristic: { lower: 101n, upper: 0n, exp: 1n } }, oracleOf([10n, 0n])],
    ['a price above', ['BOUNDS'], { heuristic: { lower: 0n, upper: 99n, exp: 1n } }, oracleOf([10n, 0n])],
    ['a blocked price', ['USAGE'], { blockPriceUsage: 1 }, oracleOf([10n, 0n])],
  ];

  it.each(CASES)('%s fails %j', (_, failed, tokenInfo, oracle) => {
    const price = at(reserveWith(chainOf(0), tokenInfo), oracle);
    expect(price && failedChecks(price)).toEqual(failed);
    expect(price && passesAll(price)).toBe(failed.length === 0);
    // A check that fails does not keep the program from storing the price.
    expect(price && toDecimalString(price.usd)).toBe('10');
    expect(price?.stale).toBe(failed.includes('AGE'));
  });
});
