import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/store/history/time-buckets.ts';
import { writeHistory, writeSnapshot } from '../../src/store/history/write-snapshot.ts';
import { takeFence } from '../../src/store/leases/fencing-token.ts';
import { databases } from '../support/databases/test-databases.ts';
import {
  everyPoint,
  type HistoryDatabase,
  openHistory,
  openHistoryCopy,
} from '../support/history/history-database.ts';
import { at, d, reserveSample, snapshot, vaultSample } from '../support/history/samples.ts';
import {
  marketExpected,
  marketValues,
  reserveExpected,
  reserveValues,
  vaultExpected,
  vaultValues,
} from './expected-points.ts';
import {
  type FakeDeployment,
  FIRST,
  marketPoint,
  numberOf,
  RESERVES,
  REWARD_MINT,
  RUNNING,
  reservePoint,
  startFakeDeployment,
  VAULT,
  vaultPoint,
} from './fake-deployment.ts';
import { everythingStored, importFrom, NOW, storedPoints } from './import-runs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const hours = (from: number, to: number) =>
  Array.from({ length: (to - from) / HOUR_MS }, (_, i) => ({ label: from + i * HOUR_MS, step: HOUR_MS }));
const LAST_MIDNIGHT = Math.floor(RUNNING / DAY_MS) * DAY_MS;
const ALL_DAYS = Array.from({ length: (LAST_MIDNIGHT - FIRST) / DAY_MS }, (_, i) => ({
  label: FIRST + i * DAY_MS,
  step: DAY_MS,
}));

/** Gives each test its own database, empty unless `open` fills it, and resets the deployment. */
function importSuite(open: (fake: FakeDeployment) => Promise<HistoryDatabase>) {
  const suite = {} as { fake: FakeDeployment; history: HistoryDatabase };
  beforeAll(async () => {
    suite.fake = await startFakeDeployment();
  });
  beforeEach(async () => {
    Object.assign(suite.fake, { fault: () => undefined, hoursSince: FIRST, running: RUNNING });
    suite.history = await open(suite.fake);
    suite.fake.requests.length = 0;
  });
  afterEach(() => suite.history.drop());
  afterAll(() => suite.fake.close());
  return suite;
}

describe.each(databases())('an import on $name', (kind) => {
  const suite = importSuite(() => openHistory(kind));

  it('stores every complete hour and day exactly, and no current ones', async () => {
    const { ok, lines } = await importFrom(suite.fake.url, suite.history.url);
    expect(lines.filter((line) => line.startsWith('not imported'))).toEqual([]);
    expect(ok).toBe(true);
    const stored = await storedPoints(suite.history.db, HOUR);
    const expectedHours = hours(FIRST, RUNNING);
    expect(stored.vault.map(vaultValues)).toEqual(
      expectedHours.map((bucket) => vaultExpected(vaultPoint(bucket))),
    );
    expect(stored.market.map(marketValues)).toEqual(
      expectedHours.map((bucket) => marketExpected(marketPoint(bucket))),
    );
    expect(stored.reserves[0]?.map(reserveValues)).toEqual(
      expectedHours.map((bucket) => reserveExpected(0, bucket)),
    );
    expect(stored.reserves[1]?.map(reserveValues)).toEqual(
      expectedHours.map((bucket) => reserveExpected(1, bucket)),
    );
    const days = await storedPoints(suite.history.db, DAY);
    const whole = (points: readonly Record<string, unknown>[]) => points.slice(0, ALL_DAYS.length);
    expect(whole(days.vault).map(vaultValues)).toEqual(ALL_DAYS.map((day) => vaultExpected(vaultPoint(day))));
    expect(whole(days.market).map(marketValues)).toEqual(
      ALL_DAYS.map((day) => marketExpected(marketPoint(day))),
    );
    expect(whole(days.reserves[0] ?? []).map(reserveValues)).toEqual(
      ALL_DAYS.map((day) => reserveExpected(0, day)),
    );
    // For the current day only its hours are known.
    expect(days.vault.slice(ALL_DAYS.length).map(({ bucket, samples }) => [bucket, samples])).toEqual([
      [new Date(LAST_MIDNIGHT).toISOString(), 12 * 60],
    ]);
  });
});

