import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { ONE, Rational, sum, ZERO } from '@sluice/protocol/numeric/rational';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apyBreakdown, borrowApyBreakdown } from '../../src/domain/apy.ts';
import { total } from '../../src/domain/arithmetic.ts';
import { curveRate, NO_TERMS } from '../../src/domain/interest.ts';
import { withRoundedValues } from '../../src/domain/obligation.ts';
import { obligationStats } from '../../src/domain/obligation-stats.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import {
  collateralExchangeRate,
  collateralToLiquidity,
  liquidityToCollateral,
} from '../../src/domain/reserve.ts';
import { vaultHoldings } from '../../src/domain/vault.ts';
import {
  makeReserve,
  makeVault,
  NOW,
  RESERVES,
  SLOT,
  usualReserve,
} from '../support/domain/domain-accounts.ts';

const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const u128 = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
const fraction = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 20n }))
  .map(([a, b]) => Rational.of(a < b ? a : b, a < b ? b : a === 0n ? 1n : a));
const rational = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 30n }))
  .map(([n, d]) => Rational.of(n, d));

/** Points ascending in both coordinates, as the program requires. */
const curve = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 9_999 }), { minLength: 9, maxLength: 9 }),
    fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 11, maxLength: 11 }),
  )
  .map(([knots, rates]) => {
    const sorted = [0, ...knots.sort((a, b) => a - b), 10_000];
    const climbing = rates.sort((a, b) => a - b);
    return {
      points: sorted.map((knot, i) => ({ utilizationRateBps: knot, borrowRateBps: climbing[i] ?? 0 })),
    };
  });

describe('the borrow curve', () => {
  it('is monotonic and stays between its first and last rate', () => {
    fc.assert(
      fc.property(curve, fraction, fraction, (borrowRateCurve, a, b) => {
        const { config } = makeReserve({ config: { borrowRateCurve } });
        const [low, high] = a.compare(b) <= 0 ? [a, b] : [b, a];
        expect(curveRate(config, low).compare(curveRate(config, high))).not.toBe(1);
        expect(curveRate(config, ZERO).compare(curveRate(config, low))).not.toBe(1);
        expect(curveRate(config, high).compare(curveRate(config, ONE))).not.toBe(1);
      }),
    );
  });

  it('passes through every point and is flat above full utilization', () => {
    fc.assert(
      fc.property(curve, (borrowRateCurve) => {
        const { config } = makeReserve({ config: { borrowRateCurve } });
        for (const { utilizationRateBps, borrowRateBps } of borrowRateCurve.points) {
          const rate = curveRate(config, Rational.of(BigInt(utilizationRateBps), 10_000n));
          expect(rate.equals(Rational.of(BigInt(borrowRateBps), 10_000n))).toBe(true);
        }
        expect(curveRate(config, Rational.of(7n)).equals(curveRate(config, ONE))).toBe(true);
      }),
    );
  });
});

const state = fc.record({
  totalAvailableAmount: u64,
  borrowedAmountSf: u128,
  accumulatedProtocolFeesSf: u128.map((fees) => fees >> 64n),
  accumulatedReferrerFeesSf: u128.map((fees) => fees >> 64n),
  pendingReferrerFeesSf: u128.map((fees) => fees >> 64n),
});
const settings = fc.record({
  protocolTakeRatePct: fc.integer({ min: 0, max: 100 }),
  hostFixedInterestRateBps: fc.integer({ min: 0, max: 2_000 }),
});

describe('accrual', () => {
  const at = (liquidity: object, config: object, slots: bigint, referralFeeBps = 1_500) =>
    refreshReserve(
      usualReserve(0n, { liquidity, config }),
      { ...NOW, slot: SLOT + slots },
      { ...NO_TERMS, referralFeeBps },
    );
  const slots = fc.bigInt({ min: 0n, max: 100_000_000n });

  it('never shrinks debt, supply, fees or the cumulative rate as slots pass', () => {
    fc.assert(
      fc.property(state, settings, slots, slots, (liquidity, config, a, b) => {
        const [earlier, later] = [at(liquidity, config, a < b ? a : b), at(liquidity, config, a < b ? b : a)];
        expect(later.borrowed.compare(earlier.borrowed)).not.toBe(-1);
        // The program rounds debt and fees down separately, so supply may lose a step of 2^-60 for each.
        const rounding = Rational.of(3n, FRACTION_ONE);
        expect(later.totalSupply.add(rounding).compare(earlier.totalSupply)).not.toBe(-1);
        expect(later.protocolFees.compare(earlier.protocolFees)).not.toBe(-1);
        expect(later.pendingReferrerFees.compare(earlier.pendingReferrerFees)).not.toBe(-1);
        expect(later.cumulativeBorrowRate.compare(earlier.cumulativeBorrowRate)).not.toBe(-1);
      }),
    );
  });

  it('conserves assets: available plus borrowed equals supply plus fees', () => {
    fc.assert(
      fc.property(state, settings, slots, (liquidity, config, passed) => {
        const r = at(liquidity, config, passed);
        const owned = total([r.totalSupply, r.protocolFees, r.referrerFees, r.pendingReferrerFees]);
        const assets = Rational.of(r.available).add(r.borrowed);
        if (!r.totalSupply.isZero) expect(owned.equals(assets)).toBe(true);
        else expect(owned.compare(assets)).not.toBe(-1);
      }),
    );
  });

  it('gives the same supply and debt for any referral share', () => {
    fc.assert(
      fc.property(state, settings, slots, (liquidity, config, passed) => {
        const [none, all] = [at(liquidity, config, passed, 0), at(liquidity, config, passed, 10_000)];
        expect(none.totalSupply.equals(all.totalSupply)).toBe(true);
        expect(none.borrowed.equals(all.borrowed)).toBe(true);
      }),
    );
  });

  it('changes nothing up to the last refresh', () => {
    fc.assert(
      fc.property(state, settings, slots, (liquidity, config, passed) => {
        const r = at(liquidity, config, -passed);
        expect(r.borrowed.equals(Rational.of(liquidity.borrowedAmountSf, FRACTION_ONE))).toBe(true);
      }),
    );
  });
});

