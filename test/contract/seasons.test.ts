import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-seasons-'));
const HOUR = { elements: 2, includedProtocols: 1 };

let [imported, empty]: (ContractWorld | undefined)[] = [];
beforeAll(async () => {
  empty = await startContractWorld({ SEASONS_FILE: '' });
  const { wallet, emptyWallet, farm, tokenMint, vault } = empty.subjects.addresses;
  const file = join(folder, 'seasons.json');
  writeFileSync(
    file,
    JSON.stringify({
      version: 1,
      seasons: [
        {
          source: 'Season0',
          rewardToken: tokenMint,
          claimsFrom: '2026-03-01T12:00:00Z',
          forfeitedRewards: '12.5',
          allocations: [
            { wallet, name: 'main', quantity: '1.5' },
            { wallet, name: 'early', quantity: '0.25' },
            { wallet: emptyWallet, name: 'main', quantity: '3' },
          ],
          rewards: [{ wallet, amount: '7.75' }],
        },
        {
          source: 'Season1',
          rewardToken: tokenMint,
          boosts: [
            { wallet, name: 'staking_boost', boost: '0.3', farm },
            { wallet, name: 'early_boost', boost: '0.05' },
          ],
          vaultRewards: [{ wallet: emptyWallet, vault, tokensEarned: '4.5' }],
        },
      ],
      benchmarkRates: [
        { hour: '2026-05-29T22:00:00Z', averageRate: 0.04, trackedSupplyUsd: 100, ...HOUR },
        { hour: '2026-05-29T23:00:00Z', averageRate: 0.05, trackedSupplyUsd: 200, ...HOUR },
        { hour: '2026-05-30T00:00:00Z', averageRate: 0.06, trackedSupplyUsd: 300, ...HOUR },
      ],
    }),
  );
  imported = await startContractWorld({ SEASONS_FILE: file });
});
afterAll(async () => {
  await imported?.stop();
  await empty?.stop();
  rmSync(folder, { recursive: true });
});

async function answer(world: ContractWorld | undefined, url: string): Promise<unknown[]> {
  const { wallet = '', emptyWallet = '' } = world?.subjects.addresses ?? {};
  const target = url.replace('{wallet}', wallet).replace('{other}', emptyWallet);
  const given = await world?.get(target);
  const unknown = given?.headers.get('x-unknown') ?? null;
  return [given?.status, given?.body, ...(unknown === null ? [] : [unknown])];
}

