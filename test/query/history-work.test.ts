import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { obligationHistory } from '../../src/services/history/obligations/history.ts';
import { timelineOf } from '../../src/services/history/obligations/timeline.ts';
import { marketInView } from '../../src/services/markets/markets.ts';
import { DAY } from '../../src/store/history/time-buckets.ts';
import { type Happened, type LendingWorld, startLendingWorld } from '../support/apps/lending-history-app.ts';

const DAYS = 100;
const EVENTS = 300;
/** The events of an obligation are read, and its recorded days are merged. */
const PREPARED = 2;
/** The call that reads an obligation, in units of work. */
const CALL = 90;

let world: LendingWorld;
/** Its two events happened on the first recorded day. */
let obligation: Address;
/** Has 300 events. */
let busy: Address;
beforeAll(async () => {
  world = await startLendingWorld();
  await arrange();
});
afterAll(() => world?.stop());

async function arrange(): Promise<void> {
  const [one, other] = world.localChain.worldChain.world.obligations.flatMap(
    ({ address, exists, market, deposits, borrows }) => {
      const [deposit, debt] = [deposits.find(Boolean), borrows.find(Boolean)];
      if (!exists || market.address !== world.market || !deposit || !debt) return [];
      if (deposit.reserve === debt.reserve) return [];
      return [{ address, deposit: deposit.reserve.address, debt: debt.reserve.address }];
    },
  );
  if (one === undefined || other === undefined)
    throw new Error('the market has no two obligations with debt');
  [obligation, busy] = [one.address, other.address];
  const born = world.secondsAgo(DAYS * DAY);
  const deposited = (of: typeof one, time: number): Happened => ({
    obligation: of.address,
    kind: 'deposit',
    side: 'collateral',
    reserve: of.deposit,
    time,
    liquidity: 10n,
    collateral: 10n,
  });
  await world.happened([
    deposited(one, born),
    { obligation, kind: 'borrow', side: 'debt', reserve: one.debt, time: born + 1, liquidity: 5n },
    ...Array.from({ length: EVENTS }, (_, i) => deposited(other, born + i)),
  ]);
  await world.read([obligation, busy]);
  const reserves = [...new Set([one, other].flatMap(({ deposit, debt }) => [deposit, debt]))];
  await world.record(
    DAY,
    Array.from({ length: DAYS }, (_, i) => ({
      at: world.ago((DAYS - 1 - i) * DAY + 60),
      solUsd: String(100 + i),
      reserves: Object.fromEntries(reserves.map((reserve) => [reserve, { price: String(1 + i) }])),
    })),
  );
}

interface Series {
  readonly complete: boolean;
  readonly points: readonly Readonly<Record<string, unknown>>[];
}

const POINTS = 'complete points { timestamp netValueSol stats { netAccountValueUsd } }';

async function histories(fields: string, of = obligation) {
  world.charged.length = 0;
  const answer = await world.query<{ obligation: Record<string, Series> }>(
    `query ($address: Address!) { obligation(address: $address) { ${fields} } }`,
    { address: of },
  );
  expect(answer.errors).toEqual([]);
  const { cost } = answer.extensions as { cost: { requested: number; folded: number } };
  return { series: answer.data.obligation, cost };
}

const seriesOf = async (args: string) => {
  const { series, cost } = await histories(`metricsHistory${args} { ${POINTS} }`);
  if (series.metricsHistory === undefined) throw new Error('no history');
  return { ...series.metricsHistory, folded: cost.folded };
};