// Differences between databases are tested with the store.
describe.each(databases().slice(0, 1))('an import that has ended', (kind) => {
  const suite = importSuite((fake) => openHistoryCopy(kind, 'imported', (url) => importFrom(fake.url, url)));

  it('stores null for values outside the contract, and weighs a bucket by all of its minutes', async () => {
    const { vault, reserves } = await storedPoints(suite.history.db, HOUR);
    expect(vault[0]).toMatchObject({
      tvlTokens: null,
      tokensPerShare: null,
      tokenPriceUsd: null,
      sharesIssued: null,
      interestPerSecond: null,
      performanceFees: null,
      managementFees: null,
      holders: null,
      slot: 0n,
      samples: 60,
      sampledAt: '2026-03-01T00:59:59.999Z',
    });
    expect(reserves[0]?.[0]).toMatchObject({ cumulativeBorrowRate: null, samples: 60 });
    expect((await storedPoints(suite.history.db, DAY)).vault[0]).toMatchObject({ samples: 1_440 });
  });

  it('takes the exact yield and the rewards of a reserve from the vault that holds it', async () => {
    const [held, other] = (await storedPoints(suite.history.db, DAY)).reserves;
    const day = { label: FIRST, step: DAY_MS };
    expect(held?.[0]).toMatchObject({
      supplyApy: vaultPoint(day).reserves[0]?.supplyApy,
      rewards: [{ mint: REWARD_MINT, apy: '0.02' }],
    });
    expect(other?.[0]).toMatchObject({
      supplyApy: String(reservePoint(1, day).metrics.supplyInterestAPY),
      rewards: [],
    });
  });

  it('changes nothing and requests no history when run again', async () => {
    const before = await everyPoint(suite.history.db);
    suite.fake.requests.length = 0;
    const { ok, lines } = await importFrom(suite.fake.url, suite.history.url);
    expect(ok).toBe(true);
    expect(await everyPoint(suite.history.db)).toEqual(before);
    // A vault without history may have some by now.
    expect(
      suite.fake.requests.filter((path) => path.includes('/history') && !path.includes('vault-new')),
    ).toHaveLength(1);
    expect(lines.at(-1)).toContain('0 hours and 0 days');
  });

  it('changes nothing when cursors are lost and everything is requested again', async () => {
    const before = await everyPoint(suite.history.db);
    await suite.history.db.run('DELETE FROM import_cursor');
    await importFrom(suite.fake.url, suite.history.url);
    expect(await everyPoint(suite.history.db)).toEqual(before);
  });

  it('resumes after time has passed, with the same result as a single import', async () => {
    suite.fake.running = RUNNING + 3 * DAY_MS;
    const later = new Date(NOW.getTime() + 3 * DAY_MS);
    suite.fake.requests.length = 0;
    await importFrom(suite.fake.url, suite.history.url, { now: later });
    expect(suite.fake.requests.filter((path) => path.includes('frequency=hour'))).toHaveLength(2);
    const other = await openHistory(kind);
    await importFrom(suite.fake.url, other.url, { now: later });
    expect(await everythingStored(suite.history.db)).toEqual(await everythingStored(other.db));
    await other.drop();
  });

  it('restores the exact yields of reserves when only reserves are imported again', async () => {
    const before = await everyPoint(suite.history.db);
    await suite.history.db.run(`DELETE FROM import_cursor WHERE kind = 'reserve'`);
    await importFrom(suite.fake.url, suite.history.url, { args: ['--only', 'reserves'] });
    await importFrom(suite.fake.url, suite.history.url, { args: ['--only', 'vaults'] });
    expect(await everyPoint(suite.history.db)).toEqual(before);
  });
});

