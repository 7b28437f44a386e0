import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCollateralUse } from '../../src/store/history/collateral-use.ts';
import { readLeverage } from '../../src/store/history/leverage.ts';
import { readLoanPoints } from '../../src/store/history/loans.ts';
import {
  type ObligationEntryFilter,
  type ObligationEntryOrder,
  readObligationEntries,
} from '../../src/store/history/obligation-index.ts';
import { writeObligationScan } from '../../src/store/history/obligation-scan.ts';
import type { LeverageSample, LoanSample, ObligationEntry } from '../../src/store/history/samples.ts';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory, recording } from '../support/history/history-database.ts';
import { at, d, NO_LOANS, named, plain } from '../support/history/samples.ts';

const MARKET = named('market');
const [A, B] = [named('a'), named('b')];

const leverage = (changes: Partial<LeverageSample> = {}): LeverageSample => ({
  market: MARKET,
  depositReserve: A,
  borrowReserve: B,
  tag: 1,
  obligations: 3,
  avgLeverage: d('2.5'),
  deposited: d('100'),
  borrowed: d('60'),
  depositedUsd: d('100.5'),
  borrowedUsd: null,
  ...changes,
});

const entry = (name: string, changes: Partial<ObligationEntry> = {}): ObligationEntry => ({
  obligation: named(name),
  owner: named(`owner of ${name}`),
  tag: 0,
  depositReserves: [A],
  borrowReserves: [],
  depositUsd: d('10'),
  borrowUsd: d('0'),
  healthFactor: null,
  ...changes,
});

const ENTRIES = [
  entry('plain'),
  entry('risky', { tag: 1, borrowReserves: [B], borrowUsd: d('9'), healthFactor: d('1.01') }),
  entry('safe', {
    tag: 1,
    depositReserves: [B, A],
    borrowReserves: [B],
    borrowUsd: d('1'),
    healthFactor: d('8'),
  }),
  entry('unpriced', { tag: 3, depositReserves: [B], depositUsd: null, borrowUsd: null }),
];

/** Loans of 100 USD each, one of them at risk. */
const loans = (count: number, maxLtv: string): LoanSample => ({
  loans: count,
  unvalued: 1,
  depositedUsd: d(String(100 * count)),
  borrowedUsd: d(String(40 * count)),
  factoredUsd: d(String(50 * count)),
  maxLtv: d(maxLtv),
  byStatus: { HEALTHY: count - 1, AT_RISK: 1, LIQUIDATABLE: 0 },
});

