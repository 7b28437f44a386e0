import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DAY,
  type PositionWorld,
  SOMEONE,
  startPositionWorld,
} from '../support/apps/position-history-app.ts';
import { d } from '../support/history/samples.ts';

const DAYS = 40;

let world: PositionWorld;
beforeAll(async () => {
  world = await startPositionWorld();
  await world.record(
    DAY,
    Array.from({ length: DAYS }, (_, i) => ({
      at: world.ago((DAYS - 1 - i) * DAY + 60),
      tokenUsd: String(2 + i),
      solUsd: '100',
      tokensPerShare: String(1 + i / 64),
      vault: { sharesIssued: d('1000'), interestPerSecond: d('0.5') },
    })),
  );
  await world.happened([
    { kind: 'deposit', at: world.ago(DAYS * DAY - 1), tokens: 100, shares: 100 },
    { kind: 'withdraw', at: world.ago(20 * DAY), tokens: 60, shares: 50 },
  ]);
});
afterAll(() => world?.stop());

interface Series {
  readonly complete: boolean;
  readonly points: readonly Readonly<Record<string, unknown>>[];
}

async function ask(document: string) {
  const answer = await world.query<Record<string, never>>(document);
  expect(answer.errors).toEqual([]);
  const { cost } = answer.extensions as { cost: { requested: number; folded: number } };
  return { data: answer.data as unknown, cost };
}

const VALUE = 'value { usd sol } interest { usd sol }';
const ofWallet = (args: string, alias = 'h') =>
  `${alias}: metricsHistory${args} { complete points { timestamp ${VALUE} } }`;

async function walletSeries(args: string) {
  const { data, cost } = await ask(`{ wallet(address: "${SOMEONE}") { ${ofWallet(args)} } }`);
  return { ...(data as { wallet: { h: Series } }).wallet.h, folded: cost.folded };
}

async function positionSeries(args: string) {
  const { data, cost } = await ask(
    `{ wallet(address: "${SOMEONE}") { vaultPosition(vault: "${world.vault}") { h: metricsHistory${args} { complete points {
      timestamp shares totalApy ${VALUE} interestPerSecond { usd } } } } } }`,
  );
  const { h } = (data as { wallet: { vaultPosition: { h: Series } } }).wallet.vaultPosition;
  return { ...h, folded: cost.folded };
}

async function vaultSeries(args: string) {
  const { data, cost } = await ask(
    `{ vault(address: "${world.vault}") { h: metricsHistory${args} { complete points { timestamp tokensPerShare } } } }`,
  );
  return { ...(data as { vault: { h: Series } }).vault.h, folded: cost.folded };
}

describe.each([
  ['a position', positionSeries, DAYS + 1],
  ['all positions of a wallet', walletSeries, DAYS + 1],
  ['a vault', vaultSeries, DAYS],
] as const)('a sampled history of %s', (_, series, count) => {
  it('has the points that it would have among all', async () => {
    const all = await series('');
    expect(all.points).toHaveLength(count);
    const four = await series('(maxPoints: 4)');
    // Evenly spaced: every 10.25th of 41 points or every 10th of 40, rounded, from the last.
    const indexes = count === 41 ? [9, 20, 30, 40] : [9, 19, 29, 39];
    expect(four.points).toEqual(indexes.map((index) => all.points[index]));
    expect(four.complete).toBe(false);
    expect((await series('(maxPoints: 1)')).points).toEqual(all.points.slice(-1));
  });

  it('costs less than the whole history', async () => {
    const [one, four, all] = [
      await series('(maxPoints: 1)'),
      await series('(maxPoints: 4)'),
      await series(''),
    ];
    expect(one.folded).toBeLessThan(four.folded);
    expect(four.folded).toBeLessThan(all.folded);
  });
});

describe('the work of a history', () => {
  it('of a vault is the points that it publishes', async () => {
    expect((await vaultSeries('(maxPoints: 1)')).folded).toBe(1);
    expect((await vaultSeries('(maxPoints: 7)')).folded).toBe(7);
    expect((await vaultSeries('')).folded).toBe(DAYS);
  });

  it('is done once for all aliases', async () => {
    const once = await walletSeries('(maxPoints: 4)');
    const aliases = ['a', 'b', 'c'].map((alias) => ofWallet('(maxPoints: 4)', alias)).join(' ');
    const { data, cost } = await ask(`{ wallet(address: "${SOMEONE}") { ${aliases} } }`);
    const { a, b, c } = (data as { wallet: Record<string, Series> }).wallet;
    expect(cost.folded).toBe(once.folded);
    expect([b, c]).toEqual([a, a]);
    expect(a?.points).toEqual(once.points);
  });
});
