import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { obligationsByMarket } from '../../src/recorder/scan-obligations.ts';
import { takeSnapshot } from '../../src/recorder/take-snapshot.ts';
import { writeObligationScan } from '../../src/store/history/obligation-scan.ts';
import type { Snapshot } from '../../src/store/history/samples.ts';
import { DAY } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import {
  borrowedOf,
  isOpen,
  type PairSums,
  pairSums,
  priceOf,
  sharesOf,
  suppliedOf,
  vaultValueOf,
} from '../support/domain/model-sums.ts';
import { type PastMoment, replayMoments } from '../support/localnet/past-moments.ts';

const DAYS = 365;
const DAY_MS = 86_400_000;
const DAYS_PER_SCAN = 30;
const SNAPSHOTS_PER_WRITE = 40;

interface VaultThen {
  readonly value: number;
  readonly shares: number;
}
interface MarketThen {
  readonly suppliedUsd: number;
  readonly borrowedUsd: number;
  readonly obligations: number;
}

let world: HistoryWorld;
/** By address, then by the start of the day. */
const vaultsThen = new Map<string, Map<string, VaultThen>>();
const marketsThen = new Map<string, Map<string, MarketThen>>();
/** By market, then by the time of the scan. */
const pairsThen = new Map<string, Map<string, Map<string, PairSums>>>();

function remember<V>(all: Map<string, Map<string, V>>, subject: string, at: string, value: V): void {
  const known = all.get(subject) ?? new Map<string, V>();
  all.set(subject, known.set(at, value));
}

/** Values of the model, independent of product code. */
function expectFrom({ world: model, sampledAt, slot }: PastMoment, scans: boolean): void {
  const day = new Date(Math.floor(sampledAt.getTime() / DAY_MS) * DAY_MS).toISOString();
  for (const vault of model.vaults.filter(({ createdSlot }) => createdSlot <= slot)) {
    remember(vaultsThen, vault.address, day, { value: vaultValueOf(vault), shares: sharesOf(vault) });
  }
  if (!scans) return;
  for (const market of model.markets) {
    const reserves = model.reserves.filter((reserve) => reserve.market === market);
    const obligations = model.obligations.filter((each) => each.market === market);
    const usd = (of: (reserve: (typeof reserves)[number]) => number) =>
      reserves.map((reserve) => of(reserve) * priceOf(reserve)).reduce((a, b) => a + b, 0);
    remember(marketsThen, market.address, day, {
      suppliedUsd: usd(suppliedOf),
      borrowedUsd: usd(borrowedOf),
      obligations: obligations.filter(isOpen).length,
    });
    remember(pairsThen, market.address, sampledAt.toISOString(), pairSums(obligations));
  }
}

beforeAll(async () => {
  world = await startHistoryWorld();
  const { db, fence } = world.history;
  const presentMs = world.now.getTime();
  const ends = Array.from({ length: DAYS }, (_, i) => presentMs - (DAYS - 1 - i) * DAY_MS - 30_000);
  const snapshots: Snapshot[] = [];
  const scans: { sampledAt: Date; found: ReturnType<typeof obligationsByMarket> }[] = [];
  replayMoments(presentMs, ends, (moment) => {
    const isScan = snapshots.length % DAYS_PER_SCAN === 0;
    expectFrom(moment, isScan);
    const found = isScan ? obligationsByMarket(moment.view, moment.obligations()) : new Map<Address, never>();
    const obligations = new Map([...found].map(([market, { entries }]) => [market, entries.length]));
    const taken = takeSnapshot(moment.view, { holders: new Map(), obligations });
    snapshots.push({
      ...taken,
      reserves: [],
      prices: [],
      rewards: [],
      ...(isScan ? {} : { markets: [] }),
    });
    if (isScan) scans.push({ sampledAt: moment.sampledAt, found });
  });
  for (let from = 0; from < snapshots.length; from += SNAPSHOTS_PER_WRITE) {
    await writeHistory(db, fence, DAY, snapshots.slice(from, from + SNAPSHOTS_PER_WRITE));
  }
  for (const { sampledAt, found } of scans) {
    for (const [market, scan] of found) await writeObligationScan(db, fence, market, { sampledAt, ...scan });
  }
}, 900_000);
afterAll(() => world?.stop());

/** To nine digits, or to the last unit of a tiny amount. */
function near(answered: string | null | undefined, expected: number, what: string): void {
  const difference = Math.abs(Number(answered) - expected);
  expect(difference, `${what}: ${answered} and ${expected}`).toBeLessThanOrEqual(
    Math.max(Math.abs(expected) * 1e-9, 1e-9),
  );
}

interface Past<P> {
  readonly metricsHistory: { readonly complete: boolean; readonly points: readonly P[] };
}

async function pastOf<P>(
  kind: 'vault' | 'market',
  address: string,
  fields: string,
): Promise<Past<P>['metricsHistory']> {
  const range = {
    start: new Date(world.now.getTime() - DAYS * DAY_MS).toISOString(),
    end: world.now.toISOString(),
  };
  const { data, errors } = await world.query<Record<string, Past<P>>>(
    `query ($address: Address!, $range: TimeRange) { ${kind}(address: $address) {
      metricsHistory(interval: DAY, range: $range) { complete points { timestamp ${fields} } }
    } }`,
    { address, range },
  );
  expect(errors).toEqual([]);
  const past = data[kind]?.metricsHistory;
  if (past === undefined) throw new Error(`${address} has no past`);
  return past;
}