describe.each(databases())('obligations of a market on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
    await writeObligationScan(history.db, history.fence, MARKET, {
      collateral: [],
      loans: loans(4, '0.5'),
      sampledAt: at('2026-01-01T10:20:30.000Z'),
      leverage: [leverage(), leverage({ tag: 3, avgLeverage: d('1.5') })],
      entries: ENTRIES,
    });
  });
  afterAll(() => history.drop());

  const FIRST = { limit: 10, offset: 0 };
  const byAddress: ObligationEntryOrder = { field: 'ADDRESS', direction: 'ASC' };
  const names = new Map(['plain', 'risky', 'safe', 'unpriced'].map((name) => [named(name), name]));

  async function found(filter: ObligationEntryFilter, order = byAddress, page = FIRST) {
    const { entries } = await readObligationEntries(history.db, MARKET, filter, order, page);
    return entries.map(({ obligation }) => names.get(obligation));
  }

  it('returns what the scan found', async () => {
    const { db: counted, statements } = recording(history.db);
    const { entries, count, madeAt } = await readObligationEntries(counted, MARKET, {}, byAddress, FIRST);
    expect(statements).toHaveLength(1);
    const sorted = [...ENTRIES].sort((a, b) => (a.obligation < b.obligation ? -1 : 1));
    expect(plain(entries)).toEqual(plain(sorted));
    expect([count, madeAt?.toISOString()]).toEqual([4, '2026-01-01T10:20:30.000Z']);
  });

  it('filters by tag, by reserve on either side, and by health', async () => {
    expect((await found({ tag: 1 })).sort()).toEqual(['risky', 'safe']);
    expect(await found({ tag: 0 })).toEqual(['plain']);
    expect((await found({ depositReserve: A })).sort()).toEqual(['plain', 'risky', 'safe']);
    expect((await found({ depositReserve: B, borrowReserve: B })).sort()).toEqual(['safe']);
    expect(await found({ healthBelow: d('1.01') })).toEqual([]);
    expect(await found({ healthBelow: d('1.010000000000000000000000000001') })).toEqual(['risky']);
    expect(await found({ depositReserve: named('never seen') })).toEqual([]);
    expect((await found({ tag: null, depositReserve: null, borrowReserve: undefined })).length).toBe(4);
  });

  it('orders by each field with unknown values last, and pages', async () => {
    const ordered = (field: ObligationEntryOrder['field'], direction: 'ASC' | 'DESC') =>
      found({}, { field, direction });
    expect((await ordered('HEALTH', 'ASC')).slice(0, 2)).toEqual(['risky', 'safe']);
    expect((await ordered('HEALTH', 'DESC')).slice(0, 2)).toEqual(['safe', 'risky']);
    expect(await ordered('BORROWED', 'DESC')).toEqual(['risky', 'safe', 'plain', 'unpriced']);
    expect(await ordered('NET_VALUE', 'ASC')).toEqual(['risky', 'safe', 'plain', 'unpriced']);
    expect((await ordered('DEPOSITED', 'DESC')).at(-1)).toBe('unpriced');
    expect(await ordered('ADDRESS', 'DESC')).toEqual((await ordered('ADDRESS', 'ASC')).reverse());
    const order = { field: 'BORROWED', direction: 'DESC' } as const;
    expect(await found({}, order, { limit: 2, offset: 1 })).toEqual(['safe', 'plain']);
    const beyond = await readObligationEntries(history.db, MARKET, {}, order, { limit: 2, offset: 9 });
    expect(beyond).toMatchObject({ entries: [], count: 4 });
  });

  it('has no obligations of a market that was never scanned', async () => {
    const unknown = await readObligationEntries(history.db, named('unknown'), {}, byAddress, FIRST);
    expect(unknown).toEqual({ entries: [], count: 0, madeAt: null });
    expect(await readLeverage(history.db, [named('unknown')])).toEqual(new Map());
  });

  it('returns how collateral is used, and whether a market was scanned at all', async () => {
    const { db, fence } = history;
    const [scanned, empty] = [named('used'), named('unused')];
    const pair = { depositReserve: A, borrowReserve: B, collateralUsd: d('12.5'), debtUsd: null };
    const scan = {
      sampledAt: at('2026-01-01T10:20:30.000Z'),
      leverage: [],
      entries: [],
      loans: NO_LOANS,
    };
    await writeObligationScan(db, fence, scanned, {
      ...scan,
      collateral: [pair, { ...pair, borrowReserve: A }],
    });
    await writeObligationScan(db, fence, scanned, { ...scan, collateral: [pair] });
    await writeObligationScan(db, fence, empty, { ...scan, collateral: [] });
    const use = await readCollateralUse(db, [scanned, empty, named('never scanned')]);
    expect(plain([...use])).toEqual(
      plain([
        [scanned, { sampledAt: scan.sampledAt, pairs: [pair] }],
        [empty, { sampledAt: scan.sampledAt, pairs: [] }],
      ]),
    );
  });

  it('returns the pairs of the last scan only, and replaces the obligations', async () => {
    const { db, fence } = history;
    const scan = async () => plain((await readLeverage(db, [MARKET])).get(MARKET));
    expect(await scan()).toEqual({
      sampledAt: '2026-01-01T10:20:30.000Z',
      obligations: 4,
      leverage: plain([leverage(), leverage({ tag: 3, avgLeverage: d('1.5') })]),
    });
    const second = {
      collateral: [],
      loans: loans(2, '0.25'),
      sampledAt: at('2026-01-01T11:00:00.000Z'),
      leverage: [leverage()],
      entries: [entry('only')],
    };
    await writeObligationScan(db, fence, MARKET, second);
    await writeObligationScan(db, fence, MARKET, second);
    await writeObligationScan(db, fence, named('other'), { ...second, leverage: [] });
    expect(await scan()).toMatchObject({ obligations: 1, leverage: [{ tag: 1 }] });
    expect((await readObligationEntries(db, MARKET, {}, byAddress, FIRST)).count).toBe(1);
    // An empty scan is a result, too.
    await writeObligationScan(db, fence, MARKET, {
      ...second,
      collateral: [],
      sampledAt: at('2026-01-01T12:00:00.000Z'),
      leverage: [],
      entries: [],
    });
    expect(await scan()).toEqual({ sampledAt: '2026-01-01T12:00:00.000Z', obligations: 0, leverage: [] });
    const empty = await readObligationEntries(db, MARKET, {}, byAddress, FIRST);
    expect(plain(empty)).toEqual({ entries: [], count: 0, madeAt: '2026-01-01T12:00:00.000Z' });
    expect((await readObligationEntries(db, named('other'), {}, byAddress, FIRST)).count).toBe(1);
    await expect(writeObligationScan(db, fence - 1n, MARKET, second)).rejects.toMatchObject({
      code: 'NOT_LEADER',
    });
  });

  it('returns the loans of several markets together, hour by hour', async () => {
    const { db } = history;
    const span = { start: at('2026-01-01T10:00:00.000Z'), end: at('2026-01-01T12:00:00.000Z') };
    const points = await readLoanPoints(db, [MARKET, named('other'), named('never scanned')], span);
    // The second hour was scanned in both markets, and in one of them twice.
    expect(plain(points)).toEqual(
      plain([
        { ...loans(4, '0.5'), bucket: span.start, sampledAt: at('2026-01-01T10:20:30.000Z') },
        {
          ...loans(4, '0.25'),
          unvalued: 2,
          byStatus: { HEALTHY: 2, AT_RISK: 2, LIQUIDATABLE: 0 },
          bucket: at('2026-01-01T11:00:00.000Z'),
          sampledAt: at('2026-01-01T11:00:00.000Z'),
        },
      ]),
    );
  });
});
