import { reserve } from '@sluice/protocol/klend/reserve';
import { refreshReserve } from '@sluice/protocol/klend/setup-instructions';
import { viewOf } from '@sluice/protocol/layout/account';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReserveState } from '../../packages/localnet/test/support/lending/program-state.ts';
import { compareReserve, type ReadReserve } from '../../src/drift/compare-reserve.ts';
import { exceeds } from '../../src/drift/comparison.ts';
import { NOW, RESERVES, type ReserveInput, SLOT } from '../support/domain/domain-accounts.ts';
import { LendingWorld } from '../support/localnet/lending-world.ts';

const { klend } = MAINNET_PROGRAMS;

/** A reserve of the world before and after the localnet has refreshed it, half a minute later. */
function refreshedByChain(symbol: string) {
  const world = new LendingWorld();
  const address = world.reserveAddress(symbol);
  const read = () => {
    const { data } = world.account(address);
    return { data, value: reserve.decode({ owner: klend, data }, klend) };
  };
  const before = read();
  world.wait(75n);
  const { lendingMarket, config } = before.value;
  const accounts = {
    reserve: address,
    lendingMarket,
    pythOracle: null,
    switchboardPriceOracle: null,
    switchboardTwapOracle: null,
    scopePrices: config.tokenInfo.scopeConfiguration.priceFeed,
  };
  expect(world.failureOf([refreshReserve.encode(klend, accounts, {})])).toBeNull();
  const { referralFeeBps } = world.model(0).market;
  return { address, before, after: read(), market: { referralFeeBps, reserveRewardsMaxAprBps: 0 } };
}

describe('the interest that the chain stores after a refresh', () => {
  it.each([
    ['by slots', 'hbSOL', 0],
    ['by seconds', 'USDC', 1],
  ] as const)('is ours %s, and not that of the other basis', (_, symbol, basis) => {
    const { address, before, after, market } = refreshedByChain(symbol);
    expect(before.value.config.interestRateBasis).toBe(basis);
    const kind = 'reserve_interest';
    expect(compareReserve(address, before, after, market)).toEqual([
      { kind, address, field: 'borrowedAmountSf', relative: 0 },
      { kind, address, field: 'cumulativeBorrowRateBsf', relative: 0 },
      { kind, address, field: 'accumulatedProtocolFeesSf', relative: 0 },
      { kind, address, field: 'rewardsAmountAvailable', relative: 0 },
    ]);
    const ofOtherBasis = ({ data }: ReadReserve) => {
      const copy = data.slice();
      copy[4865] = 1 - basis;
      return read(copy);
    };
    const [wrong] = compareReserve(address, ofOtherBasis(before), ofOtherBasis(after), market);
    expect(wrong !== undefined && exceeds(wrong)).toBe(true);
  });
});

const [ADDRESS] = RESERVES;
const TERMS = { referralFeeBps: 1_000, reserveRewardsMaxAprBps: 500 };

interface Given {
  readonly basis: number;
  readonly available: bigint;
  readonly debtSf: bigint;
  readonly rates: readonly number[];
  readonly host: number;
  readonly take: number;
  readonly perUnit: bigint;
}

const USUAL: Given = {
  basis: 1,
  available: 250_000_000_000n,
  debtSf: 10n ** 12n * FRACTION_ONE + 5n,
  rates: [100, 800, 5_000],
  host: 50,
  take: 10,
  perUnit: 25n,
};

function read(data: Uint8Array): ReadReserve {
  return { data, value: reserve.decode({ owner: klend, data }, klend) };
}

/** A reserve that was refreshed a number of seconds ago; in a world of slots, one is a second long. */
function readBefore(
  { basis, available, debtSf, rates, host, take, perUnit }: Given,
  ago: bigint,
): ReadReserve {
  const [low = 0, middle = 0, high = 0] = rates;
  return read(
    reserve.encode({
      lastUpdate: { slot: SLOT - ago, timestamp: Number(NOW.timestamp - ago) },
      liquidity: {
        totalAvailableAmount: available,
        borrowedAmountSf: debtSf,
        cumulativeBorrowRateBsf: { value: [FRACTION_ONE + 12_345n, 0n, 0n, 0n] },
        rewardsAmountAvailable: 10n ** 12n,
      },
      collateral: { mintTotalSupply: 10n ** 12n },
      config: {
        interestRateBasis: basis,
        hostFixedInterestRateBps: host,
        protocolTakeRatePct: take,
        rewardsAmountPerAccrualUnit: perUnit,
        borrowRateCurve: {
          points: Array.from({ length: 11 }, (_, i) => ({
            utilizationRateBps: [0, 8_000][i] ?? 10_000,
            borrowRateBps: [low, middle][i] ?? high,
          })),
        },
      },
    }),
  );
}

/** The reserve as a second implementation of the program refreshes it, some seconds before now. */
function refreshedBy({ data, value }: ReadReserve, ago: bigint, terms = TERMS): ReadReserve {
  const [slot, timestamp] = [SLOT - ago, NOW.timestamp - ago];
  if (ADDRESS === undefined) throw new Error('no address');
  const state = new ReserveState(ADDRESS, value);
  state.accrue({ slot, timestamp }, terms);
  return changed(data, { slot, timestamp }, (liquidity) => ({
    ...liquidity,
    totalAvailableAmount: state.available,
    rewardsAmountAvailable: state.rewards,
    borrowedAmountSf: state.borrowed,
    accumulatedProtocolFeesSf: state.protocolFees,
    pendingReferrerFeesSf: state.pendingFees,
    cumulativeBorrowRateBsf: { value: [state.cumulativeRate, 0n, 0n, 0n] },
  }));
}

