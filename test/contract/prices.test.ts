import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';

let world: ContractWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

/** Time of the View and of the last record. */
const NOW = Date.parse('2026-06-01T00:00:00Z') / 1_000;
const HOUR = 3_600;

type Pair = readonly [string, number];

async function history(query: string): Promise<readonly Pair[]> {
  const { status, body } = await world.get(`/prices/history?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body as readonly Pair[];
}

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();

describe('prices', () => {
  it('are those that markets use', async () => {
    const prices = (await world.get('/prices')).body as readonly { mint: string; usdPrice: string }[];
    const markets = (await world.get('/oracles/prices?markets=all')).body as readonly {
      prices: readonly { mint: string; price: string }[];
    }[];
    const used = markets.flatMap((market) => market.prices);
    expect(prices.length).toBeGreaterThan(5);
    for (const { mint, usdPrice } of prices) {
      const ofMarkets = used.filter((each) => each.mint === mint).map(({ price }) => price);
      expect([mint, ofMarkets.includes(usdPrice)]).toEqual([mint, true]);
    }
  });

  it('end with the present one, by mint and by ticker', async () => {
    const [sol] = (await world.get('/prices?token=sol')).body as readonly {
      mint: string;
      usdPrice: string;
    }[];
    const byMint = await history(`token=${sol?.mint}`);
    const [price, time] = byMint.at(-1) ?? [];
    // Fewer digits are stored than computed.
    expect(Number(price)).toBeCloseTo(Number(sol?.usdPrice), 12);
    expect(time).toBe(NOW);
    expect(await history('token=SOL')).toEqual(byMint);
  });

  it('begin a day ago, and both ends are inclusive', async () => {
    const times = (await history('token=SOL&frequency=hour')).map(([, time]) => time);
    expect(times.every((time) => time >= NOW - 24 * HOUR && time <= NOW)).toBe(true);
    expect(times.length).toBeGreaterThanOrEqual(24);
    const [first = 0, second = 0, third = 0] = times;
    const between = await history(`token=SOL&frequency=hour&start=${iso(first)}&end=${iso(third)}`);
    expect(between.map(([, time]) => time)).toEqual([first, second, third]);
    const without = await history(`token=SOL&frequency=hour&start=${iso(first + 1)}&end=${iso(third - 1)}`);
    expect(without.map(([, time]) => time)).toEqual([second]);
  });
});