describe.each(databases().slice(0, 1))('an import', (kind) => {
  const suite = importSuite(() => openHistory(kind));

  it('stores no reserve that only a vault mentions', async () => {
    await importFrom(suite.fake.url, suite.history.url, { args: ['--only', 'vaults'] });
    const { vault, reserves, market } = await storedPoints(suite.history.db, HOUR);
    expect(vault).toHaveLength(hours(FIRST, RUNNING).length);
    expect([reserves, market]).toEqual([[[], []], []]);
  });

  it('imports only the given range, and an earlier one on a later request', async () => {
    const args = ['--start', '2026-04-01', '--end', '2026-04-03'];
    await importFrom(suite.fake.url, suite.history.url, { args });
    const { vault, reserves } = await storedPoints(suite.history.db, HOUR);
    expect([vault, reserves[0]].map((points) => points?.map(({ bucket }) => bucket))).toEqual(
      [1, 2].map(() => hours(at('2026-04-01').getTime(), at('2026-04-03').getTime()).map(labelText)),
    );
    const days = await storedPoints(suite.history.db, DAY);
    expect(days.vault.map(({ tvlUsd }) => tvlUsd)).toEqual(
      ['2026-04-01', '2026-04-02'].map((day) => numberOf({ label: Date.parse(day), step: DAY_MS }, 1)),
    );
    await importFrom(suite.fake.url, suite.history.url, {
      args: ['--start', '2026-03-30', '--end', '2026-04-03'],
    });
    expect((await storedPoints(suite.history.db, HOUR)).vault).toHaveLength(96);
  });

  it('requests no hours beyond their retention', async () => {
    await importFrom(suite.fake.url, suite.history.url, { env: { KEEP_HOURS_DAYS: '10' } });
    const { vault } = await storedPoints(suite.history.db, HOUR);
    expect(vault[0]?.bucket).toBe('2026-04-10T00:00:00.000Z');
    expect((await storedPoints(suite.history.db, DAY)).vault).toHaveLength(ALL_DAYS.length + 1);
  });

  it('finds the hours of a deployment that has only recent ones', async () => {
    suite.fake.hoursSince = Date.UTC(2026, 2, 18);
    await importFrom(suite.fake.url, suite.history.url);
    const { vault, reserves, market } = await storedPoints(suite.history.db, HOUR);
    const expectedHours = hours(suite.fake.hoursSince, RUNNING).map(labelText);
    for (const points of [vault, reserves[0], market])
      expect(points?.map(({ bucket }) => bucket)).toEqual(expectedHours);
    expect((await storedPoints(suite.history.db, DAY)).vault).toHaveLength(ALL_DAYS.length + 1);
  });

  it('imports minutes of reserves on request', async () => {
    const args = ['--minutes', '--start', '2026-04-19', '--only', 'reserves'];
    await importFrom(suite.fake.url, suite.history.url, { args });
    const { reserves } = await storedPoints(suite.history.db, MINUTE);
    expect(reserves[0]).toHaveLength(36 * 60 + 1);
    const [first] = (await storedPoints(suite.history.db, HOUR)).reserves[0] ?? [];
    expect(reserveValues(first ?? {})).toEqual(
      reserveExpected(0, { label: Date.UTC(2026, 3, 19), step: HOUR_MS }),
    );
  });

  it('keeps recorded buckets, and replaces partly recorded ones', async () => {
    const recorded = hours(Date.UTC(2026, 3, 2), Date.UTC(2026, 3, 3)).map(({ label }) =>
      snapshot(new Date(label + HOUR_MS - 1), {
        vaults: [vaultSample('', { vault: VAULT })],
        reserves: [reserveSample('', { reserve: RESERVES[0], rewards: [] })],
      }),
    );
    await writeHistory(suite.history.db, suite.history.fence, HOUR, recorded);
    const half = snapshot(at('2026-04-05T10:29:59.999Z'), { vaults: [vaultSample('', { vault: VAULT })] });
    await writeHistory(suite.history.db, suite.history.fence, HOUR, [half]);
    await importFrom(suite.fake.url, suite.history.url);
    const { vault, reserves } = await storedPoints(suite.history.db, HOUR);
    const on = (points: readonly Record<string, unknown>[] = [], day: string) =>
      points.filter(({ bucket }) => String(bucket).startsWith(day));
    expect(on(vault, '2026-04-02').map(({ holders }) => holders)).toEqual(recorded.map(() => 12));
    expect(on(reserves[0], '2026-04-02').map(({ supplyApy }) => supplyApy)).toEqual(
      recorded.map(() => '0.06'),
    );
    expect(on(vault, '2026-04-05T10')).toMatchObject([{ holders: null, samples: 60 }]);
    // A day of completely recorded hours stays as recorded.
    expect(on((await storedPoints(suite.history.db, DAY)).vault, '2026-04-02')).toMatchObject([
      { holders: 12 },
    ]);
  });

  it('writes while a recorder leads, without ending its lease', async () => {
    let fence = suite.history.fence;
    suite.fake.fault = (path) => {
      if (path.includes('frequency=hour'))
        void takeFence(suite.history.db, 'another').then((next) => {
          fence = next;
        });
      return undefined;
    };
    const { ok } = await importFrom(suite.fake.url, suite.history.url);
    expect(ok).toBe(true);
    const minute = snapshot(NOW, { vaults: [vaultSample('', { vault: VAULT, tvlUsd: d('5') })] });
    expect(await writeSnapshot(suite.history.db, fence, minute)).toBe(true);
    expect((await storedPoints(suite.history.db, HOUR)).vault).toHaveLength(hours(FIRST, RUNNING).length + 1);
  });

  it('needs no recorder to have run before', async () => {
    await suite.history.db.run('DELETE FROM recorder_lease');
    expect((await importFrom(suite.fake.url, suite.history.url, { args: ['--only', 'markets'] })).ok).toBe(
      true,
    );
    expect((await storedPoints(suite.history.db, HOUR)).market).toHaveLength(hours(FIRST, RUNNING).length);
    expect(await takeFence(suite.history.db, 'recorder')).toBe(1n);
  });
});

const labelText = ({ label }: { label: number }) => new Date(label).toISOString();
