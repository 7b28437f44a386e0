import type { Reserve } from '@sluice/protocol/klend/reserve';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  borrowCapacities,
  type Capacity,
  maxAmount,
  type ObligationInView,
  withdrawCapacities,
} from '../../src/domain/capacity.ts';
import {
  bufferToLiquidation,
  collateralLiquidationPrice,
  debtLiquidationPrice,
  healthFactor,
  isLiquidatable,
} from '../../src/domain/health.ts';
import { NO_TERMS } from '../../src/domain/interest.ts';
import { obligationPositions } from '../../src/domain/obligation.ts';
import { type ObligationStats, obligationStats } from '../../src/domain/obligation-stats.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import {
  type MarketInput,
  makeMarket,
  makeObligation,
  NOW,
  type ObligationInput,
  RESERVES,
  type ReserveInput,
  usualReserve,
} from '../support/domain/domain-accounts.ts';

const [COLLATERAL, DEBT, OTHER] = RESERVES as [Address, Address, Address];
const MILLION = 1_000_000n;

interface Setting {
  readonly collateral?: ReserveInput;
  readonly debt?: ReserveInput;
  readonly market?: MarketInput;
  readonly obligation?: ObligationInput;
  readonly prices?: Readonly<Record<Address, bigint>>;
}

/** 1000 tokens deposited at 10 USD and 5000 owed at 1 USD: limits of 8000 and 8500. */
function view({ collateral, debt, market, obligation, prices = {} }: Setting = {}): ObligationInView {
  const accounts: Record<Address, Reserve> = {
    [COLLATERAL]: usualReserve(0n, collateral),
    [DEBT]: usualReserve(undefined, debt),
    [OTHER]: usualReserve(),
  };
  const reserves = (address: Address) => {
    const account = accounts[address];
    const price = prices[address] ?? (address === COLLATERAL ? 10n : 1n);
    return account && { accrued: refreshReserve(account, NOW, NO_TERMS), priceUsd: integer(price) };
  };
  const given = makeObligation({
    deposits: [{ depositReserve: COLLATERAL, depositedAmount: 1_000n * MILLION }],
    borrows: [borrowOf(DEBT, 5_000n)],
    ...obligation,
  });
  const home = makeMarket({ globalAllowedBorrowValue: U64_MAX, ...market });
  const positions = obligationPositions(given, home, reserves);
  const stats = obligationStats(positions);
  if (stats === null) throw new Error('every reserve is there');
  return { obligation: given, market: home, reserves, positions, stats };
}

function borrowOf(reserve: Address, tokens: bigint) {
  return {
    borrowReserve: reserve,
    borrowedAmountSf: tokens * MILLION * FRACTION_ONE,
    cumulativeBorrowRateBsf: { value: [FRACTION_ONE, 0n, 0n, 0n] },
  };
}

const text = (value: Rational | null | undefined) => (value ? toDecimalString(value) : value);
const first = <T>(list: readonly T[]): T => {
  const [item] = list;
  if (item === undefined) throw new Error('empty list');
  return item;
};