describe('a year of the generated world', () => {
  it('has every vault by the day, as its model was', async () => {
    type Point = Readonly<Record<'timestamp' | 'totalValue' | 'sharesIssued' | 'tokensPerShare', string>>;
    let whole = 0;
    for (const [vault, days] of vaultsThen) {
      const { points, complete } = await pastOf<Point>(
        'vault',
        vault,
        'totalValue sharesIssued tokensPerShare',
      );
      expect(points.map(({ timestamp }) => timestamp)).toEqual([...days.keys()]);
      expect(complete).toBe(days.size === DAYS);
      whole += Number(days.size === DAYS);
      for (const { timestamp, totalValue, sharesIssued, tokensPerShare } of points) {
        const then = days.get(timestamp);
        if (then === undefined) throw new Error(`${timestamp} was not expected`);
        near(totalValue, then.value, `value of ${vault} on ${timestamp}`);
        near(sharesIssued, then.shares, `shares of ${vault} on ${timestamp}`);
        const price = then.shares === 0 ? 0 : then.value / then.shares;
        near(tokensPerShare, price, `share of ${vault} on ${timestamp}`);
      }
    }
    expect(vaultsThen.size).toBeGreaterThan(10);
    expect(whole).toBeGreaterThan(0);
  });

  it('has the supply, debt and number of loans of every market', async () => {
    type Point = Readonly<Record<'timestamp' | 'suppliedUsd' | 'borrowedUsd', string>> & {
      readonly obligations: number;
    };
    let loans = 0;
    for (const [market, days] of marketsThen) {
      const { points } = await pastOf<Point>('market', market, 'suppliedUsd borrowedUsd obligations');
      expect(points.map(({ timestamp }) => timestamp)).toEqual([...days.keys()]);
      for (const { timestamp, suppliedUsd, borrowedUsd, obligations } of points) {
        const then = days.get(timestamp);
        near(suppliedUsd, then?.suppliedUsd ?? Number.NaN, `supply of ${market} on ${timestamp}`);
        near(borrowedUsd, then?.borrowedUsd ?? Number.NaN, `debt of ${market} on ${timestamp}`);
        expect(obligations, `loans of ${market} on ${timestamp}`).toBe(then?.obligations);
        loans += obligations;
      }
    }
    expect(loans).toBeGreaterThan(0);
  });

  it('has leveraged positions by pair of reserves, hour by hour', async () => {
    const rows = await world.history.db.rows(
      `SELECT m.address AS market, date_part('epoch', p.sampled_at) * 1000 AS at, d.address AS deposit,
         b.address AS borrow, p.tag, p.obligations, p.deposited::text AS deposited, p.borrowed::text AS borrowed,
         p.deposited_usd::text AS deposited_usd, p.borrowed_usd::text AS borrowed_usd, p.avg_leverage::text AS leverage
       FROM leverage_point p JOIN subject m ON m.id = p.market_id
       JOIN subject d ON d.id = p.deposit_reserve_id JOIN subject b ON b.id = p.borrow_reserve_id`,
    );
    let expected = 0;
    for (const scans of pairsThen.values()) for (const pairs of scans.values()) expected += pairs.size;
    expect(rows).toHaveLength(expected);
    expect(expected).toBeGreaterThan(0);
    for (const row of rows) {
      const at = new Date(Math.round(Number(row.at))).toISOString();
      const name = `${row.tag} ${row.deposit} ${row.borrow}`;
      const pair = pairsThen.get(String(row.market))?.get(at)?.get(name);
      if (pair === undefined) throw new Error(`${name} at ${at} was not expected`);
      expect(row.obligations).toBe(pair.obligations);
      near(String(row.deposited), pair.deposited, `deposits of ${name} at ${at}`);
      near(String(row.borrowed), pair.borrowed, `debts of ${name} at ${at}`);
      near(String(row.deposited_usd), pair.depositedUsd, `deposits of ${name} at ${at} in USD`);
      near(String(row.borrowed_usd), pair.borrowedUsd, `debts of ${name} at ${at} in USD`);
      const leverage = pair.depositedUsd / (pair.depositedUsd - pair.borrowedUsd);
      near(String(row.leverage), leverage, `leverage of ${name} at ${at}`);
    }
  });

  it('ends with the current pairs of a market', async () => {
    for (const [market, scans] of pairsThen) {
      const [at = '', pairs] = [...scans].at(-1) ?? [];
      const { data } = await world.query<{
        market: { leverage: { obligations: number; updatedAt: string; tvlUsd: string }[] };
      }>(
        'query ($market: Address!) { market(address: $market) { leverage { obligations updatedAt tvlUsd } } }',
        { market },
      );
      const sums = [...(pairs?.values() ?? [])];
      expect(data.market.leverage).toHaveLength(sums.length);
      expect(new Set(data.market.leverage.map(({ updatedAt }) => updatedAt))).toEqual(
        new Set(sums.length === 0 ? [] : [at]),
      );
      const total = data.market.leverage.reduce((sum, { tvlUsd }) => sum + Number(tvlUsd), 0);
      near(
        String(total),
        sums.reduce((sum, { depositedUsd, borrowedUsd }) => sum + depositedUsd - borrowedUsd, 0),
        `value of ${market}`,
      );
    }
  });
});
