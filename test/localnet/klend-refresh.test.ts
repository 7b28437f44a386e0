import { reserve } from '@sluice/protocol/klend/reserve';
import { refreshReserve, refreshReservesBatch } from '@sluice/protocol/klend/setup-instructions';
import { textBytes } from '@sluice/protocol/layout/codec';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ReserveState } from '../../packages/localnet/test/support/lending/program-state.ts';
import {
  addressNumber,
  lendingRequest,
  MARKET,
  NOW,
  type ReserveSetting,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import { randomState } from '../support/lending/random-states.ts';
import { failureOf, type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';

const { klend } = MAINNET_PROGRAMS;
const UNIT = 1n << 60n;
const ALL_CHECKS = 0b111111;
const [ORACLE = NO_ADDRESS] = lendingRequest('deposit').oracles;
const END = 65_535;

function refreshing(index = 0, change: { market?: Address; scope?: Address | null; pyth?: Address } = {}) {
  return refreshReserve.encode(
    klend,
    {
      reserve: reserveAddress(index),
      lendingMarket: change.market ?? MARKET,
      pythOracle: change.pyth ?? null,
      switchboardPriceOracle: null,
      switchboardTwapOracle: null,
      scopePrices: change.scope === undefined ? ORACLE : change.scope,
    },
    {},
  );
}

function batch(skipPriceUpdates: boolean, indexes: readonly number[]) {
  const remaining = indexes.flatMap((index) => [
    { address: reserveAddress(index), role: AccountRole.WRITABLE },
    { address: MARKET, role: AccountRole.READONLY },
    ...(skipPriceUpdates ? [] : [klend, klend, klend, ORACLE]).map((address) => ({
      address,
      role: AccountRole.READONLY,
    })),
  ]);
  return refreshReservesBatch.encode(klend, {}, { skipPriceUpdates }, remaining);
}

const benchOf = (setting: ReserveSetting, market = {}) =>
  lendingBench({ reserves: [setting], market }, 'deposit');

/** A reserve whose price checks the test chooses; by default its price passes all of them. */
function tokenInfo(change: object = {}) {
  return {
    config: {
      tokenInfo: {
        name: textBytes('TOK'),
        maxAgePriceSeconds: 120n,
        scopeConfiguration: { priceFeed: ORACLE, priceChain: [0, END, END, END] },
        ...change,
      },
    },
  };
}

function statusOf(bench: LendingBench): number {
  expect(bench.failureOf([refreshing()])).toBe(null);
  return bench.reserve(0).lastUpdate.priceStatus;
}

describe('A refresh accrues interest as the second implementation of the program', () => {
  it('to the last bit, for any age', () => {
    for (let seed = 1; seed <= 150; seed += 1) {
      const { setting } = randomState(seed);
      const bench = lendingBench(
        {
          ...setting,
          market: { referralFeeBps: seed % 7 === 0 ? 2_000 : 0, reserveRewardsMaxAprBps: (seed % 3) * 400 },
        },
        'deposit',
      );
      const units = seed < 8 ? BigInt(seed) : BigInt(seed) ** 3n;
      bench.change(reserve, reserveAddress(0), {
        lastUpdate: { slot: NOW.slot - units, timestamp: Number(NOW.timestamp - units) },
        config: { interestRateBasis: seed % 2, rewardsAmountPerAccrualUnit: BigInt(seed % 5) },
        liquidity: { rewardsAmountAvailable: 1_000n * BigInt(seed) },
      });
      const other = new ReserveState(reserveAddress(0), bench.reserve(0));
      other.accrue(NOW, bench.accounts.market);
      expect(bench.failureOf([batch(true, [0])])).toBe(null);
      const { liquidity, lastUpdate } = bench.reserve(0);
      const { value } = liquidity.cumulativeBorrowRateBsf;
      expect({
        borrowed: liquidity.borrowedAmountSf,
        protocolFees: liquidity.accumulatedProtocolFeesSf,
        pendingFees: liquidity.pendingReferrerFeesSf,
        available: liquidity.totalAvailableAmount,
        rewards: liquidity.rewardsAmountAvailable,
        rate: value.reduceRight((sum, limb) => (sum << 64n) | limb, 0n),
        slot: lastUpdate.slot,
        timestamp: lastUpdate.timestamp,
        stale: lastUpdate.stale,
      }).toEqual({
        borrowed: other.borrowed,
        protocolFees: other.protocolFees,
        pendingFees: other.pendingFees,
        available: other.available,
        rewards: other.rewards,
        rate: other.cumulativeRate,
        slot: NOW.slot,
        timestamp: Number(NOW.timestamp),
        stale: 0,
      });
    }
  });

  it('by a hand calculation: 5 slots at a flat 10 % on 1,000,000 base units', () => {
    const points = Array.from({ length: 11 }, (_, i) => ({
      utilizationRateBps: i === 0 ? 0 : 10_000,
      borrowRateBps: 1_000,
    }));
    const { config } = tokenInfo();
    const bench = benchOf({
      available: 1_000_000n,
      borrowed: 1_000_000n,
      collateral: 2_000_000n,
      config: { ...config, borrowRateCurve: { points }, depositLimit: 10n ** 9n, borrowLimit: 10n ** 9n },
    });
    bench.change(reserve, reserveAddress(0), { lastUpdate: { slot: NOW.slot - 5n } });
    expect(bench.failureOf([refreshing()])).toBe(null);
    // One slot: floor(2^60 / 10) / 63,072,000 = 1,827,945,054 units of 2^-60. The second term is
    // floor(5 b * b / 2^60) * 4 / 2 = 14 * 2 = 28, the third one vanishes.
    const growth = UNIT + 5n * 1_827_945_054n + 28n;
    expect(bench.reserve(0).liquidity.borrowedAmountSf).toBe(1_000_000n * growth);
  });
});

describe('refreshReserve stores the price and the checks that it passes', () => {
  it('multiplies the feeds of a chain and dates the price by the oldest', () => {
    const scopeConfiguration = { priceFeed: ORACLE, priceChain: [0, 7, END, END] };
    const bench = benchOf({ ...tokenInfo({ scopeConfiguration }), priceUsd: 3n });
    bench.change(oraclePrices, ORACLE, {
      prices: Array.from({ length: 8 }, (_, i) =>
        i === 7 ? { price: { value: 1_234_567n, exp: 6n }, unixTimestamp: NOW.timestamp - 9n } : {},
      ),
    });
    expect(statusOf(bench)).toBe(ALL_CHECKS);
    const { marketPriceSf, marketPriceLastUpdatedTs } = bench.reserve(0).liquidity;
    expect(marketPriceSf).toBe((3n * 1_234_567n * UNIT) / 1_000_000n);
    expect(marketPriceLastUpdatedTs).toBe(NOW.timestamp - 9n);
  });

  it.each([
    ['an age at the limit', {}, 120n, ALL_CHECKS],
    ['an age above the limit', {}, 121n, ALL_CHECKS & ~2],
    ['a price above the bounds', { heuristic: { lower: 1n, upper: 99n, exp: 2n } }, 5n, ALL_CHECKS & ~16],
    ['a price below the bounds', { heuristic: { lower: 101n, upper: 0n, exp: 2n } }, 5n, ALL_CHECKS & ~16],
    ['a price within the bounds', { heuristic: { lower: 100n, upper: 100n, exp: 2n } }, 5n, ALL_CHECKS],
    ['a blocked price', { blockPriceUsage: 1 }, 5n, ALL_CHECKS & ~32],
  ] as const)('%s', (_, info, ageSeconds, status) => {
    expect(statusOf(benchOf({ ...tokenInfo(info), oracle: { ageSeconds } }))).toBe(status);
  });

  it.each([
    ['near', 1_004n, 5n, ALL_CHECKS],
    ['far', 1_006n, 5n, ALL_CHECKS & ~4],
    ['old', 1_004n, 61n, ALL_CHECKS & ~8],
  ] as const)('a twap that is %s', (_, value, ageSeconds, status) => {
    const bench = benchOf(
      tokenInfo({
        maxTwapDivergenceBps: 50n,
        maxAgeTwapSeconds: 60n,
        scopeConfiguration: {
          priceFeed: ORACLE,
          priceChain: [0, END, END, END],
          twapChain: [1, END, END, END],
        },
      }),
    );
    const price = { price: { value: 1n, exp: 0n }, unixTimestamp: NOW.timestamp };
    const twap = { price: { value, exp: 3n }, unixTimestamp: NOW.timestamp - ageSeconds };
    bench.change(oraclePrices, ORACLE, { prices: [price, twap] });
    expect(statusOf(bench)).toBe(status);
  });

  it.each([
    ['a zero', [0n, 1_000n], 50n, 20n],
    ['a zero for the average', [1n, 0n], 50n, 20n],
  ] as const)('takes %s for no price, and keeps the stored one', (_, [spot, average], bps, age) => {
    const info = {
      maxTwapDivergenceBps: bps,
      maxAgeTwapSeconds: 60n,
      scopeConfiguration: {
        priceFeed: ORACLE,
        priceChain: [0, END, END, END],
        twapChain: [1, END, END, END],
      },
    };
    const stored = (seconds: bigint) => {
      const liquidity = { marketPriceLastUpdatedTs: NOW.timestamp - seconds };
      const bench = benchOf({ ...tokenInfo(info), priceUsd: 3n, change: { liquidity } });
      const prices = [spot, average].map((value) => ({
        price: { value, exp: 3n },
        unixTimestamp: NOW.timestamp,
      }));
      bench.change(oraclePrices, ORACLE, { prices });
      return bench;
    };
    const recent = stored(age);
    expect(statusOf(recent)).toBe(ALL_CHECKS);
    const { marketPriceSf, marketPriceLastUpdatedTs } = recent.reserve(0).liquidity;
    expect([marketPriceSf, marketPriceLastUpdatedTs]).toEqual([3n * UNIT, NOW.timestamp - age]);
    expect(statusOf(stored(119n))).toBe(ALL_CHECKS);
    expect(statusOf(stored(120n))).toBe(0);
  });

  it('takes no notice of a zero average that the reserve does not compare with', () => {
    const scopeConfiguration = {
      priceFeed: ORACLE,
      priceChain: [0, END, END, END],
      twapChain: [1, END, END, END],
    };
    const bench = benchOf({ ...tokenInfo({ scopeConfiguration }), priceUsd: 3n, oracle: { priceUsd: 2n } });
    expect(statusOf(bench)).toBe(ALL_CHECKS);
    expect(bench.reserve(0).liquidity.marketPriceSf).toBe(2n * UNIT);
  });

  it('keeps a stored price for the part of its age that the market allows', () => {
    const market = { priceRefreshTriggerToMaxAgePct: 50 };
    const fresh = benchOf({ ...tokenInfo(), oracle: { priceUsd: 2n } }, market);
    expect(statusOf(fresh)).toBe(ALL_CHECKS);
    expect(fresh.reserve(0).liquidity.marketPriceSf).toBe(UNIT);
    const due = benchOf(
      {
        ...tokenInfo(),
        oracle: { priceUsd: 2n },
        change: { liquidity: { marketPriceLastUpdatedTs: NOW.timestamp - 60n } },
      },
      market,
    );
    expect(statusOf(due)).toBe(ALL_CHECKS);
    expect(due.reserve(0).liquidity.marketPriceSf).toBe(2n * UNIT);
  });

  it('notes when supply and debt first exceeded their limits', () => {
    const { config } = tokenInfo();
    const limits = { depositLimit: 999_999_999_999n, borrowLimit: 400_000_000_000n };
    const bench = benchOf({ config: { ...config, ...limits } });
    statusOf(bench);
    const { depositLimitCrossedTimestamp, borrowLimitCrossedTimestamp } = bench.reserve(0).liquidity;
    expect([depositLimitCrossedTimestamp, borrowLimitCrossedTimestamp]).toEqual([NOW.timestamp, 0n]);
  });
});

describe('refreshReserve refuses', () => {
  const other = addressNumber(901);

  it.each([
    ['a missing Scope account', {}, {}, { scope: null }, 6056],
    ['another Scope account', {}, {}, { scope: other }, 6056],
    ['an oracle that the reserve does not name', {}, {}, { pyth: other }, 6054],
    ['a reserve without an oracle', { oracle: null }, {}, { scope: null }, 6029],
    [
      'a twap check without a twap',
      tokenInfo({ maxTwapDivergenceBps: 50n, maxAgeTwapSeconds: 1n }),
      {},
      {},
      6053,
    ],
    ['a market in emergency', {}, { emergencyMode: 1 }, {}, 6042],
    ['a reserve of another version', { change: { version: 2n } }, {}, {}, 6073],
    ['an account that is no market', {}, {}, { market: other }, 3007],
  ] as const)('%s', (_, setting, market, change, code) => {
    expect(benchOf(setting, market).failureOf([refreshing(0, change)])).toBe(code);
  });

  it('the market of another reserve', () => {
    const bench = benchOf({});
    bench.set(other, bench.account(MARKET));
    expect(bench.failureOf([refreshing(0, { market: other })])).toBe(2001);
  });

  it('a reserve that is read-only, missing or of another program', () => {
    const bench = benchOf({});
    const instruction = refreshing();
    const accounts = instruction.accounts.map((each) => ({ ...each, role: AccountRole.READONLY }));
    expect(bench.failureOf([{ ...instruction, accounts }])).toBe(2000);
    expect(bench.failureOf([refreshing(5)])).toBe(3007);
    const short = { ...instruction, accounts: instruction.accounts.slice(0, 5) };
    expect(bench.failureOf([short])).toBe(3005);
  });

  it('accounts after the named ones', () => {
    const instruction = refreshing();
    const more = { address: other, role: AccountRole.READONLY };
    const accounts = [...instruction.accounts, more];
    expect(benchOf({}).failureOf([{ ...instruction, accounts }])).toBe(6006);
  });

  it('a price account without prices', () => {
    const bench = benchOf({});
    bench.set(ORACLE, { ...bench.account(ORACLE), data: new Uint8Array(100) });
    expect(bench.failureOf([refreshing()])).toBe(6044);
  });
});

describe('refreshReservesBatch', () => {
  const reserves: ReserveSetting[] = [{}, { oracle: { priceUsd: 2n } }];
  const made = (market = {}) => lendingBench({ reserves, market }, 'deposit');

  it('refreshes every reserve, with or without prices', () => {
    const bench = made();
    for (const index of [0, 1]) {
      bench.change(reserve, reserveAddress(index), { lastUpdate: { slot: NOW.slot - 3n, stale: 1 } });
    }
    expect(bench.failureOf([batch(true, [0, 1])])).toBe(null);
    expect([0, 1].map((index) => bench.reserve(index).lastUpdate)).toMatchObject([
      { slot: NOW.slot, stale: 0, priceStatus: ALL_CHECKS },
      { slot: NOW.slot, stale: 0, priceStatus: ALL_CHECKS },
    ]);
    expect(bench.reserve(1).liquidity.marketPriceSf).toBe(UNIT);
    expect(bench.failureOf([batch(false, [0, 1])])).toBe(null);
    expect(bench.reserve(1).liquidity.marketPriceSf).toBe(2n * UNIT);
  });

  it('takes the status from a stored price that has become too old', () => {
    const bench = made();
    bench.clock = { slot: NOW.slot + 300n, unixTimestamp: NOW.timestamp + 115n };
    expect(bench.failureOf([batch(true, [0])])).toBe(null);
    expect(bench.reserve(0).lastUpdate.priceStatus).toBe(0);
  });

  it('refuses a market in emergency, another market and a missing account', () => {
    expect(made({ emergencyMode: 1 }).failureOf([batch(true, [0])])).toBe(6042);
    const instruction = batch(true, [0]);
    const [first, second] = instruction.accounts;
    if (first === undefined || second === undefined) throw new Error('no accounts');
    expect(made().failureOf([{ ...instruction, accounts: [first] }])).toBe(6006);
    const swapped = [first, { ...second, address: addressNumber(902) }];
    expect(made().failureOf([{ ...instruction, accounts: swapped }])).toBe(6006);
    const readOnly = [{ ...first, role: AccountRole.READONLY }, second];
    expect(made().failureOf([{ ...instruction, accounts: readOnly }])).toBe(3006);
  });

  it('logs token and price', () => {
    const bench = made();
    const { logs, failure } = bench.run([batch(false, [1])]);
    expect(failureOf({ failure, logs, inner: [], unitsConsumed: 0, returned: null })).toBe(null);
    expect(logs).toContain('Program log: Token: TOK1 Price: 2.0000');
  });
});
