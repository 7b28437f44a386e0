import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { worldCatalogue } from '@sluice/localnet/world-catalogue';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, TestChain, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ContractWorld, contractWorldOver } from '../support/contract/contract-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-stats-'));
const localChain = new TestChain();
const { depositReserve: changed, borrowReserve: paired, market } = localChain.addresses;

/** What the lending program can store in a reserve, and the generated world does not. */
const CONFIG = {
  debtTermSeconds: 2_592_000n,
  debtMaturityTimestamp: 1_800_000_000n,
  hostFixedInterestRateBps: 40,
  borrowRateCurve: {
    points: new Array(11).fill({ utilizationRateBps: 10_000, borrowRateBps: 500 }),
  },
  utilizationLimitBlockBorrowingAbovePct: 85,
  autodeleverageEnabled: 1,
  deleveragingMarginCallPeriodSecs: 604_800n,
  deleveragingThresholdDecreaseBpsPerDay: 7_200n,
  deleveragingBonusIncreaseBpsPerDay: 2n ** 64n - 1n,
  minDeleveragingBonusBps: 300,
  depositWithdrawalCap: {
    configCapacity: 10_000_000_000_000n,
    currentTotal: -91_285_437_519n,
    lastIntervalStartTimestamp: 1_780_000_000n,
    configIntervalLengthSeconds: 86_400n,
  },
};

const SEASON = {
  source: 'Season1',
  market,
  rewardToken: localChain.addresses.tokenMint,
  tokensPerSecond: '0.25',
  startsAt: '2026-01-01T00:00:00Z',
};

interface Stats {
  readonly fixedTerm: { readonly termSeconds: number; readonly apy: string };
  readonly borrowApy: { readonly current: string };
  readonly pairIncentives: readonly object[];
}

let world: ContractWorld;
beforeAll(async () => {
  localChain.place(changed, withFields(reserveLayout, accountIn(localChain, changed), { config: CONFIG }));
  const catalogue = worldCatalogue(localChain.worldChain.world, Date.UTC(2026, 5, 1)) as object;
  const file = join(folder, 'catalogue.json');
  const pair = { ...SEASON, depositReserve: changed, borrowReserve: paired };
  const alone = { ...SEASON, borrowReserve: paired };
  writeFileSync(file, JSON.stringify({ ...catalogue, lendingCampaigns: [pair, alone] }));
  world = await contractWorldOver(localChain, { CATALOGUE_FILE: file });
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true });
});

const statsOf = async (address: string) => {
  const { status, body, text } = await world.get(`/reserves/${address}/stats`);
  expect(status, text).toBe(200);
  return body as Stats;
};

describe('statistics of a reserve', () => {
  it('show a fixed rate, a term and a maturity', async () => {
    const stats = await statsOf(changed);
    expect(stats).toMatchObject({
      rateType: 'fixed',
      fixedTerm: { termSeconds: 2_592_000, apy: stats.borrowApy.current },
      debtMaturityTimestamp: '2027-01-15T08:00:00.000Z',
      hostFixedInterestRateBps: 40,
    });
    expect(await statsOf(paired)).toMatchObject({
      rateType: 'variable',
      fixedTerm: null,
      debtMaturityTimestamp: null,
    });
  });

  it('show the settings of deleveraging, and the nearest number that JSON has', async () => {
    expect(await statsOf(changed)).toMatchObject({
      autoDeleverage: {
        reserve: {
          enabled: true,
          marginCallPeriodSecs: 604_800,
          thresholdDecreaseBpsPerDay: 7_200,
          bonusIncreaseBpsPerDay: 9_007_199_254_740_991,
          minBonusBps: 300,
        },
      },
    });
  });

  it('show caps in whole tokens, a net inflow as a negative number', async () => {
    const account = accountIn(localChain, changed);
    const { liquidity } = reserveLayout.decode(account, account.owner);
    const scale = 10 ** Number(liquidity.mintDecimals);
    const stats = await statsOf(changed);
    expect(stats).toMatchObject({
      utilizationLimitBlockBorrowingAbovePct: 85,
      borrowCaps: { utilization: { limitPct: 85 } },
      limits: {
        depositWithdrawalCap: {
          capacity: String(10_000_000_000_000 / scale),
          currentTotal: String(-91_285_437_519 / scale),
          intervalLengthSeconds: 86_400,
          lastIntervalStartTimestamp: '2026-05-28T20:26:40.000Z',
        },
      },
    });
  });

  it('list campaigns on a pair at both of its reserves, and on one reserve among its rewards', async () => {
    const pair = { depositReserve: changed, borrowReserve: paired, tokensPerSecond: '0.25' };
    for (const address of [changed, paired]) {
      expect((await statsOf(address)).pairIncentives).toEqual([expect.objectContaining(pair)]);
    }
    const other = world.subjects.reserves.find(({ address }) => address !== changed && address !== paired);
    expect((await statsOf(other?.address ?? '')).pairIncentives).toEqual([]);
    expect(await statsOf(paired)).toMatchObject({
      borrowRewardApys: expect.arrayContaining([
        { rewardToken: SEASON.rewardToken, farm: null, apy: expect.any(String), tokensPerSecond: '0.25' },
      ]),
    });
  });
});