describe('a sampled history of an obligation', () => {
  it('has the points that it would have among all', async () => {
    const all = await seriesOf('');
    expect(all.points).toHaveLength(DAYS + 1);
    expect(all.complete).toBe(true);
    const four = await seriesOf('(maxPoints: 4)');
    // 101 points, evenly spaced: 25.25, 50.5, 75.75 and 101, rounded.
    expect(four.points).toEqual([24, 50, 75, 100].map((index) => all.points[index]));
    expect(four.complete).toBe(false);
    expect((await seriesOf('(maxPoints: 1)')).points).toEqual(all.points.slice(-1));
    expect((await seriesOf('(maxPoints: 101)')).points).toEqual(all.points);
  });

  it('computes the published points alone', async () => {
    const ofOne = (await seriesOf('(maxPoints: 1)')).folded;
    const ofTwo = (await seriesOf('(maxPoints: 2)')).folded;
    const ofAll = (await seriesOf('')).folded;
    // 10 for the point, both events are undone and applied, and the rate of the debt is looked up.
    expect(ofOne).toBe(PREPARED + 10 + 2 * 2 + 1);
    // The second one is in the past: its two reserves and the price of SOL are read.
    expect(ofTwo).toBe(ofOne + 10 + 3);
    expect(ofAll).toBe(ofOne + DAYS * (10 + 3));
  });

  it('is computed once, however many aliases ask for it', async () => {
    const aliases = Array.from({ length: 20 }, (_, i) => `a${i}: metricsHistory(maxPoints: 2) { ${POINTS} }`);
    const { series, cost } = await histories(aliases.join(' '));
    expect(cost.folded).toBe((await seriesOf('(maxPoints: 2)')).folded);
    expect(series.a19).toEqual(series.a0);
  });

  it('folds its events once for all ranges, and reads each bucket once', async () => {
    const ranges = Array.from({ length: 20 }, (_, i) => {
      const start = world.ago((DAYS - i) * DAY).toISOString();
      return `a${i}: metricsHistory(maxPoints: 1, range: { start: "${start}" }) { ${POINTS} }`;
    });
    const { cost } = await histories(ranges.join(' '));
    expect(cost.folded).toBe(PREPARED + 2 * 2 + 1 + 20 * 10);
  });
});

describe('the cost of a history', () => {
  it('grows with its range', async () => {
    const until = (days: number) =>
      `metricsHistory(interval: DAY, range: { start: "${world.ago(days * DAY).toISOString()}", end: "${world.now.toISOString()}" }) { ${POINTS} }`;
    const [short, long] = [await histories(until(10)), await histories(until(90))];
    expect(long.cost.requested - short.cost.requested).toBe(80 * (10 + 2));
    expect(long.cost.folded - short.cost.folded).toBe(80 * (10 + 3));
  });

  it('includes the events that it folds, which are charged when they are known', async () => {
    const { cost } = await histories(`metricsHistory(maxPoints: 1) { ${POINTS} }`, busy);
    // Each event is undone and applied.
    expect(cost.folded).toBe(PREPARED + 10 + 2 * EVENTS);
    expect(cost.requested).toBeLessThan(100);
    expect(world.charged).toEqual([Math.ceil((CALL + cost.folded) / 100) - 1]);
    await histories(`metricsHistory(maxPoints: 1) { ${POINTS} }`);
    // The call and the point are more than the unit that was paid.
    expect(world.charged).toEqual([1]);
  });

  it('is charged on REST by the work', async () => {
    const path = (of: Address) => `/v2/svc-market/${world.market}/obligations/${of}/metrics/history`;
    world.charged.length = 0;
    expect((await world.get(path(obligation))).status).toBe(200);
    const folded = PREPARED + 10 + 2 * 2 + 1 + DAYS * (10 + 3);
    // The five units that every read of history costs were taken before.
    expect(world.charged).toEqual([Math.ceil((CALL + folded) / 100) - 5]);
  });
});

describe('a history whose request has ended', () => {
  it('stops at its next step', async () => {
    const controller = new AbortController();
    const session = await world.platform.openSession({ signal: controller.signal });
    const record = await session.load('obligation', obligation);
    const market = marketInView(session.view, record.value.lendingMarket);
    const timeline = await timelineOf(world.platform, session, record);
    const { work } = session;
    const reason = new Error('the deadline has passed');
    let foldedBefore = 0;
    const step = work.step.bind(work);
    vi.spyOn(work, 'step').mockImplementation((steps) => {
      if (work.drawn('steps') >= 500 && !controller.signal.aborted) {
        foldedBefore = work.drawn('steps');
        controller.abort(reason);
      }
      return step(steps);
    });
    const all = { interval: null, maxPoints: null };
    const history = obligationHistory(world.platform, session, market, timeline, {
      range: {},
      resolution: all,
      useStakeRate: false,
    });
    await expect(history).rejects.toBe(reason);
    expect(foldedBefore).toBeGreaterThan(0);
    expect(work.drawn('steps')).toBe(foldedBefore);
  });
});
