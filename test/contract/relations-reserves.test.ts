import { lendingMarket as marketLayout } from '@sluice/protocol/klend/lending-market';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { integer, type Rational, sum } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { exact, expectExact, expectNear } from '../../packages/protocol/test/support/numbers.ts';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';

type Fields = Readonly<Record<string, string>>;

interface Cap {
  readonly capacity: string | null;
  readonly currentTotal: string;
}

interface Stats {
  readonly token: string;
  readonly status: string;
  readonly supplyApy: Readonly<Record<'current' | 'avg7d' | 'avg30d', string>>;
  readonly borrowApy: Readonly<Record<'current' | 'avg7d' | 'avg30d', string>>;
  readonly supplyApyBreakdown: Readonly<Record<'lending' | 'incentives', string>>;
  readonly supplyRewardApys: readonly Fields[];
  readonly underlyingApy: Fields | null;
  readonly actualAvailableLiquidity: string;
  readonly depositLimit: string;
  readonly borrowCaps: {
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
    let rewarded = 0;
    for (const { supplyApy, supplyApyBreakdown, supplyRewardApys } of Object.values(await everywhere())) {
      expect(supplyApyBreakdown.lending).toBe(supplyApy.current);
      const rewards = sum(supplyRewardApys.map(({ apy }) => exact(apy)));
      expectNear(exact(supplyApyBreakdown.incentives), rewards, 'incentives');
      if (!rewards.isZero) rewarded += 1;
    }
    expect(rewarded).toBeGreaterThan(3);
  });

  it('have averages of the recorded rates', async () => {
    for (const { address, market } of world.subjects.reserves) {
      const { supplyApy, borrowApy } = await read<Stats>(`/reserves/${address}/stats`);
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
      // It did not change.
      expect([borrowApy.avg7d, borrowApy.avg30d].map(Number)).toEqual(
        [borrowApy.current, borrowApy.current].map(Number),
      );
    }
  });

  it('have the limits and counters of the accounts', async () => {
    let inGroups = 0;
    for (const [address, { token, depositLimit, borrowCaps, actualAvailableLiquidity }] of Object.entries(
      await everywhere(),
    )) {
      const { liquidity, config, lendingMarket, borrowedAmountOutsideElevationGroup } = reserveAt(address);
      const units = (written: string | null) =>
        written && exact(written).mul(integer(10n ** liquidity.mintDecimals));
      const expectCap = ({ capacity, currentTotal }: Cap, limit: bigint, used: bigint) => {
        expectUnits(units(capacity), limit === U64_MAX ? null : limit);
        expectUnits(units(currentTotal), used);
      };
      expect(token).toBe(liquidity.mintPubkey);
      expectUnits(units(depositLimit), config.depositLimit);
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

describe('collateral', () => {
  interface Entry {
    readonly lendingMarket: string;
    readonly collateralReserve: string;
    readonly debtCategory: string;
    readonly borrowReserves: readonly string[];
    readonly borrowReserveTerms: readonly (Fields & { readonly elevationGroup: number })[];
    readonly collateralBackingDebtUsd: string;
    readonly debtAgainstCollateralUsd: string;
  }

  it('has the terms of its reserve outside groups, and of each group inside', async () => {
    const { collateralReserves } = await read<{ collateralReserves: readonly Entry[] }>(
      '/markets/collateral-reserves',
    );
    const seen = new Set<string>();
    for (const {
      lendingMarket,
      collateralReserve,
      debtCategory,
      borrowReserves,
      borrowReserveTerms,
    } of collateralReserves) {
      const { config } = reserveAt(collateralReserve);
      const { elevationGroups } = marketAt(lendingMarket);
      expect(new Set(borrowReserveTerms.map(({ reserve }) => reserve))).toEqual(new Set(borrowReserves));
      for (const { reserve, elevationGroup, maxLtv, liquidationLtv } of borrowReserveTerms) {
        const key = `${collateralReserve} ${reserve} ${elevationGroup}`;
        expect(seen.has(key), key).toBe(false);
        seen.add(key);
        expect(reserveAt(String(reserve)).lendingMarket).toBe(lendingMarket);
        const group = elevationGroups[elevationGroup - 1];
        const wanted =
          elevationGroup === 0
            ? [config.loanToValuePct, config.liquidationThresholdPct]
            : [group?.ltvPct, group?.liquidationThresholdPct];
        expect([maxLtv, liquidationLtv].map((written) => Math.round(Number(written) * 100))).toEqual(wanted);
      }
      const symbols = borrowReserves.map(
        (at) =>
          world.localChain.worldChain.world.reserves.find(({ address }) => address === at)?.token.symbol ??
          '',
      );
      const isCategory =
        { 'SOL assets': /SOL$/, 'Stablecoin assets': /^(USDC|USDT|HUSD|EURK)$/ }[debtCategory] ??
        /^(?!.*SOL$)/;
      expect(symbols.filter((symbol) => !isCategory.test(symbol))).toEqual([]);
    }
    expect(seen.size).toBeGreaterThan(200);
  });

  it('counts every debt to a reserve on offer once', async () => {
    for (const market of world.subjects.markets) {
      const { collateralReserves } = await read<{ collateralReserves: readonly Entry[] }>(
        `/markets/collateral-reserves?market=${market}`,
      );
      const metrics = await read<readonly Fields[]>(`/svc-market/${market}/reserves/metrics`);
      const debts = sum(
        collateralReserves.map(({ debtAgainstCollateralUsd }) => exact(debtAgainstCollateralUsd)),
      );
      const borrowed = sum(metrics.map(({ totalBorrowUsd }) => exact(totalBorrowUsd)));
      // Loans are all that reserves lend.
      expect(debts.compare(borrowed.mul(exact('1.000001'))) <= 0).toBe(true);
      for (const { collateralBackingDebtUsd, debtAgainstCollateralUsd } of collateralReserves) {
        expect(exact(collateralBackingDebtUsd).isZero).toBe(exact(debtAgainstCollateralUsd).isZero);
      }
    }
    const { collateralReserves } = await read<{ collateralReserves: readonly Entry[] }>(
      '/markets/collateral-reserves',
    );
    expect(
      collateralReserves.filter(({ debtAgainstCollateralUsd }) => debtAgainstCollateralUsd !== '0').length,
    ).toBeGreaterThan(10);
  });
});

describe('prices of markets', () => {
  it('are those that values of reserves are computed with, one for each token', async () => {
    const markets = await read<
      readonly { lendingMarket: string; isPrimary: boolean; prices: readonly Fields[] }[]
    >('/oracles/prices?markets=all');
    expect(markets.map(({ lendingMarket }) => lendingMarket).sort()).toEqual(
      [...world.subjects.markets].sort(),
    );
    for (const { lendingMarket, prices } of markets) {
      const own = world.subjects.reserves.filter(({ market }) => market === lendingMarket);
      expect(prices.map(({ mint }) => mint).sort()).toEqual([...new Set(own.map(({ mint }) => mint))].sort());
      const metrics = await read<readonly Fields[]>(`/svc-market/${lendingMarket}/reserves/metrics`);
      for (const { mint, price, maxAgeInSeconds, timestamp, name } of prices) {
        const largest = metrics.find(({ liquidityTokenMint }) => liquidityTokenMint === mint);
        expect(name).toBe(largest?.liquidityToken);
        expectNear(
          exact(largest?.totalSupplyUsd),
          exact(largest?.totalSupply).mul(exact(price)),
          String(mint),
        );
        const { tokenInfo } = reserveAt(String(largest?.reserve)).config;
        expect(maxAgeInSeconds).toBe(String(tokenInfo.maxAgePriceSeconds));
        // Seconds, near the time of the world.
        expect(Math.abs(Number(timestamp) - Date.UTC(2026, 5, 1) / 1_000)).toBeLessThan(40_000_000);
      }
    }
    const main = markets.find(({ isPrimary }) => isPrimary);
    expect(await read('/oracles/prices')).toEqual(main?.prices);
    expect(await read('/oracles/prices?markets=main')).toEqual(main?.prices);
  });
});
