import { farmState } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, NO_ADDRESS, SCOPE_PROGRAM } from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccruedReserve } from '../../src/domain/accrued-reserve.ts';
import * as apy from '../../src/domain/apy.ts';
import * as capacity from '../../src/domain/capacity.ts';
import { potentialElevationGroup } from '../../src/domain/elevation-move.ts';
import * as health from '../../src/domain/health.ts';
import { borrowCurve } from '../../src/domain/interest.ts';
import { obligationPositions } from '../../src/domain/obligation.ts';
import { maxLtv, obligationStats } from '../../src/domain/obligation-stats.ts';
import * as prices from '../../src/domain/price.ts';
import * as rates from '../../src/domain/rates.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import * as reserves from '../../src/domain/reserve.ts';
import { rewardEndsAt } from '../../src/domain/reward-schedule.ts';
import * as rewards from '../../src/domain/rewards.ts';
import * as vaults from '../../src/domain/vault.ts';
import * as vaultFees from '../../src/domain/vault-fees.ts';
import { garbage, NOW, RESERVES } from '../support/domain/domain-accounts.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;
const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const runs = { numRuns: 60 };
const anyReserve = (seed: number): AccruedReserve =>
  refreshReserve(garbage(reserve, seed, klend), NOW, {
    referralFeeBps: 9_999,
    reserveRewardsMaxAprBps: 9_999,
  });

/** Every exact number of a result must convert to a finite double. */
function expectFinite(value: unknown): void {
  if (value instanceof Rational) {
    expect(value.d > 0n).toBe(true);
    expect(Number.isFinite(value.toNumber())).toBe(true);
  } else if (Array.isArray(value)) value.forEach(expectFinite);
}

const plain = (result: object): unknown[] => Object.values(result).filter((part) => part instanceof Rational);

describe('accounts with random bytes', () => {
  it('a reserve has finite numbers', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const accrued = anyReserve(seed);
        const { account } = accrued;
        const oracle = garbage(oraclePrices, seed + 1, SCOPE_PROGRAM);
        const price = prices.storedPrice(account, NOW.timestamp)?.usd ?? Rational.of(1n);
        expectFinite(plain(accrued));
        expectFinite(borrowCurve(account.config).map(({ rate }) => rate));
        expectFinite([rates.borrowApr(accrued, NOW), rates.supplyApr(accrued, NOW)]);
        expectFinite([rates.borrowApy(accrued, NOW), rates.supplyApy(accrued, NOW)]);
        expectFinite([reserves.collateralExchangeRate(accrued), reserves.freelyAvailable(accrued)]);
        expectFinite([reserves.depositRemaining(accrued), reserves.borrowRemaining(accrued)]);
        expectFinite([reserves.suppliedUsd(accrued, price), reserves.borrowedUsd(accrued, price)]);
        expectFinite([plain(reserves.reserveRisk(account)), plain(reserves.reserveFees(account))]);
        const market = { priceRefreshTriggerToMaxAgePct: seed % 256 };
        expectFinite(prices.effectivePrice(account, market, oracle, NOW.timestamp)?.usd);
        expect(reserves.reserveStatus(account)).toMatch(/^[A-Z]+$/);
        expect(reserves.originationFee(account, (1n << 64n) - 1n)).toBeGreaterThanOrEqual(0n);
      }),
      runs,
    );
  });

  it('an obligation has finite stats, health and limits', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const market = garbage(lendingMarket, seed, klend);
        const account = garbage(obligation, seed + 1, klend);
        const priced = { accrued: anyReserve(seed + 2), priceUsd: Rational.of(BigInt(seed), 7n) };
        const lookup = () => priced;
        const positions = obligationPositions(account, market, lookup);
        const stats = obligationStats(positions);
        if (stats === null) throw new Error('a reserve is missing');
        expectFinite([
          ...plain(stats),
          maxLtv(stats),
          health.healthFactor(stats),
          health.closeFactor(market),
        ]);
        expectFinite(health.bufferToLiquidation(stats));
        for (const deposit of positions.deposits)
          expectFinite(health.collateralLiquidationPrice(stats, deposit));
        for (const borrow of positions.borrows) expectFinite(health.debtLiquidationPrice(stats, borrow));
        const group = potentialElevationGroup(positions, market, lookup, stats);
        expect(group).toBeGreaterThanOrEqual(0);
        const view = { obligation: account, market, reserves: lookup, positions, stats };
        const address = positions.deposits[0]?.reserve ?? NO_ADDRESS;
        const borrowable = capacity.borrowCapacities(view, address, priced, NOW) ?? [];
        const withdrawable = capacity.withdrawCapacities(view, address, priced, NOW) ?? [];
        for (const amount of [capacity.maxAmount(borrowable), capacity.maxAmount(withdrawable)]) {
          expectFinite(amount);
          expect(amount.isNegative).toBe(false);
        }
      }),
      runs,
    );
  });

  it('a vault has finite holdings, yields and fees', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const vault = garbage(vaultState, seed, kvault);
        const known = RESERVES.map((_, index) => anyReserve(seed + index));
        const lookup = (address: Address) => known[address.charCodeAt(0) % known.length];
        const holdings = vaults.vaultHoldings(vault, lookup);
        if (holdings === null) throw new Error('a reserve is missing');
        expectFinite([plain(holdings), vaults.tokensPerShare(vault, holdings)]);
        expectFinite([vaults.withdrawableNow(holdings), vaults.vaultUtilization(holdings)]);
        expectFinite(vaults.interestPerSecond(holdings, NOW));
        expectFinite(plain(apy.actualApy(vault, holdings, NOW)));
        expectFinite(plain(apy.theoreticalApy(vault, holdings.allocations, NOW) ?? {}));
        const uncharged = vaultFees.unchargedFees(vault, holdings, NOW.timestamp);
        expectFinite([plain(uncharged), vaultFees.pendingFees(holdings, uncharged)]);
        expect(holdings.aum.isNegative).toBe(false);
        expect(uncharged.total.compare(holdings.aum)).not.toBe(1);
      }),
      { numRuns: 15 },
    );
  });

  it('a farm has finite rates, ends and claims', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const farm = garbage(farmState, seed, farms);
        const user = garbage(userState, seed + 1, farms);
        for (const reward of rewards.farmRewards(farm)) {
          const perSecond = rewards.rewardPerSecond(farm, reward.info, NOW);
          const apr = rewards.rewardApr(perSecond, Rational.of(3n, 7n), rewards.totalStaked(farm));
          expectFinite([perSecond, apr, apr && rates.rewardApy(apr)]);
          const end = rewardEndsAt(farm, reward.info, NOW);
          expect(end === null || end >= NOW.timestamp).toBe(true);
          expect(rewards.claimableReward(farm, user, reward, NOW)).toBeGreaterThanOrEqual(0n);
        }
      }),
      runs,
    );
  });

  it('extreme yields stay finite', () => {
    const huge = Rational.of(10n ** 60n);
    expectFinite([rates.lendingApy(huge), rates.rewardApy(huge)]);
    expect(rates.lendingApy(huge.neg()).toNumber()).toBe(-1);
    expect(rates.rewardApy(huge.neg()).toNumber()).toBe(-1);
    expectFinite([apy.realisedApy(Rational.of(1n), huge, 1n), apy.realisedApy(huge, Rational.of(1n), 1n)]);
  });
});
