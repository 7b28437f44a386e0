import { Rational } from '@sluice/protocol/numeric/rational';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clearHistory } from '../../src/store/history/clear.ts';
import type { Snapshot } from '../../src/store/history/samples.ts';
import { DAY, HOUR, MINUTE, type Step } from '../../src/store/history/time-buckets.ts';
import { encodeNewPoints, writeHistory, writeNewPoints } from '../../src/store/history/write-snapshot.ts';
import { openPgConnection, type PgConnection } from '../../src/store/pg-connection.ts';
import { databases } from '../support/databases/test-databases.ts';
import { everyPoint, type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import {
  at,
  d,
  fullSnapshot,
  reserveSample,
  rewardSample,
  snapshot,
  vaultSample,
} from '../support/history/samples.ts';

const MINUTES: readonly Snapshot[] = [
  fullSnapshot(at('2026-03-02T10:00:30.125Z')),
  fullSnapshot(at('2026-03-02T10:01:59.999Z')),
  snapshot(at('2026-03-02T11:00:00.000Z'), {
    // No prices, no lists, negative, more places than are stored, and non-ASCII letters.
    vaults: [
      vaultSample('vault', {
        tvlUsd: null,
        apyTheoretical: null,
        holders: null,
        allocations: [],
        rewards: [],
      }),
      vaultSample('other', { interest: d('-0.000000000000000001'), apyActual: Rational.of(1n, 3n) }),
    ],
    reserves: [reserveSample('reserve-c', { priceUsd: null, totalSupply: d('12345678901234567890.5') })],
    rewards: [rewardSample({ source: 'Ω "1"\\', apy: null })],
  }),
];
const HOURS = [fullSnapshot(at('2026-03-01T05:59:59.000Z')), fullSnapshot(at('2026-03-01T06:59:59.000Z'))];
const DAYS = [fullSnapshot(at('2026-02-20T23:59:59.000Z'))];
const ALL: readonly (readonly [Step, readonly Snapshot[]])[] = [
  [DAY, DAYS],
  [HOUR, HOURS],
  [MINUTE, MINUTES],
];

describe.each(databases())('writing history into an empty database on $name', (kind) => {
  let history: HistoryDatabase;
  let connection: PgConnection;
  const writeNew = async (fence: bigint, step: Step, snapshots: readonly Snapshot[]) => {
    await writeNewPoints(connection, fence, await encodeNewPoints(connection, step, snapshots));
  };

  beforeAll(async () => {
    history = await openHistory(kind);
    connection = await openPgConnection({ url: history.url, statementTimeoutMs: 20_000 });
  });

  afterAll(async () => {
    await connection?.close();
    await history?.drop();
  });

  it('writes the same points as a bulk load, roll-ups included', async () => {
    for (const [step, snapshots] of ALL) await writeHistory(history.db, history.fence, step, snapshots);
    const loaded = await everyPoint(history.db);
    expect(loaded.length).toBeGreaterThan(30);
    await clearHistory(history.db);
    // A new connection knows no ids, which start at one again.
    for (const [step, snapshots] of ALL) await writeNew(history.fence, step, snapshots);
    expect(await everyPoint(history.db)).toEqual(loaded);
  });

  it('rejects an existing point and writes nothing', async () => {
    const before = await everyPoint(history.db);
    const later = fullSnapshot(at('2026-03-02T12:00:30.000Z'));
    const again = writeNew(history.fence, MINUTE, [later, ...MINUTES]);
    await expect(again).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await everyPoint(history.db)).toEqual(before);
  });

  it('rejects a writer that does not lead', async () => {
    const before = await everyPoint(history.db);
    const later = [fullSnapshot(at('2026-03-02T13:00:30.000Z'))];
    const refused = writeNew(history.fence - 1n, MINUTE, later);
    await expect(refused).rejects.toMatchObject({ code: 'NOT_LEADER' });
    expect(await everyPoint(history.db)).toEqual(before);
  });
});
