import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeFence } from '../../src/store/history/fence.ts';
import { DAY, HOUR, MINUTE } from '../../src/store/history/steps.ts';
import { writeHistory, writeSnapshot } from '../../src/store/history/write-snapshot.ts';
import { databases, type TestDatabase } from '../support/databases/test-databases.ts';
import { everyPoint, type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
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
import { everythingKept, importFrom, keptOf, NOW } from './import-runs.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const hours = (from: number, to: number) =>
  Array.from({ length: (to - from) / HOUR_MS }, (_, i) => ({ label: from + i * HOUR_MS, step: HOUR_MS }));
const LAST_MIDNIGHT = Math.floor(RUNNING / DAY_MS) * DAY_MS;
const ALL_DAYS = Array.from({ length: (LAST_MIDNIGHT - FIRST) / DAY_MS }, (_, i) => ({
  label: FIRST + i * DAY_MS,
  step: DAY_MS,
}));

/** Each test has a database of its own, and the deployment is as it was. */
function importSuite(kind: TestDatabase) {
  const suite = {} as { fake: FakeDeployment; history: HistoryDatabase };
  beforeAll(async () => {
    suite.fake = await startFakeDeployment();
  });
  beforeEach(async () => {
    suite.history = await openHistory(kind);
    Object.assign(suite.fake, { fault: () => undefined, hoursSince: FIRST, running: RUNNING });
    suite.fake.requests.length = 0;
  });
  afterEach(() => suite.history.drop());
  afterAll(() => suite.fake.close());
  return suite;
}

describe.each(databases())('an import on $name', (kind) => {
  const suite = importSuite(kind);

  it('keeps every hour and day as it was told, and not the ones that run', async () => {
    const { ok, lines } = await importFrom(suite.fake.url, suite.history.url);
    expect(lines.filter((line) => line.startsWith('not imported'))).toEqual([]);
    expect(ok).toBe(true);
    const kept = await keptOf(suite.history.db, HOUR);
    const told = hours(FIRST, RUNNING);
    expect(kept.vault.map(vaultValues)).toEqual(told.map((bucket) => vaultExpected(vaultPoint(bucket))));
    expect(kept.market.map(marketValues)).toEqual(told.map((bucket) => marketExpected(marketPoint(bucket))));
    expect(kept.reserves[0]?.map(reserveValues)).toEqual(told.map((bucket) => reserveExpected(0, bucket)));
    expect(kept.reserves[1]?.map(reserveValues)).toEqual(told.map((bucket) => reserveExpected(1, bucket)));
    const days = await keptOf(suite.history.db, DAY);
    const whole = (points: readonly Record<string, unknown>[]) => points.slice(0, ALL_DAYS.length);
    expect(whole(days.vault).map(vaultValues)).toEqual(ALL_DAYS.map((day) => vaultExpected(vaultPoint(day))));
    expect(whole(days.market).map(marketValues)).toEqual(
      ALL_DAYS.map((day) => marketExpected(marketPoint(day))),
    );
    expect(whole(days.reserves[0] ?? []).map(reserveValues)).toEqual(
      ALL_DAYS.map((day) => reserveExpected(0, day)),
    );
    // Of the day that runs only its hours are known.
    expect(days.vault.slice(ALL_DAYS.length).map(({ bucket, samples }) => [bucket, samples])).toEqual([
      [new Date(LAST_MIDNIGHT).toISOString(), 12 * 60],
    ]);
  });
});

// What differs between databases is below the import, and has tests of its own.
describe.each(databases().slice(0, 1))('an import', (kind) => {
  const suite = importSuite(kind);

  it('knows what the contract does not tell as unknown, and weighs a bucket as all of its minutes', async () => {
    await importFrom(suite.fake.url, suite.history.url);
    const { vault, reserves } = await keptOf(suite.history.db, HOUR);
    expect(vault[0]).toMatchObject({
      tvlTokens: null,
      tokensPerShare: null,
      tokenPriceUsd: null,
      sharesIssued: null,
      interestPerSecond: null,
      holders: null,
      slot: 0n,
      samples: 60,
      sampledAt: '2026-03-01T00:59:59.999Z',
    });
    expect(reserves[0]?.[0]).toMatchObject({ cumulativeBorrowRate: null, samples: 60 });
    expect((await keptOf(suite.history.db, DAY)).vault[0]).toMatchObject({ samples: 1_440 });
  });

  it('takes the exact yield and the rewards of a reserve from the vault that holds it', async () => {
    await importFrom(suite.fake.url, suite.history.url);
    const [held, other] = (await keptOf(suite.history.db, DAY)).reserves;
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

  it('does not invent a reserve of which only a vault tells', async () => {
    await importFrom(suite.fake.url, suite.history.url, { args: ['--only', 'vaults'] });
    const { vault, reserves, market } = await keptOf(suite.history.db, HOUR);
    expect(vault).toHaveLength(hours(FIRST, RUNNING).length);
    expect([reserves, market]).toEqual([[[], []], []]);
  });

  it('changes nothing and asks for no history when it is run again', async () => {
    await importFrom(suite.fake.url, suite.history.url);
    const before = await everyPoint(suite.history.db);
    suite.fake.requests.length = 0;
    const { ok, lines } = await importFrom(suite.fake.url, suite.history.url);
    expect(ok).toBe(true);
    expect(await everyPoint(suite.history.db)).toEqual(before);
    // A vault without a past may have one by now.
    expect(
      suite.fake.requests.filter((path) => path.includes('/history') && !path.includes('vault-new')),
    ).toHaveLength(1);
    expect(lines.at(-1)).toContain('0 hours and 0 days');
  });

  it('changes nothing when cursors are lost and everything is asked for again', async () => {
    await importFrom(suite.fake.url, suite.history.url);
    const before = await everyPoint(suite.history.db);
    await suite.history.db.run('DELETE FROM import_cursor');
    await importFrom(suite.fake.url, suite.history.url);
    expect(await everyPoint(suite.history.db)).toEqual(before);
  });

  it('goes on where it was when time has passed, and ends with what one import would have', async () => {
    await importFrom(suite.fake.url, suite.history.url);
    suite.fake.running = RUNNING + 3 * DAY_MS;
    const later = new Date(NOW.getTime() + 3 * DAY_MS);
    suite.fake.requests.length = 0;
    await importFrom(suite.fake.url, suite.history.url, { now: later });
    expect(suite.fake.requests.filter((path) => path.includes('frequency=hour'))).toHaveLength(2);
    const other = await openHistory(kind);
    await importFrom(suite.fake.url, other.url, { now: later });
    expect(await everythingKept(suite.history.db)).toEqual(await everythingKept(other.db));
    await other.drop();
  });

  it('gives reserves back their exact yields when they are imported again alone', async () => {
    await importFrom(suite.fake.url, suite.history.url);
    const before = await everyPoint(suite.history.db);
    await suite.history.db.run(`DELETE FROM import_cursor WHERE kind = 'reserve'`);
    await importFrom(suite.fake.url, suite.history.url, { args: ['--only', 'reserves'] });
    await importFrom(suite.fake.url, suite.history.url, { args: ['--only', 'vaults'] });
    expect(await everyPoint(suite.history.db)).toEqual(before);
  });

  it('imports a range alone, and what is before it when that is asked for later', async () => {
    const args = ['--start', '2026-04-01', '--end', '2026-04-03'];
    await importFrom(suite.fake.url, suite.history.url, { args });
    const { vault, reserves } = await keptOf(suite.history.db, HOUR);
    expect([vault, reserves[0]].map((points) => points?.map(({ bucket }) => bucket))).toEqual(
      [1, 2].map(() => hours(at('2026-04-01').getTime(), at('2026-04-03').getTime()).map(labelText)),
    );
    const days = await keptOf(suite.history.db, DAY);
    expect(days.vault.map(({ tvlUsd }) => tvlUsd)).toEqual(
      ['2026-04-01', '2026-04-02'].map((day) => numberOf({ label: Date.parse(day), step: DAY_MS }, 1)),
    );
    await importFrom(suite.fake.url, suite.history.url, {
      args: ['--start', '2026-03-30', '--end', '2026-04-03'],
    });
    expect((await keptOf(suite.history.db, HOUR)).vault).toHaveLength(96);
  });

  it('asks for no hours that would not be kept', async () => {
    await importFrom(suite.fake.url, suite.history.url, { env: { KEEP_HOURS_DAYS: '10' } });
    const { vault } = await keptOf(suite.history.db, HOUR);
    expect(vault[0]?.bucket).toBe('2026-04-10T00:00:00.000Z');
    expect((await keptOf(suite.history.db, DAY)).vault).toHaveLength(ALL_DAYS.length + 1);
  });

  it('finds the hours of a deployment that has forgotten those of long ago', async () => {
    suite.fake.hoursSince = Date.UTC(2026, 2, 18);
    await importFrom(suite.fake.url, suite.history.url);
    const { vault, reserves, market } = await keptOf(suite.history.db, HOUR);
    const told = hours(suite.fake.hoursSince, RUNNING).map(labelText);
    for (const points of [vault, reserves[0], market])
      expect(points?.map(({ bucket }) => bucket)).toEqual(told);
    expect((await keptOf(suite.history.db, DAY)).vault).toHaveLength(ALL_DAYS.length + 1);
  });

  it('imports minutes of reserves when they are asked for', async () => {
    const args = ['--minutes', '--start', '2026-04-19', '--only', 'reserves'];
    await importFrom(suite.fake.url, suite.history.url, { args });
    const { reserves } = await keptOf(suite.history.db, MINUTE);
    expect(reserves[0]).toHaveLength(36 * 60 + 1);
    const [first] = (await keptOf(suite.history.db, HOUR)).reserves[0] ?? [];
    expect(reserveValues(first ?? {})).toEqual(
      reserveExpected(0, { label: Date.UTC(2026, 3, 19), step: HOUR_MS }),
    );
  });

  it('leaves alone what was recorded, and takes the place of what was recorded in part', async () => {
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
    const { vault, reserves } = await keptOf(suite.history.db, HOUR);
    const on = (points: readonly Record<string, unknown>[] = [], day: string) =>
      points.filter(({ bucket }) => String(bucket).startsWith(day));
    expect(on(vault, '2026-04-02').map(({ holders }) => holders)).toEqual(recorded.map(() => 12));
    expect(on(reserves[0], '2026-04-02').map(({ supplyApy }) => supplyApy)).toEqual(
      recorded.map(() => '0.06'),
    );
    expect(on(vault, '2026-04-05T10')).toMatchObject([{ holders: null, samples: 60 }]);
    // The day of whole recorded hours is the recorded one.
    expect(on((await keptOf(suite.history.db, DAY)).vault, '2026-04-02')).toMatchObject([{ holders: 12 }]);
  });

  it('writes beside a recorder that leads, which goes on leading', async () => {
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
    expect((await keptOf(suite.history.db, HOUR)).vault).toHaveLength(hours(FIRST, RUNNING).length + 1);
  });

  it('needs no recorder to have been there', async () => {
    await suite.history.db.run('DELETE FROM recorder_lease');
    expect((await importFrom(suite.fake.url, suite.history.url, { args: ['--only', 'markets'] })).ok).toBe(
      true,
    );
    expect((await keptOf(suite.history.db, HOUR)).market).toHaveLength(hours(FIRST, RUNNING).length);
    expect(await takeFence(suite.history.db, 'recorder')).toBe(1n);
  });
});

const labelText = ({ label }: { label: number }) => new Date(label).toISOString();
