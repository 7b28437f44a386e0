import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  borrowFactor,
  collateralTerms,
  elevationGroup,
  elevationGroups,
  groupsOf,
} from '../../src/domain/elevation.ts';
import { potentialElevationGroup } from '../../src/domain/elevation-move.ts';
import { NO_TERMS } from '../../src/domain/interest.ts';
import { obligationPositions } from '../../src/domain/obligation.ts';
import { obligationStats } from '../../src/domain/obligation-stats.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import {
  type MarketInput,
  makeMarket,
  makeObligation,
  NOW,
  RESERVES,
  type ReserveInput,
  usualReserve,
} from '../support/domain/domain-accounts.ts';

const [COLLATERAL, DEBT] = RESERVES as [Address, Address];
const GROUPS: NonNullable<MarketInput['elevationGroups']> = [
  {
    id: 1,
    ltvPct: 90,
    liquidationThresholdPct: 92,
    allowNewLoans: 1,
    maxReservesAsCollateral: 2,
    debtReserve: DEBT,
  },
  {
    id: 2,
    ltvPct: 95,
    liquidationThresholdPct: 97,
    allowNewLoans: 1,
    maxReservesAsCollateral: 2,
    debtReserve: DEBT,
  },
  { id: 0, ltvPct: 99 },
  {
    id: 4,
    ltvPct: 96,
    liquidationThresholdPct: 98,
    allowNewLoans: 0,
    maxReservesAsCollateral: 2,
    debtReserve: DEBT,
  },
];
const market = makeMarket({ elevationGroups: GROUPS });
const member = (groups: number[], limits: bigint[] = [], config: ReserveInput['config'] = {}) =>
  usualReserve(undefined, {
    config: {
      borrowFactorPct: 125n,
      elevationGroups: Uint8Array.from(groups),
      borrowLimitAgainstThisCollateralInElevationGroup: limits,
      ...config,
    },
  });
const text = (value: Rational) => toDecimalString(value);

describe('an elevation group', () => {
  it('is found by id; null for an unused or unknown id', () => {
    expect(elevationGroup(market, 1)?.ltvPct).toBe(90);
    expect([0, 3, 33, 255].map((number) => elevationGroup(market, number))).toEqual([null, null, null, null]);
    expect(elevationGroups(market).map(({ id }) => id)).toEqual([1, 2, 4]);
    expect(groupsOf(member([2, 0, 1, 2]))).toEqual([1, 2]);
  });

  it('overrides the terms of its members only', () => {
    const inside = member([1]);
    expect(text(collateralTerms(market, inside, 1).maxLtv)).toBe('0.9');
    expect(text(collateralTerms(market, inside, 1).liquidationLtv)).toBe('0.92');
    expect(text(borrowFactor(market, inside, 1))).toBe('1');
    for (const number of [0, 2, 3, 200]) {
      expect(text(collateralTerms(market, inside, number).maxLtv)).toBe('0.8');
      expect(text(borrowFactor(market, inside, number))).toBe('1.25');
    }
  });
});

describe('the potential elevation group', () => {
  const move = (collateral: ReturnType<typeof member>, tokens: bigint, group = 0) => {
    const accounts = new Map([
      [COLLATERAL, collateral],
      [DEBT, member([1, 2, 4])],
    ]);
    const reserves = (address: Address) => {
      const account = accounts.get(address);
      return account && { accrued: refreshReserve(account, NOW, NO_TERMS), priceUsd: integer(1) };
    };
    const obligation = makeObligation({
      elevationGroup: group,
      deposits: [{ depositReserve: COLLATERAL, depositedAmount: 1_000n }],
      borrows: [
        {
          borrowReserve: DEBT,
          borrowedAmountSf: tokens * FRACTION_ONE,
          cumulativeBorrowRateBsf: { value: [FRACTION_ONE, 0n, 0n, 0n] },
        },
      ],
    });
    const positions = obligationPositions(obligation, market, reserves);
    const stats = obligationStats(positions);
    return stats && potentialElevationGroup(positions, market, reserves, stats);
  };

  it('is the accepting group with the highest limit', () => {
    const open = member([1, 2, 4], [5_000n, 5_000n, 0n, 5_000n]);
    expect(move(open, 100n)).toBe(2);
    expect(move(member([1], [5_000n]), 100n)).toBe(1);
    expect(move(open, 100n, 2)).toBe(0);
    expect(move(open, 100n, 1)).toBe(2);
  });

  it('is 0 when the debt or a limit does not fit', () => {
    expect(move(member([1, 2], [5_000n, 5_000n]), 951n)).toBe(0);
    expect(move(member([1, 2], [5_000n, 99n]), 100n)).toBe(1);
    expect(move(member([]), 100n)).toBe(0);
  });
});
