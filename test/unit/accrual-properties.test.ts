import { FRACTION_ONE, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReserveState } from '../../packages/localnet/test/support/lending/program-state.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { makeReserve, NOW, RESERVES, SLOT } from '../support/domain/domain-accounts.ts';

const rates = fc
  .array(fc.integer({ min: 0, max: 30_000 }), { minLength: 3, maxLength: 3 })
  .map((points) => points.toSorted((a, b) => a - b));

it('a refresh is that of a second implementation in integers, by slots and by seconds', () => {
  fc.assert(
    fc.property(
      fc.record({
        basis: fc.constantFrom(0, 1),
        units: fc.oneof(fc.bigInt({ min: 1n, max: 8n }), fc.bigInt({ min: 1n, max: 10_000_000n })),
        available: fc.bigInt({ min: 0n, max: 10n ** 15n }),
        debtSf: fc.bigInt({ min: 0n, max: 10n ** 15n * FRACTION_ONE }),
        minted: fc.bigInt({ min: 0n, max: 10n ** 15n }),
        rates,
        host: fc.integer({ min: 0, max: 200 }),
        take: fc.integer({ min: 0, max: 60 }),
        referral: fc.integer({ min: 0, max: 5_000 }),
        perUnit: fc.bigInt({ min: 0n, max: 1_000_000n }),
        rewards: fc.bigInt({ min: 0n, max: 10n ** 12n }),
        maxApr: fc.integer({ min: 0, max: 2_000 }),
      }),
      (given) => {
        const [low = 0, middle = 0, high = 0] = given.rates;
        const account = makeReserve({
          lastUpdate: { slot: SLOT - given.units, timestamp: Number(NOW.timestamp - given.units) },
          liquidity: {
            totalAvailableAmount: given.available,
            borrowedAmountSf: given.debtSf,
            cumulativeBorrowRateBsf: { value: [FRACTION_ONE, 0n, 0n, 0n] },
            rewardsAmountAvailable: given.rewards,
          },
          collateral: { mintTotalSupply: given.minted },
          config: {
            interestRateBasis: given.basis,
            hostFixedInterestRateBps: given.host,
            protocolTakeRatePct: given.take,
            rewardsAmountPerAccrualUnit: given.perUnit,
            borrowRateCurve: {
              points: Array.from({ length: 11 }, (_, i) => ({
                utilizationRateBps: [0, 7_700][i] ?? 10_000,
                borrowRateBps: [low, middle][i] ?? high,
              })),
            },
          },
        });
        const terms = { referralFeeBps: given.referral, reserveRewardsMaxAprBps: given.maxApr };
        const other = new ReserveState(RESERVES[0] as (typeof RESERVES)[number], account);
        other.accrue(NOW, terms);
        const ours = refreshReserve(account, NOW, terms);
        expect({
          borrowed: toScaledFraction(ours.borrowed),
          protocolFees: toScaledFraction(ours.protocolFees),
          pendingFees: toScaledFraction(ours.pendingReferrerFees),
          rate: toScaledFraction(ours.cumulativeBorrowRate),
          available: ours.available,
          rewards: ours.rewardsAvailable,
        }).toEqual({
          borrowed: other.borrowed,
          protocolFees: other.protocolFees,
          pendingFees: other.pendingFees,
          rate: other.cumulativeRate,
          available: other.available,
          rewards: other.rewards,
        });
      },
    ),
    { numRuns: 2_000 },
  );
});
