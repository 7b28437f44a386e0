import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RECORDER } from '../../src/cli/recorder/arguments.ts';
import { runRecorder } from '../../src/cli/recorder/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import { MINUTE } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { DatabaseLease } from '../../src/store/leases/leadership.ts';
import { scopeOf } from '../../src/store/transactions/slot-ranges.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { everyPoint, type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { faultsOf } from '../support/history/roll-up-check.ts';
import { at, fullSnapshot } from '../support/history/samples.ts';

describe('the arguments of the recorder', () => {
  const now = at('2026-01-02T00:00:00Z');

  it('select recording, gaps or a repair, up to now by default', () => {
    expect(RECORDER.read([], now)).toEqual({ kind: 'record' });
    expect(RECORDER.read(['gaps', '--start', '2026-01-01'], now)).toEqual({
      kind: 'gaps',
      start: at('2026-01-01T00:00:00Z'),
      end: now,
    });
    expect(RECORDER.read(['repair', '--start', '2026-01-01', '--end', '2026-01-01T06:00:00Z'], now)).toEqual({
      kind: 'repair',
      start: at('2026-01-01T00:00:00Z'),
      end: at('2026-01-01T06:00:00Z'),
    });
  });

  it.each([
    [['sing']],
    [['gaps']],
    [['gaps', '--start', 'yesterday']],
    [['gaps', '--start', '2026-01-03']],
    [['gaps', 'more', '--start', '2026-01-01']],
    [['--start', '2026-01-01']],
    [['gaps', '--from', '2026-01-01']],
  ])('make no sense: %j', (args) => {
    expect(RECORDER.read(args, now)).toBeNull();
  });
});

describe.each(postgres())('the recorder command on $name', (kind) => {
  let history: HistoryDatabase;
  const minutes = ['00:58', '00:59', '01:00', '01:04', '01:05'];

  beforeAll(async () => {
    history = await openHistory(kind);
    const snapshots = minutes.map((minute) => fullSnapshot(at(`2026-01-01T${minute}:12.000Z`)));
    await writeHistory(history.db, history.fence, MINUTE, snapshots);
  });
  afterAll(() => history.drop());

  async function run(args: readonly string[]): Promise<string[]> {
    const lines: string[] = [];
    const command = RECORDER.read(args, at('2026-01-01T01:06:00Z'));
    if (command === null) throw new Error('the arguments make no sense');
    const config = loadConfig({ DATABASE_URL: history.url });
    await runRecorder(config, command, (line) => lines.push(line), new AbortController().signal);
    return lines;
  }

  it('lists the minutes that were not recorded', async () => {
    expect(await run(['gaps', '--start', '2026-01-01T00:58:00Z'])).toEqual([
      '2026-01-01T01:01:00.000Z to 2026-01-01T01:04:00.000Z: 3 minutes',
      '1 gaps',
    ]);
    expect(await run(['gaps', '--start', '2026-01-01T00:58:00Z', '--end', '2026-01-01T01:01:00Z'])).toEqual([
      'no minutes missing',
    ]);
  });

  it('rebuilds hours and days, and lists what stays missing', async () => {
    const before = await everyPoint(history.db);
    await history.db.run('DELETE FROM reserve_point WHERE step = 3600');
    await history.db.run('DELETE FROM price_point WHERE step = 86400');
    expect(await run(['repair', '--start', '2026-01-01'])).toEqual([
      '1 of 1 days, 3 points recomputed',
      '3 points recomputed',
      '2026-01-01T00:00:00.000Z to 2026-01-01T00:58:00.000Z: 58 minutes',
      '2026-01-01T01:01:00.000Z to 2026-01-01T01:04:00.000Z: 3 minutes',
      '2 gaps',
    ]);
    expect(await everyPoint(history.db)).toEqual(before);
    expect(await faultsOf(history.db)).toEqual([]);
    expect(await run(['repair', '--start', '2026-01-01'])).toContain('0 points recomputed');
  });

  it('does not repair while a recorder leads, and repairs afterwards', async () => {
    const leader = new DatabaseLease({ db: history.db, holder: 'a recorder' });
    expect(await leader.tryLead()).not.toBeNull();
    await expect(run(['repair', '--start', '2026-01-01'])).rejects.toThrow(/A recorder is running/);
    // Listing gaps needs no leadership.
    expect(await run(['gaps', '--start', '2026-01-01T00:58:00Z'])).toHaveLength(2);
    await leader.resign();
    expect(await run(['repair', '--start', '2026-01-01'])).toContain('0 points recomputed');
  });

  it('needs a database, and a chain to record', async () => {
    const signal = new AbortController().signal;
    const none = runRecorder(loadConfig({}), { kind: 'record' }, () => {}, signal);
    await expect(none).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      context: { variable: 'DATABASE_URL' },
    });
    await expect(run([])).rejects.toMatchObject({ context: { variable: 'SOLANA_RPC_URLS' } });
  });

  it('lists slots whose transactions may be missing', async () => {
    const scope = scopeOf(loadConfig({}).programs);
    const range = { scope, writtenAt: new Date() };
    await history.db.models.ingestSlots.createMany({
      data: [
        { ...range, fromSlot: 100n, toSlot: 199n },
        { ...range, fromSlot: 205n, toSlot: 400n },
      ],
    });
    expect((await run(['gaps', '--start', '2026-01-01T00:58:00Z'])).slice(-2)).toEqual([
      'transactions: complete from slot 100 to slot 400, 1 gap',
      'slots 200 to 204: may be missing transactions',
    ]);
  });
});
