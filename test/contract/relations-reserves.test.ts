import { lendingMarket as marketLayout } from '@sluice/protocol/klend/lending-market';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { integer, type Rational, sum } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { DOUBLE, exact, expectExact, expectNear } from '../../packages/protocol/test/support/numbers.ts';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';

type Fields = Readonly<Record<string, string>>;

interface Cap {
  readonly capacity: string | null;
  readonly currentTotal: string;
}

interface Outflow {
  readonly capacity: string;
  readonly currentTotal: string;
  readonly intervalLengthSeconds: number;
  readonly lastIntervalStartTimestamp: string;
}

type Averaged = Readonly<Record<'current' | 'avg7d' | 'avg30d', string>> &
  Readonly<Record<'avg60d' | 'avg180d', string | null>>;

interface Stats {
  readonly token: string;
  readonly status: string;
  readonly interestRateBasis: string;
  readonly hostFixedInterestRateBps: number;
  readonly protocolTakeRatePct: number;
  readonly supplyApy: Averaged;
  readonly borrowApy: Averaged;
  readonly supplyApyBreakdown: Fields;
  readonly borrowApyBreakdown: Fields;
  readonly utilization: Readonly<Record<'current' | 'avg30d', string>> & { readonly avg365d: string | null };
  readonly supplyRewardApys: readonly Fields[];
  readonly borrowRewardApys: readonly Fields[];
  readonly underlyingApy: Fields | null;
  readonly liquidityAvailable: string;
  readonly liquidityAvailableUsd: string;
  readonly totalSupply: string;
  readonly totalSupplyUsd: string;
  readonly totalBorrow: string;
  readonly totalBorrowUsd: string;
  readonly actualAvailableLiquidity: string;
  readonly depositLimit: string;
  readonly borrowLimit: string;
  readonly borrowFactor: string;
  readonly liqLTV: string;
  readonly maxLTV: string;
  readonly minLiquidationBonus: string;
  readonly liquidationMaxDebtCloseFactorPct: number;
  readonly limits: Readonly<Record<'depositWithdrawalCap' | 'debtWithdrawalCap', Outflow>>;
  readonly autoDeleverage: {
    readonly reserve: Readonly<Record<string, number | boolean>>;
    readonly market: Readonly<Record<string, number | boolean>>;
  };
  readonly proofOfReserves: { readonly verified: boolean; readonly address: string } | null;
  readonly borrowCaps: {
    readonly utilization: { readonly limitPct: number; readonly currentPct: string };
    readonly netWithdrawal: Outflow;
    readonly globalDebt: Cap;
    readonly debtOutsideElevationGroup: Cap;
    readonly debtAgainstCollateral: readonly (Cap & {
      readonly collateralReserve: string;
      readonly elevationGroup: number;
    })[];
  };
}

const { klend } = MAINNET_PROGRAMS;
const U64_MAX = 2n ** 64n - 1n;
const BATCH = '/reserves/batch/stats';

let world: ContractWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

async function read<T>(url: string): Promise<T> {
  const { status, body, text } = await world.get(url);
  if (status !== 200) throw new Error(`${url}: ${status} ${text}`);
  return body as T;
}

const reserveAt = (address: string) =>
  reserveLayout.decode(accountIn(world.localChain, address as Address), klend);
const marketAt = (address: string) =>
  marketLayout.decode(accountIn(world.localChain, address as Address), klend);
const everywhere = async () =>
  Object.assign(
    {},
    ...(await Promise.all(world.subjects.markets.map((at) => read(`${BATCH}?market=${at}`)))),
  ) as Readonly<Record<string, Stats>>;

