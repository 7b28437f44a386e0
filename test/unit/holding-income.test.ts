import { integer, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import {
  type Holding,
  type HoldingChange,
  type HoldingIncome,
  holdingIncome,
} from '../../src/domain/pnl/holding-income.ts';
import type { UnitMarket } from '../../src/domain/pnl/interest-tally.ts';
import type { CostMethod } from '../../src/domain/pnl/lots.ts';
import { finished } from '../support/work/finished.ts';

const of = (n: number | bigint, d = 1) => Rational.of(BigInt(n), BigInt(d));

/** Tokens without decimals at steps of rate and price; a SOL is 100 USD. */
function marketOf(rate: (time: number) => Rational, price: (time: number) => Rational | null): UnitMarket {
  return {
    decimals: 0,
    tokensPerUnit: rate,
    valueAt(tokens, time) {
      const usd = price(time)?.mul(tokens) ?? null;
      return { usd, sol: usd?.div(of(100)) ?? null, token: tokens };
    },
  };
}

const rateOf = (time: number) => (time < 20 ? of(1) : of(11, 10));
const priceOf = (time: number) => (time < 10 ? of(2) : time < 20 ? of(5, 2) : of(3));
const MARKET = marketOf(rateOf, priceOf);

const trade = (market: UnitMarket, time: number, units: number, tokens: Rational): HoldingChange => ({
  time,
  units: of(units),
  value: market.valueAt(tokens, time),
});

const run = (holding: Holding, bounds: readonly number[], accruals: readonly number[], method: CostMethod) =>
  finished(holdingIncome(holding, bounds, accruals, method));

const usd = ({ interest, realized, unrealized }: HoldingIncome) =>
  [interest?.usd, realized.usd, unrealized?.usd].map((each) => each?.toNumber() ?? null);

describe('income of a holding', () => {
  const changes = [
    trade(MARKET, 0, 100, of(100)),
    trade(MARKET, 10, 100, of(100)),
    trade(MARKET, 30, -100, of(110)),
  ];

  // 200 units earn 20 tokens of 3 USD. The first lot cost 200 and the second 250 USD; each earned 30.
  it.each([
    ['FIFO', 330 - 230, 330 - 280],
    ['AVERAGE', 330 - 255, 330 - 255],
  ] as const)('divides gains without interest by %s', (method, realized, unrealized) => {
    const { points, complete } = run({ side: 'asset', changes, market: MARKET }, [40], [20], method);
    expect(complete).toBe(true);
    expect(points.map(usd)).toEqual([[60, realized, unrealized]]);
    expect(points[0]?.interest?.token.toNumber()).toBe(20);
    expect(points[0]?.value?.usd?.toNumber()).toBe(330);
  });

  it('of a debt is interest owed, and a loss when its token rises', () => {
    const debt = [trade(MARKET, 0, 100, of(100)), trade(MARKET, 30, -100, of(110))];
    const { points } = run({ side: 'debt', changes: debt, market: MARKET }, [25, 40], [20], 'FIFO');
    // Borrowed for 200 USD; 10 tokens of interest are 30 USD; 110 tokens are 330 USD.
    expect(points.map(usd)).toEqual([
      [30, 0, -100],
      [30, -100, 0],
    ]);
  });

  it('counts a change in the second of a bound to the period after it', () => {
    const { points } = run({ side: 'asset', changes, market: MARKET }, [30, 31], [20], 'FIFO');
    expect(points.map(({ units }) => units.toNumber())).toEqual([200, 100]);
    expect(points.map(({ realized }) => realized.usd?.toNumber())).toEqual([0, 100]);
  });

  it('takes units of unknown origin as bought at the price at which they are sold', () => {
    const sold = [trade(MARKET, 30, -100, of(110))];
    const { points, complete } = run({ side: 'asset', changes: sold, market: MARKET }, [40], [], 'FIFO');
    expect([complete, ...points.map(usd)]).toEqual([false, [0, 0, 0]]);
  });

  it('knows no gain of a lot without a price, and every later one', () => {
    const unpriced = marketOf(rateOf, (time) => (time < 10 ? null : of(3)));
    const some = [
      trade(unpriced, 0, 10, of(10)),
      trade(unpriced, 15, 10, of(10)),
      trade(unpriced, 30, -10, of(11)),
      trade(unpriced, 50, -10, of(11)),
    ];
    const holding = { side: 'asset', changes: some, market: unpriced } as const;
    const { points } = run(holding, [12, 40, 60], [20], 'FIFO');
    expect(points.map(usd)).toEqual([
      [0, 0, null],
      [6, null, 0],
      [6, 0, 0],
    ]);
  });

  it('has no value while the rate is unknown', () => {
    const market = { ...MARKET, tokensPerUnit: (time: number) => (time > 35 ? null : rateOf(time)) };
    const { points } = run({ side: 'asset', changes, market }, [34, 40], [20], 'FIFO');
    expect(
      points.map(({ value, interest, unrealized }) => [value, interest, unrealized].includes(null)),
    ).toEqual([false, true]);
  });
});

describe('random histories', () => {
  /** The same by a list of single units, each with its own cost. */
  function expected(changes: readonly HoldingChange[], bounds: readonly number[], method: CostMethod) {
    let units: Rational[] = [];
    let [flow, realized] = [ZERO, ZERO];
    let last = rateAt(0);
    const grow = (time: number) => {
      const each = rateAt(time).sub(last).mul(priceAt(time));
      last = rateAt(time);
      units = units.map((cost) => cost.add(each));
      return each.mul(of(units.length));
    };
    let interest = ZERO;
    const queue = [...changes];
    return bounds.map((bound) => {
      realized = ZERO;
      for (let change = queue[0]; change !== undefined && change.time < bound; change = queue[0]) {
        queue.shift();
        interest = interest.add(grow(change.time));
        const value = change.value.usd ?? ZERO;
        const count = Number(change.units.abs().floor());
        if (!change.units.isNegative) {
          units.push(...Array<Rational>(count).fill(value.div(of(count))));
          flow = flow.add(value);
        } else {
          const total = units.reduce((a, b) => a.add(b), ZERO);
          if (method === 'AVERAGE') units = units.map(() => total.div(of(units.length)));
          const cost = units.splice(0, count).reduce((a, b) => a.add(b), ZERO);
          realized = realized.add(value.sub(cost));
          flow = flow.sub(value);
        }
      }
      return { interest, realized, held: units.length, flow };
    });
  }

  const rateAt = (time: number) => of(1_000 + time, 1_000);
  const priceAt = (time: number) => of(50 + ((time * 37) % 41), 7);
  const market = marketOf(rateAt, priceAt);

  it.each(Array.from({ length: 12 }, (_, seed) => seed))('%s match a list of single units', (seed) => {
    let state = seed * 2_654_435_761 + 1;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    const changes: HoldingChange[] = [];
    for (let time = 1, held = 0; time < 200; time += 1 + random(9)) {
      const sells = held > 0 && random(2) === 0;
      const count = sells ? 1 + random(held) : 1 + random(20);
      held += sells ? -count : count;
      const tokens = rateAt(time)
        .mul(of(count))
        .add(of(random(3), 11));
      changes.push(trade(market, time, sells ? -count : count, tokens));
    }
    const bounds = [40, 90, 140, 205];
    for (const method of ['FIFO', 'AVERAGE'] as const) {
      const { points } = run({ side: 'asset', changes, market }, bounds, [], method);
      const model = expected(changes, bounds, method);
      let gained = ZERO;
      for (const [i, point] of points.entries()) {
        const then = model[i];
        if (then === undefined) throw new Error('a bound without a model');
        expect(point.units.equals(of(then.held))).toBe(true);
        close(point.realized.usd, then.realized);
        gained = gained.add(point.realized.usd ?? ZERO);
        // Value held + received - paid = interest + gains.
        const profit = (point.value?.usd ?? ZERO).sub(then.flow);
        close((point.interest?.usd ?? ZERO).add(gained).add(point.unrealized?.usd ?? ZERO), profit);
      }
    }
  });

  /** To 40 places. */
  function close(actual: Rational | null, wanted: Rational): void {
    const difference = (actual ?? integer(10n ** 9n)).sub(wanted).abs();
    expect(difference.compare(Rational.of(1n, 10n ** 40n))).toBe(-1);
  }
});
