import { lendingMarket as marketLayout } from '@sluice/protocol/klend/lending-market';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { sum } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { exact, expectNear } from '../../packages/protocol/test/support/numbers.ts';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';

type Fields = Readonly<Record<string, string>>;

const { klend } = MAINNET_PROGRAMS;

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
