import { itemAt } from './world/prng.ts';
import type { World } from './world/world.ts';
import type { WorldAddresses } from './world-addresses.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Wallets with allocations, besides the wallet of examples. */
const WALLETS = 12;
const RATES = 96;

/**
 * Seasons of rewards of the localnet, in the format of a seasons file: one that has ended, and the current one. All of it is
 * invented.
 */
export function worldSeasons(
  { tokens, wallets, vaults }: World,
  { wallet, farm, vault }: WorldAddresses,
  nowMs: number,
): unknown {
  const day = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const usdc = tokens.find(({ symbol }) => symbol === 'USDC') ?? itemAt(tokens, 0);
  const rewardToken = usdc.mint.address;
  const others = wallets.slice(0, WALLETS).map(({ address }) => address);
  const holders = [wallet, ...others.filter((address) => address !== wallet)];
  const left = vaults.map(({ address }) => address).find((address) => address !== vault);
  return {
    version: 1,
    seasons: [
      {
        source: 'Season0',
        rewardToken,
        claimsFrom: new Date(day - 180 * DAY_MS).toISOString(),
        forfeitedRewards: '1234.5678',
        allocations: holders.map((holder, i) => ({
          wallet: holder,
          name: 'main',
          quantity: `${10 + i}.25`,
        })),
        rewards: holders.map((holder, i) => ({ wallet: holder, amount: `${100 + 3 * i}.5` })),
      },
      {
        source: 'Season1',
        rewardToken,
        claimsFrom: new Date(day + 60 * DAY_MS).toISOString(),
        allocations: [
          ...holders.map((holder, i) => ({ wallet: holder, name: 'main', quantity: `${20 + i}` })),
          { wallet, name: 'early', quantity: '5.125' },
        ],
        boosts: [
          { wallet, name: 'staking_boost', boost: '0.3', farm },
          { wallet, name: 'early_boost', boost: '0.05' },
        ],
        vaultRewards: [
          { wallet, vault, tokensEarned: '12.5' },
          ...(left === undefined ? [] : [{ wallet, vault: left, tokensEarned: '0.75' }]),
        ],
      },
    ],
    benchmarkRates: Array.from({ length: RATES }, (_, i) => ({
      hour: new Date(hour - (RATES - 1 - i) * HOUR_MS).toISOString(),
      averageRate: Number((0.045 + ((i * 7) % 24) / 4_000).toFixed(6)),
      trackedSupplyUsd: 5_400_000_000 + i * 1_250_000,
      elements: 30,
      includedProtocols: 6,
    })),
  };
}
