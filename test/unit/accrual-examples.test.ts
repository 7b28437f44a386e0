import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { accrualFactorSf } from '@sluice/protocol/numeric/compounding';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE, fromScaledFraction, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { NO_TERMS } from '../../src/domain/interest.ts';
import { debtAmount } from '../../src/domain/obligation.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { rewardsApr } from '../../src/domain/reserve-rewards.ts';
import {
  makeObligation,
  makeReserve,
  NOW,
  RESERVES,
  type ReserveInput,
  SLOT,
} from '../support/domain/domain-accounts.ts';

/** Worked examples, computed by hand in integers from the public source of klend 1.25. */

const PER_YEAR = [63_072_000n, 31_536_000n] as const;
const TIME = NOW.timestamp;

const flat = (borrowRateBps: number) => ({
  points: Array.from({ length: 11 }, (_, i) => ({ utilizationRateBps: i === 0 ? 0 : 10_000, borrowRateBps })),
});

interface Example {
  readonly basis: 0 | 1;
  readonly units: bigint;
  readonly liquidity?: ReserveInput['liquidity'];
  readonly config?: ReserveInput['config'];
  readonly collateral?: bigint;
}

/** 250,000 tokens available and 1,000,000 lent at 8 %, of which the host takes 0.5 % on top. */
function reserveOf({ basis, units, liquidity, config, collateral = 1_000_000_000_000n }: Example): Reserve {
  return makeReserve({
    lastUpdate: { slot: SLOT - units, timestamp: Number(TIME - units) },
    liquidity: {
      totalAvailableAmount: 250_000_000_000n,
      borrowedAmountSf: 10n ** 12n * FRACTION_ONE,
      cumulativeBorrowRateBsf: { value: [FRACTION_ONE, 0n, 0n, 0n] },
      mintDecimals: 6n,
      ...liquidity,
    },
    collateral: { mintTotalSupply: collateral },
    config: {
      interestRateBasis: basis,
      borrowRateCurve: flat(800),
      hostFixedInterestRateBps: 50,
      protocolTakeRatePct: 10,
      ...config,
    },
  });
}

function refreshed(example: Example, terms = NO_TERMS) {
  const accrued = refreshReserve(reserveOf(example), NOW, terms);
  return {
    cumulative: toScaledFraction(accrued.cumulativeBorrowRate),
    debt: toScaledFraction(accrued.borrowed),
    protocolFees: toScaledFraction(accrued.protocolFees),
    pendingReferrerFees: toScaledFraction(accrued.pendingReferrerFees),
    supply: toScaledFraction(accrued.totalSupply),
    available: accrued.available,
    rewards: accrued.rewardsAvailable,
  };
}

const LONG = 12_345n;

describe('accrual over many units', () => {
  it('by slots', () => {
    expect(accrualFactorSf(5_764_607_523_034_234n, LONG, PER_YEAR[0])).toBe(1152922632906472224n);
    expect(refreshed({ basis: 0, units: LONG })).toMatchObject({
      cumulative: 1152940685850826124n,
      debt: 1152940685850826124000000000000n,
      protocolFees: 2933594060637999990604940n,
      supply: 1441168128408477230000009395060n,
    });
  });

  it('by seconds', () => {
    expect(accrualFactorSf(5_764_607_523_034_234n, LONG, PER_YEAR[1])).toBe(1152923761207214605n);
    expect(refreshed({ basis: 1, units: LONG })).toMatchObject({
      cumulative: 1152959867413901786n,
      debt: 1152959867413901786000000000000n,
      protocolFees: 5867221036347099981209714n,
      supply: 1441184376344577182900018790286n,
    });
  });

  it('by seconds, with referrers', () => {
    expect(refreshed({ basis: 1, units: LONG }, { ...NO_TERMS, referralFeeBps: 2_000 })).toMatchObject({
      debt: 1152959867413901786000000000000n,
      pendingReferrerFees: 722124133743619983715086n,
      protocolFees: 5145096902603479997494628n,
      supply: 1441184376344577182900018790286n,
    });
  });
});

describe('accrual over few units, by seconds', () => {
  it.each([
    [1n, 1152921507714353568n, 1152921504789641481n, 475265713699999998477n],
    [2n, 1152921510821860168n, 1152921504972435986n, 950531428199999996955n],
    [3n, 1152921513929366776n, 1152921505155230491n, 1425797143499999995433n],
    [4n, 1152921517036873393n, 1152921505338024996n, 1901062859699999993911n],
    [5n, 1152921520144380018n, 1152921505520819501n, 2376328576699999992389n],
  ])('%s', (units, total, host, protocolFees) => {
    expect(accrualFactorSf(5_764_607_523_034_234n, units, PER_YEAR[1])).toBe(host);
    expect(refreshed({ basis: 1, units })).toMatchObject({ cumulative: total, protocolFees });
  });
});

describe('accrual from an uneven state', () => {
  const uneven = (basis: 0 | 1): Example => ({
    basis,
    units: 7n,
    liquidity: {
      totalAvailableAmount: 250_000_000_000n,
      borrowedAmountSf: 123456789012345678901234567890n,
      cumulativeBorrowRateBsf: { value: [1234567890123456789n, 0n, 0n, 0n] },
      accumulatedProtocolFeesSf: 987654321098765432109876n,
      pendingReferrerFeesSf: 11111111111111111111n,
    },
    config: { borrowRateCurve: flat(1_234), hostFixedInterestRateBps: 75, protocolTakeRatePct: 15 },
  });
  const terms = { ...NO_TERMS, referralFeeBps: 1_500 };

  it('by slots', () => {
    expect(refreshed(uneven(0), terms)).toMatchObject({
      debt: 123456790805906314586726403101n,
      cumulative: 1234567908059063145n,
      protocolFees: 987972660983844196485139n,
      pendingReferrerFees: 49154053103834740496n,
    });
  });

  it('by seconds', () => {
    expect(refreshed(uneven(1), terms)).toMatchObject({
      debt: 123456792599466973830191156839n,
      cumulative: 1234567925994669738n,
      protocolFees: 988291000871926602407513n,
      pendingReferrerFees: 87196995626612760549n,
    });
  });
});

