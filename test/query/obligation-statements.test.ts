import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { scheduler } from '../../src/node/cooperative-scheduler.ts';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import { type Happened, type LendingWorld, startLendingWorld } from '../support/apps/lending-history-app.ts';

let world: LendingWorld;
let several: readonly Address[];
beforeAll(async () => {
  world = await startLendingWorld();
  several = await arrange();
});
afterAll(() => world?.stop());

const H = 3_600;
const SEVERAL = 8;

/** Obligations that have both deposits and debts, with something that happened to each. */
async function arrange(): Promise<readonly Address[]> {
  const indebted = world.localChain.worldChain.world.obligations.flatMap(
    ({ address, exists, market, deposits, borrows }) => {
      const [deposit, debt] = [deposits.find(Boolean), borrows.find(Boolean)];
      if (!exists || market.address !== world.market || !deposit || !debt) return [];
      return [{ obligation: address, deposit: deposit.reserve.address, debt: debt.reserve.address }];
    },
  );
  const chosen = indebted.slice(0, SEVERAL);
  await world.happened(
    chosen.flatMap(({ obligation, deposit, debt }, i): Happened[] => [
      {
        obligation,
        kind: 'deposit',
        side: 'collateral',
        reserve: deposit,
        time: world.secondsAgo(5 * H + i),
        liquidity: 10n,
        collateral: 10n,
      },
      {
        obligation,
        kind: 'borrow',
        side: 'debt',
        reserve: debt,
        time: world.secondsAgo(4 * H + i),
        liquidity: 5n,
      },
    ]),
  );
  await world.read(chosen.map(({ obligation }) => obligation));
  const reserves = world.view.reservesOfMarket(world.market).map(({ address }) => address);
  await world.record(
    HOUR,
    [6, 5, 4, 3, 2, 1].map((ago) => ({
      at: world.ago(ago * H + 60),
      solUsd: '100',
      reserves: Object.fromEntries(reserves.map((reserve) => [reserve, { price: '2' }])),
    })),
  );
  return chosen.map(({ obligation }) => obligation);
}

interface Past {
  readonly metricsHistory: { readonly points: readonly unknown[] };
}

async function ask(obligations: readonly Address[]) {
  world.statements.length = 0;
  const range = `range: { start: "${world.ago(4 * H).toISOString()}" }, interval: HOUR`;
  const past = `metricsHistory(${range}) { points { timestamp stats { netAccountValueUsd } } }`;
  const asked = obligations.map((address, i) => `o${i}: obligation(address: "${address}") { ${past} }`);
  const { data, errors } = await world.query<Record<string, Past>>(`{ ${asked.join(' ')} }`);
  expect(errors).toEqual([]);
  return { data, statements: world.statements.length };
}

describe('histories of several obligations in one query', () => {
  it('take as many statements as the history of one', async () => {
    expect(several).toHaveLength(SEVERAL);
    const together = await ask(several);
    let most = 0;
    for (const [i, obligation] of several.entries()) {
      const alone = await ask([obligation]);
      expect(together.data[`o${i}`]).toEqual(alone.data.o0);
      expect(alone.data.o0?.metricsHistory.points.length).toBeGreaterThan(1);
      most = Math.max(most, alone.statements);
    }
    // One each for ranges read, events, recorded reserves, their rates, their points, and prices.
    expect(most).toBeLessThanOrEqual(6);
    expect(together.statements).toBe(most);
  });

  it('take no more statements when every step of their computation pauses', async () => {
    const { data, statements } = await ask(several);
    const isOver = vi.spyOn(scheduler, 'isOver', 'get').mockReturnValue(true);
    onTestFinished(() => isOver.mockRestore());
    const paused = await ask(several);
    expect(isOver.mock.calls.length).toBeGreaterThan(SEVERAL);
    expect(paused).toEqual({ data, statements });
  });
});

describe.each([
  ['profit and loss', 'pnl { usd invested { usd sol } complete }'],
  ['interest', 'interest { complete earned { total { amount } } paid { total { amount } } }'],
])('%s of several obligations in one query', (_, field) => {
  async function answered(obligations: readonly Address[]) {
    world.statements.length = 0;
    const asked = obligations.map((address, i) => `o${i}: obligation(address: "${address}") { ${field} }`);
    const { data, errors, extensions } = await world.query<Record<string, unknown>>(`{ ${asked.join(' ')} }`);
    expect(errors).toEqual([]);
    const { folded } = (extensions as { cost: { folded: number } }).cost;
    return { data, statements: world.statements.length, folded };
  }

  it('takes as many statements as that of one, and counts every moment that it looks up', async () => {
    const together = await answered(several);
    let [most, folded] = [0, 0];
    for (const [i, obligation] of several.entries()) {
      const alone = await answered([obligation]);
      expect(together.data[`o${i}`]).toEqual(alone.data.o0);
      most = Math.max(most, alone.statements);
      folded += alone.folded;
      // Two events, their moments, and the price of SOL at both.
      expect(alone.folded).toBeGreaterThanOrEqual(2 + 2 + 2);
    }
    expect(together.statements).toBe(most);
    // Moments that several of them share are looked up once.
    expect(together.folded).toBeLessThanOrEqual(folded);
  });
});

describe('the history of an obligation', () => {
  interface Series {
    readonly interval: string;
    readonly complete: boolean;
    readonly truncated: boolean;
    readonly points: readonly { readonly timestamp: string; readonly netValueSol: string | null }[];
  }

  async function series(args: string): Promise<Series> {
    const { data, errors } = await world.query<{ obligation: { metricsHistory: Series } }>(
      `query ($address: Address!) { obligation(address: $address) { metricsHistory(${args}) {
        interval complete truncated points { timestamp netValueSol stats { netAccountValueUsd userTotalBorrowUsd } }
      } } }`,
      { address: several[0] },
    );
    expect(errors).toEqual([]);
    return data.obligation.metricsHistory;
  }

  const labels = ({ points }: Series) => points.map(({ timestamp }) => timestamp);
  const hours = (...ago: readonly number[]) => ago.map((each) => world.ago(each * H).toISOString());

  it('has the newest points at the requested interval, at the prices of their hours', async () => {
    const all = await series('interval: HOUR');
    expect([labels(all), all.truncated]).toEqual([hours(5, 4, 3, 2, 0), false]);
    const newest = await series('interval: HOUR, maxPoints: 3');
    expect([newest.interval, newest.truncated, newest.complete]).toEqual(['HOUR', true, false]);
    expect(labels(newest)).toEqual(hours(3, 2, 0));
    expect(newest.points).toEqual(all.points.slice(-3));
    expect(newest.points.every(({ netValueSol }) => netValueSol !== null)).toBe(true);
    expect((await series('interval: HOUR, maxPoints: 5')).truncated).toBe(false);
  });

  it('of a period up to now is that of the same range', async () => {
    const start = world.ago(24 * H).toISOString();
    expect(await series('last: H24, interval: HOUR')).toEqual(
      await series(`range: { start: "${start}" }, interval: HOUR`),
    );
  });
});