describe('health', () => {
  it('is the liquidation limit divided by the debt', () => {
    const { stats } = view();
    expect(text(healthFactor(stats))).toBe('1.7');
    expect(isLiquidatable(stats)).toBe(false);
    expect(text(bufferToLiquidation(stats))?.slice(0, 10)).toBe('0.41176470');
  });

  it('is null without debt, and not liquidatable', () => {
    const { stats, positions } = view({ obligation: { borrows: [] } });
    expect(healthFactor(stats)).toBeNull();
    expect(bufferToLiquidation(stats)).toBeNull();
    expect(isLiquidatable(stats)).toBe(false);
    expect(collateralLiquidationPrice(stats, first(positions.deposits))).toBeNull();
  });

  it('an empty obligation has zero stats', () => {
    const { stats } = view({ obligation: { deposits: [], borrows: [] } });
    for (const figure of Object.values(stats) as ObligationStats[keyof ObligationStats][]) {
      expect(text(figure)).toBe('0');
    }
  });

  it('debt without collateral has no buffer and is liquidatable', () => {
    const { stats } = view({ obligation: { deposits: [] } });
    expect(text(healthFactor(stats))).toBe('0');
    expect(text(bufferToLiquidation(stats))).toBe('0');
    expect(isLiquidatable(stats)).toBe(true);
  });

  it('is liquidatable exactly at its liquidation price', () => {
    const { stats, positions } = view();
    const deposit = first(positions.deposits);
    const borrow = first(positions.borrows);
    // 5000 / (1000 x 0.85), and 8500 / 5000.
    expect(text(collateralLiquidationPrice(stats, deposit))?.slice(0, 8)).toBe('5.882352');
    expect(text(debtLiquidationPrice(stats, borrow))).toBe('1.7');
    const edge = view({
      prices: { [COLLATERAL]: 10n, [DEBT]: 17n },
      obligation: { borrows: [borrowOf(DEBT, 500n)] },
    });
    expect(text(healthFactor(edge.stats))).toBe('1');
    expect(isLiquidatable(edge.stats)).toBe(true);
    expect(text(debtLiquidationPrice(edge.stats, first(edge.positions.borrows)))).toBe('17');
  });

  it('has no liquidation price where that price alone does not decide', () => {
    const carried = view({
      obligation: {
        deposits: [
          { depositReserve: COLLATERAL, depositedAmount: 1_000n * MILLION },
          { depositReserve: OTHER, depositedAmount: 9_000n * MILLION },
        ],
      },
    });
    expect(collateralLiquidationPrice(carried.stats, first(carried.positions.deposits))).toBeNull();
    const lost = view({ obligation: { borrows: [borrowOf(DEBT, 1n), borrowOf(OTHER, 9_000n)] } });
    expect(debtLiquidationPrice(lost.stats, first(lost.positions.borrows))).toBeNull();
  });
});

const limits = (capacities: readonly Capacity[] | null) => {
  if (capacities === null) throw new Error('a price is missing');
  const most = maxAmount(capacities);
  return [text(most), capacities.filter(({ amount }) => amount.equals(most)).map(({ limit }) => limit)];
};
const borrowable = (setting: Setting, address = DEBT) => {
  const given = view(setting);
  const reserve = given.reserves(address);
  return limits(reserve === undefined ? null : borrowCapacities(given, address, reserve, NOW));
};
const withdrawable = (setting: Setting) => {
  const given = view(setting);
  const reserve = given.reserves(COLLATERAL);
  return limits(reserve === undefined ? null : withdrawCapacities(given, COLLATERAL, reserve, NOW));
};