describe('exchange of collateral and liquidity', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(state, u64, (liquidity, collateral) => {
        const r = refreshReserve(usualReserve(0n, { liquidity }), NOW, NO_TERMS);
        const back = liquidityToCollateral(r, collateralToLiquidity(r, collateral));
        expect(back.equals(Rational.of(collateral))).toBe(true);
        expect(collateralExchangeRate(r).n > 0n).toBe(true);
      }),
    );
  });
});

describe('published numbers', () => {
  it('parts of a yield add up to its total exactly', () => {
    fc.assert(
      fc.property(rational, rational, rational, rational, (base, farmRewards, reserveRewards, incentives) => {
        for (const breakdown of [apyBreakdown, borrowApyBreakdown]) {
          const apy = breakdown(base, { farmRewards, reserveRewards, incentives });
          const parts = [apy.base, apy.farmRewards, apy.reserveRewards, apy.incentives];
          const read = parts.map((part) => parseDecimal(toDecimalString(part)));
          expect(toDecimalString(sum(read))).toBe(toDecimalString(apy.total));
        }
      }),
    );
  });

  it('gross base plus fee impact is the base', () => {
    fc.assert(
      fc.property(rational, rational, (gross, net) => {
        const { base, grossBase, feeImpact } = apyBreakdown({ gross, net });
        expect(grossBase !== null && feeImpact !== null && grossBase.add(feeImpact).equals(base)).toBe(true);
      }),
    );
  });

  it('allocations of a vault add up to its invested amount', () => {
    const amounts = fc.array(u64, { minLength: 0, maxLength: RESERVES.length });
    fc.assert(
      fc.property(amounts, u64, u64, (allocations, tokenAvailable, mintTotalSupply) => {
        const accrued = refreshReserve(
          makeReserve({
            liquidity: { totalAvailableAmount: 999_999_999_989n, borrowedAmountSf: 7n ** 40n },
            collateral: { mintTotalSupply },
          }),
          NOW,
          NO_TERMS,
        );
        const vault = makeVault({
          tokenAvailable,
          vaultAllocationStrategy: allocations.map((ctokenAllocation, index) => ({
            reserve: RESERVES[index],
            ctokenAllocation,
          })),
        });
        const holdings = vaultHoldings(vault, () => accrued);
        const parts = holdings?.allocations.map(({ invested }) => toDecimalString(invested ?? ZERO)) ?? [];
        expect(toDecimalString(sum(parts.map(parseDecimal)))).toBe(
          toDecimalString(holdings?.invested ?? ONE),
        );
        expect(holdings?.idle.add(holdings.invested).equals(holdings.gross)).toBe(true);
      }),
    );
  });

  it('values of an obligation add up to its totals and its net value', () => {
    const head = { reserve: NO_ADDRESS, amount: null, priceUsd: null };
    const terms = { collateral: 1n, maxLtv: ONE, liquidationLtv: ONE };
    const amounts = fc.array(rational, { maxLength: 5 });
    fc.assert(
      fc.property(amounts, amounts, (deposited, borrowed) => {
        const positions = withRoundedValues({
          elevationGroup: 0,
          deposits: deposited.map((valueUsd) => ({ ...head, ...terms, valueUsd })),
          borrows: borrowed.map((valueUsd) => ({ ...head, borrowFactor: ONE, valueUsd, factoredUsd: null })),
        });
        const stats = obligationStats(positions);
        const published = (list: readonly { readonly valueUsd: Rational | null }[]) =>
          sum(list.map(({ valueUsd }) => parseDecimal(toDecimalString(valueUsd ?? ONE))));
        const [deposits, borrows] = [published(positions.deposits), published(positions.borrows)];
        const total = (value: Rational | undefined) => parseDecimal(toDecimalString(value ?? ONE));
        expect(total(stats?.userTotalDeposit).equals(deposits)).toBe(true);
        expect(total(stats?.userTotalBorrow).equals(borrows)).toBe(true);
        expect(total(stats?.netAccountValue).equals(deposits.sub(borrows))).toBe(true);
      }),
    );
  });

  it('a sum of any terms is exact', () => {
    fc.assert(
      fc.property(fc.array(rational, { maxLength: 20 }), (terms) => {
        expect(total(terms).equals(sum(terms))).toBe(true);
      }),
    );
  });
});