type Liquidity = ReadReserve['value']['liquidity'];

function changed(
  data: Uint8Array,
  { slot, timestamp }: { readonly slot: bigint; readonly timestamp: bigint | number },
  change: (liquidity: Liquidity) => ReserveInput['liquidity'],
): ReadReserve {
  const copy = data.slice();
  const { lastUpdate, liquidity } = read(data).value;
  reserve.body.write(viewOf(copy), reserve.discriminator.length, {
    lastUpdate: { ...lastUpdate, slot, timestamp: Number(timestamp), stale: 0 },
    liquidity: change(liquidity),
  });
  return read(copy);
}

const fieldsBeyond = (before: ReadReserve, after: ReadReserve) =>
  compareReserve(klend, before, after, TERMS)
    .filter(exceeds)
    .map(({ field }) => field);

describe('what a single refresh stores', () => {
  const AGO = 40n;
  const before = readBefore(USUAL, AGO);
  const after = refreshedBy(before, 0n);

  it('is ours to the last digit', () => {
    const compared = compareReserve(klend, before, after, TERMS);
    expect(compared.map(({ field, relative }) => [field, relative])).toEqual([
      ['borrowedAmountSf', 0],
      ['cumulativeBorrowRateBsf', 0],
      ['accumulatedProtocolFeesSf', 0],
      ['rewardsAmountAvailable', 0],
    ]);
  });

  const half = (part: bigint, whole: bigint) => whole + (part - whole) / 2n;
  it.each<[string, (liquidity: Liquidity, old: Liquidity) => ReserveInput['liquidity']]>([
    [
      'accumulatedProtocolFeesSf',
      (now, old) => ({
        ...now,
        accumulatedProtocolFeesSf: half(now.accumulatedProtocolFeesSf, old.accumulatedProtocolFeesSf),
      }),
    ],
    [
      'rewardsAmountAvailable',
      (now, old) => ({
        ...now,
        totalAvailableAmount: half(now.totalAvailableAmount, old.totalAvailableAmount),
        rewardsAmountAvailable: half(now.rewardsAmountAvailable, old.rewardsAmountAvailable),
      }),
    ],
    [
      'rewardsAmountAvailable',
      (now, old) => ({
        ...now,
        totalAvailableAmount: old.totalAvailableAmount + 2_000n,
        rewardsAmountAvailable: old.rewardsAmountAvailable - 2_000n,
      }),
    ],
  ])('alarms by its %s, if that is all that differs', (field, change) => {
    const wrong = changed(after.data, after.value.lastUpdate, (now) => change(now, before.value.liquidity));
    expect(fieldsBeyond(before, wrong)).toEqual([field]);
  });

  it('alarms by the rate alone where nobody has borrowed', () => {
    const empty = readBefore({ ...USUAL, debtSf: 0n }, AGO);
    const wrong = changed(empty.data, after.value.lastUpdate, (now) => ({
      ...now,
      cumulativeBorrowRateBsf: { value: [FRACTION_ONE * 2n, 0n, 0n, 0n] },
    }));
    expect(fieldsBeyond(empty, refreshedBy(empty, 0n))).toEqual([]);
    expect(fieldsBeyond(empty, wrong)).toEqual(['cumulativeBorrowRateBsf']);
  });

  it('is not compared when the configuration changed meanwhile', () => {
    const data = after.data.slice();
    data[4856 + 1] = 77;
    expect(compareReserve(klend, before, read(data), TERMS)).toEqual([]);
  });

  it('is compared although an obligation has passed fees on to a referrer', () => {
    const passed = changed(after.data, after.value.lastUpdate, (now) => ({
      ...now,
      pendingReferrerFeesSf: 0n,
      accumulatedReferrerFeesSf: now.accumulatedReferrerFeesSf + now.pendingReferrerFeesSf,
    }));
    expect(after.value.liquidity.pendingReferrerFeesSf).toBeGreaterThan(0n);
    expect(compareReserve(klend, before, passed, TERMS)).toHaveLength(4);
    expect(fieldsBeyond(before, passed)).toEqual([]);
  });
});

it('any number of refreshes raises no alarm, after any time without one', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 14n });
  const given: fc.Arbitrary<Given> = fc.record({
    basis: fc.constantFrom(0, 1),
    available: amount,
    debtSf: amount.map((units) => units * FRACTION_ONE + 7n),
    rates: fc
      .array(fc.integer({ min: 0, max: 30_000 }), { minLength: 3, maxLength: 3 })
      .map((points) => points.toSorted((a, b) => a - b)),
    host: fc.integer({ min: 0, max: 200 }),
    take: fc.integer({ min: 0, max: 60 }),
    perUnit: fc.bigInt({ min: 0n, max: 100_000n }),
  });
  const seconds = fc.bigInt({ min: 1n, max: 60n });
  const idle = fc.oneof(fc.bigInt({ min: 0n, max: 10n }), fc.bigInt({ min: 0n, max: 864_000n }));
  fc.assert(
    fc.property(given, idle, fc.array(seconds, { minLength: 1, maxLength: 12 }), (of, quiet, steps) => {
      let ago = steps.reduce((sum, each) => sum + each, 0n);
      const before = readBefore(of, ago + quiet);
      let after = before;
      for (const step of steps) {
        ago -= step;
        after = refreshedBy(after, ago);
      }
      expect(fieldsBeyond(before, after)).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});