describe('the maximum borrow', () => {
  it('is limited by the collateral', () => {
    // 80 % is no multiple of 2^-60: the program rounds it down and refuses the last base unit of 3,000 tokens.
    expect(borrowable({})).toEqual(['2999999999.999999993061106096092772', ['COLLATERAL']]);
    const [most, binding] = borrowable({ debt: { config: { borrowFactorPct: 150n } } });
    expect(String(most)).toMatch(/^333333333\.3333333/);
    expect(binding).toEqual(['COLLATERAL']);
    expect(borrowable({ market: { globalAllowedBorrowValue: 5_100n } })).toEqual([
      '100000000',
      ['COLLATERAL'],
    ]);
  });

  it.each<[string, Setting, string, string]>([
    ['liquidity', { debt: { liquidity: { totalAvailableAmount: 77n } } }, '77', 'LIQUIDITY'],
    ['the borrow limit', { debt: { config: { borrowLimit: 600_000_000_005n } } }, '5', 'BORROW_LIMIT'],
    ['utilization', { debt: { config: { utilizationLimitBlockBorrowingAbovePct: 60 } } }, '0', 'UTILIZATION'],
    [
      'the limit outside groups, of which a refresh counts the debt of 5,000 tokens',
      { debt: { config: { borrowLimitOutsideElevationGroup: 5_000_000_009n } } },
      '9',
      'OUTSIDE_GROUPS',
    ],
    [
      'outflow',
      {
        debt: {
          config: {
            debtWithdrawalCap: {
              configCapacity: 50n,
              currentTotal: 8n,
              configIntervalLengthSeconds: 60n,
              lastIntervalStartTimestamp: NOW.timestamp - 59n,
            },
          },
        },
      },
      '42',
      'OUTFLOW',
    ],
    [
      'the withdraw queue',
      { debt: { withdrawQueue: { queuedCollateralAmount: 399_999_999_999n } } },
      '1',
      'LIQUIDITY',
    ],
  ])('is bound by %s', (_, setting, amount, limit) => {
    const [most, binding] = borrowable(setting);
    expect(most).toBe(amount);
    expect(binding).toContain(limit);
  });

  it.each<[string, Setting]>([
    ['the market has disabled borrowing', { market: { borrowDisabled: 1 } }],
    ['the market is in emergency', { market: { emergencyMode: 1 } }],
    ['the reserve is in emergency', { debt: { config: { emergencyMode: 1 } } }],
    ['the reserve of a deposit is in emergency', { collateral: { config: { emergencyMode: 1 } } }],
    [
      'collateral counts only inside groups',
      { collateral: { config: { disableUsageAsCollOutsideEmode: 1 } } },
    ],
    ['a reserve is obsolete', { collateral: { config: { status: 1 } } }],
    ['the reserve has matured', { debt: { config: { debtMaturityTimestamp: NOW.timestamp } } }],
    ['the group is unknown', { obligation: { elevationGroup: 200 } }],
  ])('is zero when %s', (_, setting) => {
    expect(borrowable(setting)).toEqual(['0', ['NOT_ALLOWED']]);
  });

  it('an outflow limit resets when its interval is over', () => {
    const cap = {
      configCapacity: 50n,
      currentTotal: 8n,
      configIntervalLengthSeconds: 60n,
      lastIntervalStartTimestamp: NOW.timestamp - 60n,
    };
    expect(borrowable({ debt: { config: { debtWithdrawalCap: cap } } })).toEqual(['50', ['OUTFLOW']]);
  });
});

describe('the maximum withdrawal', () => {
  it('leaves the debt covered, with a margin', () => {
    // 3000 USD of headroom at 80 %, at 10 USD a token, minus a thousandth.
    expect(withdrawable({})).toEqual(['374625000', ['COLLATERAL']]);
  });

  it('is the whole position without debt', () => {
    expect(withdrawable({ obligation: { borrows: [] } })).toEqual(['1000000000', ['POSITION']]);
  });

  it('is zero in an emergency of its reserve, and while in debt of any other', () => {
    const [own, other] = [
      { collateral: { config: { emergencyMode: 1 } } },
      { debt: { config: { emergencyMode: 1 } } },
    ];
    expect(withdrawable(own)).toEqual(['0', ['NOT_ALLOWED']]);
    expect(withdrawable({ ...own, obligation: { borrows: [] } })).toEqual(['0', ['NOT_ALLOWED']]);
    expect(withdrawable(other)).toEqual(['0', ['NOT_ALLOWED']]);
    expect(withdrawable({ ...other, obligation: { borrows: [] } })).toEqual(['1000000000', ['POSITION']]);
  });

  it('is zero at the limit, and never more than the available liquidity', () => {
    expect(withdrawable({ obligation: { borrows: [borrowOf(DEBT, 8_000n)] } })).toEqual([
      '0',
      ['COLLATERAL'],
    ]);
    expect(
      withdrawable({
        collateral: {
          liquidity: { totalAvailableAmount: 3n, borrowedAmountSf: 999_999_999_997n * FRACTION_ONE },
        },
      }),
    ).toEqual(['3', ['LIQUIDITY']]);
    const none = view({ obligation: { deposits: [] } });
    const reserve = none.reserves(COLLATERAL);
    expect(reserve && limits(withdrawCapacities(none, COLLATERAL, reserve, NOW))).toEqual([
      '0',
      ['POSITION'],
    ]);
  });
});
