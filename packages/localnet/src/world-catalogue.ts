import { createHash } from 'node:crypto';
import { readAddress } from '@sluice/protocol/layout/base58';
import type { Vault } from './world/model.ts';
import { itemAt } from './world/prng.ts';
import type { World } from './world/world.ts';

const DAY_MS = 86_400_000;
const STABLECOINS = ['USDC', 'USDT', 'HUSD', 'EURK'];
const DESCRIPTIONS = [
  'The main market: majors, liquid staking and stables.',
  'Staked SOL against SOL.',
  'Smaller tokens, tighter limits.',
  'Synthetic dollars.',
];

/** A vault of the verified curator. "Harbor Staked SOL" has its name and another admin: an imitation. */
const isOfHarbor = ({ name, cell }: Vault) =>
  cell === 0 && name.startsWith('Harbor ') && name !== 'Harbor Staked SOL';

/**
 * The localnet's catalogue, in the format of a catalogue file. It deliberately omits some tokens and
 * markets, because entities without a catalogue entry must work too.
 */
export function worldCatalogue({ tokens, markets, vaults, reserves }: World, nowMs: number): unknown {
  const day = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const source = 'Season1';
  const startsAt = new Date(day - 40 * DAY_MS).toISOString();
  const endsAt = new Date(day + 50 * DAY_MS).toISOString();
  const usdc = tokens.find(({ symbol }) => symbol === 'USDC') ?? itemAt(tokens, 0);
  const named = tokens.slice(0, Math.max(1, tokens.length - 2));
  const campaign = { source, rewardToken: usdc.mint.address, startsAt, endsAt };
  const [first, second] = [itemAt(reserves, 0), itemAt(reserves, 1)];
  return {
    version: 1,
    currentSource: source,
    tokens: named.map((token, i) => ({
      mint: token.mint.address,
      symbol: token.symbol,
      name: token.name,
      verified: i % 5 !== 4,
      stablecoin: STABLECOINS.includes(token.symbol),
      proofOfReserves: token === usdc ? { address: first.address, verified: true } : null,
      priority: i,
      tradingVolume24H: i % 7 === 6 ? null : Math.round(9e8 / (i + 1)),
      marketCapUsd: i % 7 === 6 ? null : Math.round(8e10 / (i + 1)),
    })),
    markets: markets.slice(0, Math.max(1, markets.length - 1)).map((market, i) => ({
      lendingMarket: market.address,
      name: market.name,
      description: DESCRIPTIONS[i] ?? '',
      isPrimary: i === 0,
      isCurated: i % 2 === 0,
      lookupTable: market.lookupTable,
    })),
    vaultCampaigns: vaults
      .filter((_, i) => i % 6 === 0)
      .map((vault, i) => ({ ...campaign, vault: vault.address, tokensPerSecond: `0.0${1 + (i % 5)}` })),
    lendingCampaigns: [
      { ...campaign, market: first.market.address, depositReserve: first.address, tokensPerSecond: '0.02' },
      { ...campaign, market: second.market.address, borrowReserve: second.address, tokensPerSecond: '0.03' },
      {
        ...campaign,
        source: 'Season0',
        market: first.market.address,
        depositReserve: first.address,
        tokensPerSecond: '0.05',
        startsAt: new Date(day - 300 * DAY_MS).toISOString(),
        endsAt: new Date(day - 200 * DAY_MS).toISOString(),
      },
    ],
    curators: [
      {
        name: 'Harbor',
        adminAuthorities: vaults.filter(isOfHarbor).map(({ admin }) => admin),
        website: 'https://harbor.example',
        source: 'https://harbor.example/vaults',
        checkedAt: new Date(day - 20 * DAY_MS).toISOString().slice(0, 10),
      },
    ],
    privateCreditVaults: vaults.slice(-1).map(({ address }) => address),
    principalTokens: [
      {
        mint: notOnChain('principal token'),
        underlyingMint: usdc.mint.address,
        maturity: new Date(day + 180 * DAY_MS).toISOString(),
        price: '0.95',
      },
    ],
  };
}

/** An address without an account: the localnet has no principal tokens. */
function notOnChain(name: string): string {
  const { buffer, byteOffset } = createHash('sha256').update(name).digest();
  return readAddress(new DataView(buffer, byteOffset), 0);
}