describe('a debt that is refreshed with its reserve', () => {
  const debt = (borrowedAmountSf: bigint, rateSf: bigint) =>
    makeObligation({
      borrows: [
        {
          borrowReserve: RESERVES[0] as (typeof RESERVES)[number],
          borrowedAmountSf,
          cumulativeBorrowRateBsf: { value: [rateSf, 0n, 0n, 0n] },
        },
      ],
    }).borrows[0] as ObligationLiquidity;

  it('grows with the cumulative rate, rounded down', () => {
    const accrued = refreshReserve(reserveOf({ basis: 1, units: LONG }), NOW, NO_TERMS);
    const owed = debtAmount(debt(89671672579635825851972452357n, FRACTION_ONE), accrued);
    expect(owed.equals(fromScaledFraction(89674656353517836792011409727n))).toBe(true);
    expect(owed.ceil()).toBe(77780365789n);
  });

  it('costs no further base unit for less than a step', () => {
    const value: [bigint, bigint, bigint, bigint] = [6n * FRACTION_ONE + 1n, 0n, 0n, 0n];
    const account = reserveOf({ basis: 1, units: 0n, liquidity: { cumulativeBorrowRateBsf: { value } } });
    // 5 x (6 + 2^-60) / 6 is five sixths of a step above 5.
    const owed = debtAmount(
      debt(5n * FRACTION_ONE, 6n * FRACTION_ONE),
      refreshReserve(account, NOW, NO_TERMS),
    );
    expect(owed.ceil()).toBe(5n);
  });
});

describe('what does not accrue', () => {
  it('a time-based reserve that was last refreshed before klend 1.25', () => {
    const account = makeReserve({
      lastUpdate: { slot: SLOT - 1_000n, timestamp: 0 },
      liquidity: { borrowedAmountSf: 10n ** 12n * FRACTION_ONE, totalAvailableAmount: 1n },
      config: { interestRateBasis: 1, borrowRateCurve: flat(800) },
    });
    expect(toScaledFraction(refreshReserve(account, NOW, NO_TERMS).borrowed)).toBe(10n ** 12n * FRACTION_ONE);
  });

  it('a time-based reserve in the same second, however many slots have passed', () => {
    const account = makeReserve({
      lastUpdate: { slot: SLOT - 3n, timestamp: Number(TIME) },
      liquidity: { borrowedAmountSf: 10n ** 12n * FRACTION_ONE, totalAvailableAmount: 1n },
      config: { interestRateBasis: 1, borrowRateCurve: flat(800) },
    });
    expect(toScaledFraction(refreshReserve(account, NOW, NO_TERMS).borrowed)).toBe(10n ** 12n * FRACTION_ONE);
  });
});

describe('rewards of a reserve', () => {
  const cap = { ...NO_TERMS, reserveRewardsMaxAprBps: 500 };
  const rewarded = (basis: 0 | 1, perUnit: bigint, left: bigint): Example => ({
    basis,
    units: LONG,
    liquidity: { rewardsAmountAvailable: left },
    config: { rewardsAmountPerAccrualUnit: perUnit },
  });

  it.each([
    ['the configured rate', 1, 25n, 1_000_000_000n, 250_000_308_625n, 999_691_375n],
    ["the market's limit", 1, 5_000n, 1_000_000_000n, 250_024_466_638n, 975_533_362n],
    ['the rest', 1, 5_000n, 20_000_000n, 250_020_000_000n, 0n],
    ["the market's limit, by slots", 0, 5_000n, 1_000_000_000n, 250_012_233_181n, 987_766_819n],
  ] as const)('by %s', (_, basis, perUnit, left, available, rewards) => {
    const before = refreshed(rewarded(basis, 0n, left), cap);
    const after = refreshed(rewarded(basis, perUnit, left), cap);
    expect(after).toMatchObject({ available, rewards });
    expect(after.supply - before.supply).toBe((left - rewards) * FRACTION_ONE);
  });

  it('are not given without a limit of the market, nor while nobody holds collateral', () => {
    expect(refreshed(rewarded(1, 25n, 1_000n)).rewards).toBe(1_000n);
    expect(refreshed({ ...rewarded(1, 25n, 1_000n), collateral: 0n }, cap).rewards).toBe(1_000n);
  });

  it('yield their yearly amount over the supply, at most the limit, and nothing when used up', () => {
    const rate = (perUnit: bigint, left: bigint) => {
      const account = reserveOf({ ...rewarded(1, perUnit, left), units: 0n });
      return toDecimalString(rewardsApr(refreshReserve(account, NOW, cap), cap, NOW));
    };
    // 1,000 a second of 31,536,000 on 1,250,000 tokens of a million base units.
    expect(rate(1_000n, 10n ** 12n)).toBe('0.0252288');
    expect(rate(5_000n, 10n ** 12n)).toBe('0.05');
    expect(rate(1_000n, 0n)).toBe('0');
  });

  it('are scaled to real slots where rates are per slot', () => {
    const account = reserveOf({ ...rewarded(0, 500n, 10n ** 12n), units: 0n });
    const moment = { ...NOW, slotDurationMs: integer(250) };
    // 500 a slot of 63,072,000, and slots that are half as long as assumed.
    expect(toDecimalString(rewardsApr(refreshReserve(account, NOW, cap), cap, moment))).toBe('0.0504576');
  });
});