describe('statistics of reserves', () => {
  it('are the same one by one, by address and by market, without RPC', async () => {
    const byMarket = await everywhere();
    const { reserves } = world.subjects;
    expect(Object.keys(byMarket).sort()).toEqual(reserves.map(({ address }) => address).sort());
    const asked = reserves.slice(0, 100).map(({ address }) => address);
    world.proxy.reset();
    const byAddress = await read<Readonly<Record<string, Stats>>>(`${BATCH}?reserve=${asked.join(',')}`);
    expect(Object.keys(byAddress)).toEqual(asked);
    for (const address of asked) {
      expect(byAddress[address]).toEqual(byMarket[address]);
      expect(await read(`/reserves/${address}/stats`)).toEqual(byMarket[address]);
    }
    expect(world.proxy.calls).toEqual([]);
  });

  it('accept repeated and bracketed addresses, each once', async () => {
    const { depositReserve, borrowReserve, market } = world.subjects.addresses;
    const wanted = await read(`${BATCH}?reserve=${depositReserve},${borrowReserve}`);
    for (const query of [
      `reserve=${depositReserve}&reserve=${borrowReserve}`,
      `reserve[]=${depositReserve}&reserve[]=${borrowReserve}`,
      `reserve=${depositReserve},${borrowReserve},${depositReserve}`,
      `market=${market}&reserve=${depositReserve},${borrowReserve}`,
    ]) {
      expect(await read(`${BATCH}?${query}`)).toEqual(wanted);
    }
  });

  it('have rewards that add up', async () => {
    const seen = { supply: 0, borrow: 0, season: 0, underlying: 0 };
    for (const stats of Object.values(await everywhere())) {
      const { supplyApyBreakdown: supply, borrowApyBreakdown: borrow, underlyingApy } = stats;
      const apysOf = (rewards: readonly Fields[]) => sum(rewards.map(({ apy }) => exact(apy)));
      const [supplied, borrowed] = [apysOf(stats.supplyRewardApys), apysOf(stats.borrowRewardApys)];
      expect(supply.lending).toBe(stats.supplyApy.current);
      expect(borrow.borrow).toBe(stats.borrowApy.current);
      expectNear(exact(supply.incentives).add(exact(supply.seasonRewards)), supplied, 'supply rewards');
      expectNear(exact(borrow.incentives).add(exact(borrow.seasonRewards)), borrowed, 'borrow rewards');
      expect(supply.underlying).toBe(underlyingApy?.current ?? '0');
      const whole = exact(supply.lending).add(supplied).add(exact(supply.underlying));
      expectNear(exact(supply.total), whole, 'supply total');
      expectNear(exact(borrow.total), exact(borrow.borrow).sub(borrowed), 'borrow total');
      seen.supply += Number(!supplied.isZero);
      seen.borrow += Number(!borrowed.isZero);
      seen.season += Number(supply.seasonRewards !== '0');
      seen.underlying += Number(underlyingApy !== null);
    }
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  });

  it('have rewards that pay what their yield says', async () => {
    const all = Object.values(await everywhere());
    const prices = new Map(
      all.map((each) => [each.token, Number(each.totalSupplyUsd) / Number(each.totalSupply)]),
    );
    let paid = 0;
    for (const { supplyRewardApys, totalSupplyUsd } of all) {
      for (const { rewardToken = '', apy, tokensPerSecond } of supplyRewardApys) {
        const price = prices.get(rewardToken);
        if (price === undefined) continue;
        const apr = (Number(tokensPerSecond) * 365 * 86_400 * price) / Number(totalSupplyUsd);
        // The gateway compounds daily. Prices of a token differ a little between reserves.
        expect(Number(apy) / ((1 + apr / 365) ** 365 - 1)).toBeCloseTo(1, 1);
        paid += 1;
      }
    }
    expect(paid).toBeGreaterThan(3);
  });

  it('have averages of the recorded rates', async () => {
    for (const { address, market } of world.subjects.reserves) {
      const { supplyApy, borrowApy, utilization } = await read<Stats>(`/reserves/${address}/stats`);
      const { history } = await read<{
        history: readonly { timestamp: string; metrics: Readonly<Record<string, number>> }[];
      }>(`/svc-market/${market}/reserves/${address}/metrics/history?frequency=day`);
      expect(history.length).toBeGreaterThan(30);
      const recent = (days: number) =>
        history.slice(-days).map(({ metrics }) => metrics.supplyInterestAPY ?? 0);
      // Recorded rates grow evenly, so a mean lies between those of the days in it.
      for (const [average, days] of [
        [supplyApy.avg7d, 8],
        [supplyApy.avg30d, 31],
      ] as const) {
        const [low, high] = [Math.min(...recent(days)), Math.max(...recent(days))];
        expect(Number(average)).toBeGreaterThanOrEqual(low * (1 - 1e-12));
        expect(Number(average)).toBeLessThanOrEqual(high * (1 + 1e-12));
      }
      const used = history
        .slice(-31)
        .map(({ metrics }) => Number(metrics.totalBorrows) / Number(metrics.totalSupply));
      expect(Number(utilization.avg30d)).toBeGreaterThanOrEqual(Math.min(...used) * (1 - 1e-12));
      expect(Number(utilization.avg30d)).toBeLessThanOrEqual(Math.max(...used) * (1 + 1e-12));
      // It did not change.
      expect([borrowApy.avg7d, borrowApy.avg30d].map(Number)).toEqual(
        [borrowApy.current, borrowApy.current].map(Number),
      );
    }
  });

  it('have fractions and percentages of the same utilization, and values at one price', async () => {
    let recorded = 0;
    for (const stats of Object.values(await everywhere())) {
      const { utilization, borrowCaps } = stats;
      const [supply, borrow] = [exact(stats.totalSupply), exact(stats.totalBorrow)];
      if (!supply.isZero) expectNear(exact(utilization.current), borrow.div(supply), 'utilization');
      expectNear(
        exact(borrowCaps.utilization.currentPct),
        exact(utilization.current).mul(integer(100)),
        'percent',
      );
      for (const [amount, usd] of [
        [stats.totalBorrow, stats.totalBorrowUsd],
        [stats.liquidityAvailable, stats.liquidityAvailableUsd],
      ] as const) {
        // amount / usd = supply / supplyUsd, without a division by zero.
        expectNear(exact(amount).mul(exact(stats.totalSupplyUsd)), exact(usd).mul(supply), 'value', DOUBLE);
      }
      recorded += Number(Number(utilization.avg30d) > 0);
    }
    expect(recorded).toBeGreaterThan(10);
  });

  it('have proofs of reserves from the catalogue', async () => {
    const proofs = Object.values(await everywhere()).flatMap(({ token, proofOfReserves }) =>
      proofOfReserves === null ? [] : [[token, proofOfReserves.verified]],
    );
    expect(proofs.length).toBeGreaterThan(0);
    expect(new Set(proofs.map(([token]) => token)).size).toBe(1);
    expect(proofs.every(([, verified]) => verified === true)).toBe(true);
  });

  it('have the limits and counters of the accounts', async () => {
    let inGroups = 0;
    for (const [address, stats] of Object.entries(await everywhere())) {
      const { token, depositLimit, borrowCaps, actualAvailableLiquidity } = stats;
      const { liquidity, config, lendingMarket, borrowedAmountOutsideElevationGroup } = reserveAt(address);
      const units = (written: string | null) =>
        written && exact(written).mul(integer(10n ** liquidity.mintDecimals));
      const expectCap = ({ capacity, currentTotal }: Cap, limit: bigint, used: bigint) => {
        expectUnits(units(capacity), limit === U64_MAX ? null : limit);
        expectUnits(units(currentTotal), used);
      };
      expect(token).toBe(liquidity.mintPubkey);
      expectUnits(units(depositLimit), config.depositLimit);
      expectUnits(units(stats.borrowLimit), config.borrowLimit);
      const expectOutflow = (shown: Outflow, cap: typeof config.debtWithdrawalCap) => {
        expectUnits(units(shown.capacity), cap.configCapacity);
        expectUnits(units(shown.currentTotal), cap.currentTotal);
        expect(shown.intervalLengthSeconds).toBe(Number(cap.configIntervalLengthSeconds));
        expect(Date.parse(shown.lastIntervalStartTimestamp)).toBe(
          Number(cap.lastIntervalStartTimestamp) * 1_000,
        );
      };
      expectOutflow(stats.limits.depositWithdrawalCap, config.depositWithdrawalCap);
      expectOutflow(stats.limits.debtWithdrawalCap, config.debtWithdrawalCap);
      expect(borrowCaps.netWithdrawal).toEqual(stats.limits.debtWithdrawalCap);
      expect(borrowCaps.globalDebt).toEqual({ capacity: stats.borrowLimit, currentTotal: stats.totalBorrow });
      expect(stats).toMatchObject({
        hostFixedInterestRateBps: config.hostFixedInterestRateBps,
        protocolTakeRatePct: config.protocolTakeRatePct,
        interestRateBasis: config.interestRateBasis === 1 ? 'trueApr' : 'legacy',
        maxLTV: String(config.loanToValuePct / 100),
        liqLTV: String(config.liquidationThresholdPct / 100),
        borrowFactor: String(Number(config.borrowFactorPct) / 100),
        minLiquidationBonus: String(config.minLiquidationBonusBps / 10_000),
        liquidationMaxDebtCloseFactorPct: marketAt(lendingMarket).liquidationMaxDebtCloseFactorPct,
        autoDeleverage: {
          reserve: {
            enabled: config.autodeleverageEnabled === 1,
            marginCallPeriodSecs: Number(config.deleveragingMarginCallPeriodSecs),
          },
          market: { enabled: marketAt(lendingMarket).autodeleverageEnabled === 1 },
        },
      });
      expectCap(
        borrowCaps.debtOutsideElevationGroup,
        config.borrowLimitOutsideElevationGroup,
        borrowedAmountOutsideElevationGroup,
      );
      const { elevationGroups } = marketAt(lendingMarket);
      const lent = elevationGroups.filter(({ id, debtReserve }) => id !== 0 && debtReserve === address);
      const wanted = lent.flatMap(({ id }) =>
        world.subjects.reserves
          .filter(({ market, address: at }) => market === lendingMarket && at !== address)
          .filter(({ address: at }) => reserveAt(at).config.elevationGroups.includes(id))
          .map(({ address: at }) => `${at} ${id}`),
      );
      const shown = borrowCaps.debtAgainstCollateral.map(
        (cap) => `${cap.collateralReserve} ${cap.elevationGroup}`,
      );
      expect(shown.sort()).toEqual(wanted.sort());
      for (const cap of borrowCaps.debtAgainstCollateral) {
        const collateral = reserveAt(cap.collateralReserve);
        const index = cap.elevationGroup - 1;
        expectCap(
          cap,
          collateral.config.borrowLimitAgainstThisCollateralInElevationGroup[index] ?? 0n,
          collateral.borrowedAmountsAgainstThisReserveInElevationGroups[index] ?? 0n,
        );
        inGroups += 1;
      }
      const free = units(actualAvailableLiquidity) as Rational;
      expect(free.compare(integer(liquidity.totalAvailableAmount)) <= 0).toBe(true);
      expect(free.compare(integer(config.borrowLimit)) <= 0).toBe(true);
    }
    expect(inGroups).toBeGreaterThan(10);
  });
});

function expectUnits(shown: Rational | '' | null, wanted: bigint | null): void {
  if (wanted === null || shown === null || shown === '') expect(shown).toBe(wanted);
  else expectExact(shown, integer(wanted), 'base units');
}