describe('an imported season', () => {
  it('answers its airdrop, by wallet and in total', async () => {
    const of = (wallet: string) => answer(imported, `/v2/airdrop/users/${wallet}/allocations?source=Season0`);
    expect(await of('{wallet}')).toEqual([
      200,
      [
        { quantity: '1.5', name: 'main' },
        { quantity: '0.25', name: 'early' },
      ],
    ]);
    expect(await of('{other}')).toEqual([200, [{ quantity: '3', name: 'main' }]]);
    expect(await answer(imported, '/v2/airdrop/metrics?source=Season0')).toEqual([
      200,
      [{ totalAllocation: '4.75', totalUsers: '2', claimDate: '2026-03-01T12:00:00.000Z' }],
    ]);
  });

  it('is the one of the catalogue by default, here without an airdrop', async () => {
    expect(await answer(imported, '/v2/airdrop/metrics')).toEqual([200, []]);
    for (const source of ['Season1', 'nothing']) {
      expect(await answer(imported, `/v2/airdrop/metrics?source=${source}`)).toEqual([
        404,
        { metadata: expect.stringContaining(`"${source}"`) },
      ]);
    }
  });

  it('answers boosts, with the farm where there is one', async () => {
    const { farm } = imported?.subjects.addresses ?? {};
    expect(await answer(imported, '/users/{wallet}/staking-boosts')).toEqual([
      200,
      [
        { boost: '0.3', name: 'staking_boost', farm },
        { boost: '0.05', name: 'early_boost' },
      ],
    ]);
    expect(await answer(imported, '/users/{wallet}/staking-boosts?source=Season0')).toEqual([200, []]);
  });

  it('answers rewards: those of others are none, those of a season without rewards unknown', async () => {
    const { wallet, emptyWallet, tokenMint } = imported?.subjects.addresses ?? {};
    const of = (who: string, source: string) =>
      answer(imported, `/season-rewards/users/${who}?source=${source}`);
    const reward = (owner: unknown, amount: string) => ({
      wallet: owner,
      totalRewards: { amount, tokenMint },
    });
    expect(await of('{wallet}', 'Season0')).toEqual([200, reward(wallet, '7.75')]);
    expect(await of('{other}', 'Season0')).toEqual([200, reward(emptyWallet, '0')]);
    expect(await of('{wallet}', 'Season1')).toEqual([200, reward(wallet, '0'), 'totalRewards.amount']);
    const pool = '/season-rewards/final-vesting-pool?source=';
    expect(await answer(imported, `${pool}Season0`)).toEqual([200, { totalForfeitedRewards: '12.5' }]);
    expect(await answer(imported, `${pool}Season1`)).toEqual([
      200,
      { totalForfeitedRewards: '0' },
      'totalForfeitedRewards',
    ]);
  });

  it('answers benchmark rates by the hour, or the last of each day, with an exclusive end', async () => {
    const rates = async (query: string) => {
      const [, body] = await answer(imported, `/benchmark-rates/usd${query}`);
      return (body as { index: number; avg_rate: number }[]).map(({ index, avg_rate }) => [index, avg_rate]);
    };
    expect(await rates('')).toEqual([
      [0, 0.04],
      [1, 0.05],
      [2, 0.06],
    ]);
    expect(await rates('?frequency=day')).toEqual([
      [1, 0.05],
      [2, 0.06],
    ]);
    expect(await rates('?start=2026-05-29T23:00Z&end=2026-05-30')).toEqual([[1, 0.05]]);
  });

  it('pays a wallet its part of the campaigns of vaults', async () => {
    interface Reward {
      readonly kvault: string;
      readonly tokensPerSecond: string;
      readonly tokensEarned: string;
      readonly usdAmount: string;
    }
    const [, body] = await answer(imported, '/kvaults/users/{wallet}/rewards');
    const { rewards } = body as { rewards: readonly Reward[] };
    const [, positions] = await answer(imported, '/kvaults/users/{wallet}/positions');
    const [, campaigns] = await answer(imported, '/kvaults/rewards');
    const running = campaigns as readonly { kvault: string; tokensPerSecond: string }[];
    const held = (positions as readonly { vaultAddress: string; totalShares: string }[]).filter((each) =>
      running.some(({ kvault }) => kvault === each.vaultAddress),
    );
    expect(held.length).toBeGreaterThan(0);
    expect(rewards.map(({ kvault }) => kvault)).toEqual(held.map((each) => each.vaultAddress).sort());
    for (const { vaultAddress, totalShares } of held) {
      const [, account] = await answer(imported, `/kvaults/vaults/${vaultAddress}`);
      const { state } = account as { state: { sharesIssued: string; sharesMintDecimals: string } };
      const issued = Number(state.sharesIssued) / 10 ** Number(state.sharesMintDecimals);
      const rate = running.find(({ kvault }) => kvault === vaultAddress)?.tokensPerSecond;
      const reward = rewards.find(({ kvault }) => kvault === vaultAddress);
      expect(Number(reward?.tokensPerSecond)).toBeCloseTo((Number(totalShares) / issued) * Number(rate), 12);
      expect(Number(reward?.usdAmount)).toBeGreaterThan(0);
    }
  });

  it('says what a wallet without shares has earned', async () => {
    const { vault, tokenMint } = imported?.subjects.addresses ?? {};
    const [, body] = await answer(imported, '/kvaults/users/{other}/rewards');
    expect(body).toMatchObject({
      avgBaseApy: '0',
      rewards: [
        {
          kvault: vault,
          rewardMint: tokenMint,
          tokensEarned: '4.5',
          tokensPerSecond: '0',
          baseApy: '0',
          usdAmount: '0',
        },
      ],
    });
  });
});

describe('without an import', () => {
  it('every operation answers in its shape, empty or as unknown', async () => {
    const { wallet } = empty?.subjects.addresses ?? {};
    expect(await answer(empty, '/v2/airdrop/users/{wallet}/allocations')).toEqual([200, []]);
    expect(await answer(empty, '/v2/airdrop/metrics')).toEqual([200, []]);
    expect(await answer(empty, '/users/{wallet}/staking-boosts')).toEqual([200, []]);
    expect(await answer(empty, '/season-rewards/users/{wallet}')).toEqual([
      200,
      { wallet, totalRewards: { amount: '0', tokenMint: NO_ADDRESS } },
      'totalRewards.amount',
    ]);
    expect(await answer(empty, '/season-rewards/final-vesting-pool')).toEqual([
      200,
      { totalForfeitedRewards: '0' },
      'totalForfeitedRewards',
    ]);
    expect(await answer(empty, '/benchmark-rates/usd')).toEqual([200, []]);
    expect(await answer(empty, '/kvaults/users/{other}/rewards')).toEqual([
      200,
      { avgBaseApy: '0', avgBoostedApy: '0', avgMaxApy: '0', rewards: [] },
    ]);
  });
});
