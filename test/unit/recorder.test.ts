import { describe, expect, it } from 'vitest';
import { type CodedError, SluiceError } from '../../src/errors/sluice-error.ts';
import { Recorder, type RecorderIntervals, type RecorderOptions } from '../../src/recorder/recorder.ts';
import type { Leadership } from '../../src/store/leases/leadership.ts';
import type { Models } from '../../src/store/models.ts';
import type { Database, Sql, Tables } from '../../src/store/sql.ts';
import { recorderWorld } from '../support/recorder/recorder-world.ts';

const world = recorderWorld();
const INTERVALS: RecorderIntervals = { poll: 1, afterFailure: 1, afterFailedScan: 1 };

/** Accepts every statement and records the minutes and scans written, and the day up to which points were rewritten. */
class FakeDatabase implements Database {
  readonly minutes: string[] = [];
  readonly scans: string[] = [];
  readonly tidied: string[] = [];
  readonly known = new Set<string>();
  readonly #ids = new Map<string, number>();
  fence = '1';
  failing: CodedError | null = null;
  /** Awaited by every write. */
  gate: Promise<void> = Promise.resolve();
  readonly models = {
    subject: { findMany: async () => [] },
    tidied: {
      findUnique: async () => null,
      upsert: async ({ create }: { create: { until: Date } }) => this.tidied.push(create.until.toISOString()),
    },
  } as unknown as Models;

  async rows(text: string, params: Parameters<Sql['rows']>[1] = []) {
    if (text.includes('recorder_lease')) return [{ fence: this.fence }];
    if (text.includes('FROM subject') || text.includes('JOIN subject')) {
      return ((params[0] ?? []) as string[]).map((address) => ({ address, id: this.#idOf(address) }));
    }
    if (text.includes('JOIN reserve_config')) {
      const [reserves = [], digests = []] = params as [number[], string[]];
      return reserves.map((reserve_id, i) => ({ id: i + 1, reserve_id, digest: digests[i] }));
    }
    return [];
  }

  async run(text: string, params: Parameters<Sql['run']>[1] = []) {
    if (text.includes('INSERT INTO snapshot')) {
      if (this.failing !== null) throw this.failing;
      await this.gate;
      const [minute = ''] = params[0] as string[];
      if (this.known.has(minute)) return 0;
      this.known.add(minute);
      this.minutes.push(minute);
      return 1;
    }
    if (text.includes('INSERT INTO leverage_point')) this.scans.push(String(params[1]));
    return 0;
  }

  transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    return work(this);
  }

  modelsThrough() {
    return this.models;
  }

  pool() {
    return { open: 0, idle: 0, waiting: 0, max: 0 };
  }

  async close() {}

  #idOf(address: string): number {
    const id = this.#ids.get(address) ?? this.#ids.size + 1;
    this.#ids.set(address, id);
    return id;
  }
}

const ALONE: Leadership = { tryLead: async () => 1n, onLoss: () => {}, resign: async () => {} };

interface Arranged {
  readonly db: FakeDatabase;
  readonly recorder: Recorder;
  readonly failures: string[];
  now: string;
  scans: number;
  scanFails: boolean;
}

function arrange(now: string, changes: Partial<RecorderOptions> = {}): Arranged {
  const db = new FakeDatabase();
  const failures: string[] = [];
  const arranged: Arranged = {
    db,
    failures,
    now,
    scans: 0,
    scanFails: false,
    recorder: new Recorder({
      db,
      leadership: ALONE,
      chain: {
        views: {
          get newest() {
            return world.viewAt(new Date(arranged.now));
          },
        },
        scanObligations: async () => {
          arranged.scans += 1;
          if (arranged.scanFails) throw new SluiceError('INTERNAL', {});
          return [];
        },
        countHolders: async () => 3,
      },
      catalogue: world.catalogue,
      retention: { minuteDays: 3, hourDays: 180, dayDays: null },
      onFailure: (what) => failures.push(what),
      intervals: INTERVALS,
      ...changes,
    }),
  };
  return arranged;
}

async function until(what: () => boolean): Promise<void> {
  for (let i = 0; i < 4_000 && !what(); i += 1) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(what()).toBe(true);
}

const looks = () => new Promise((resolve) => setTimeout(resolve, 40));

describe('a recorder', () => {
  it('writes the first View of a minute and no other of the same minute', async () => {
    const arranged = arrange('2026-06-02T10:00:05Z');
    arranged.recorder.start();
    await until(() => arranged.db.minutes.length === 1);
    arranged.now = '2026-06-02T10:00:59Z';
    await looks();
    arranged.now = '2026-06-02T10:01:00Z';
    await until(() => arranged.db.minutes.length === 2);
    await arranged.recorder.stop();
    expect(arranged.db.minutes).toEqual(['2026-06-02T10:00:00.000Z', '2026-06-02T10:01:00.000Z']);
    expect(arranged.recorder.state().lastSampledAt).toEqual(new Date('2026-06-02T10:01:00Z'));
    expect(arranged.failures).toEqual([]);
  });

  it('scans once an hour', async () => {
    const arranged = arrange('2026-06-02T10:00:05Z');
    arranged.recorder.start();
    await until(() => arranged.db.scans.length === 1);
    arranged.now = '2026-06-02T10:59:59Z';
    await looks();
    expect(arranged.scans).toBe(1);
    arranged.now = '2026-06-02T11:00:00Z';
    await until(() => arranged.db.scans.length === 2);
    // The clock jitters.
    arranged.now = '2026-06-02T10:59:59Z';
    await looks();
    await arranged.recorder.stop();
    expect(arranged.scans).toBe(2);
    expect(arranged.db.scans).toEqual(['2026-06-02T10:00:00.000Z', '2026-06-02T11:00:00.000Z']);
  });

  it('rewrites the last day once it is over by the slower clock', async () => {
    const arranged = arrange('2026-06-02T10:00:05Z');
    arranged.recorder.start();
    await until(() => arranged.db.tidied.length === 1);
    expect(arranged.db.tidied).toEqual(['2026-06-02T00:00:00.000Z']);
    await arranged.recorder.stop();
    const ahead = arrange('2076-06-02T10:00:05Z');
    ahead.recorder.start();
    await until(() => ahead.db.tidied.length === 1);
    await ahead.recorder.stop();
    expect(Date.parse(ahead.db.tidied[0] ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('keeps recording minutes while scans fail, and retries the scan', async () => {
    const arranged = arrange('2026-06-02T10:00:05Z');
    arranged.scanFails = true;
    arranged.recorder.start();
    await until(() => arranged.failures.length > 1);
    arranged.now = '2026-06-02T10:01:05Z';
    await until(() => arranged.db.minutes.length === 2);
    arranged.scanFails = false;
    await until(() => arranged.db.scans.length === 1);
    await arranged.recorder.stop();
    expect(new Set(arranged.failures)).toEqual(new Set(['the hourly scan']));
  });

  it('waits before retrying a failed scan', async () => {
    const arranged = arrange('2026-06-02T10:00:05Z', {
      intervals: { ...INTERVALS, afterFailedScan: 60_000 },
    });
    arranged.scanFails = true;
    arranged.recorder.start();
    await until(() => arranged.failures.length === 1);
    await looks();
    await arranged.recorder.stop();
    expect(arranged.scans).toBe(1);
  });

  it('records each minute once when the clock jumps back and forth', async () => {
    const arranged = arrange('2026-06-02T10:00:05Z');
    arranged.recorder.start();
    const times = [
      '2026-06-02T12:30:05Z',
      '2026-06-02T10:01:05Z',
      '2026-06-02T10:00:30Z',
      '2026-06-02T10:02:05Z',
    ];
    for (const time of times) {
      arranged.now = time;
      await looks();
    }
    await until(() => arranged.db.minutes.length === 4);
    await arranged.recorder.stop();
    expect(arranged.db.minutes).toHaveLength(new Set(arranged.db.minutes).size);
    expect(arranged.db.minutes).toContain('2026-06-02T10:02:00.000Z');
    expect(arranged.failures).toEqual([]);
  });

  it('finishes the current write when stopped', async () => {
    const arranged = arrange('2026-06-02T10:00:05Z');
    let open = () => {};
    arranged.db.gate = new Promise((resolve) => {
      open = resolve;
    });
    arranged.recorder.start();
    await looks();
    let stopped = false;
    const stopping = arranged.recorder.stop().then(() => {
      stopped = true;
    });
    await looks();
    expect([stopped, arranged.db.minutes.length]).toEqual([false, 0]);
    open();
    await stopping;
    expect(arranged.db.minutes).toEqual(['2026-06-02T10:00:00.000Z']);
  });

  it('stops leading when its fencing token is rejected, and tries to lead again', async () => {
    let asked = 0;
    const arranged = arrange('2026-06-02T10:00:05Z', {
      leadership: {
        ...ALONE,
        tryLead: async () => {
          asked += 1;
          return asked === 1 ? 1n : null;
        },
      },
    });
    arranged.db.fence = '2';
    arranged.recorder.start();
    await until(() => arranged.failures.length > 0);
    await until(() => asked > 1);
    expect(arranged.recorder.state().leading).toBe(false);
    await arranged.recorder.stop();
    expect(arranged.db.minutes).toEqual([]);
  });

  it('retries after a database failure', async () => {
    const arranged = arrange('2026-06-02T10:00:05Z');
    arranged.db.failing = new SluiceError('HISTORY_UNAVAILABLE', { reason: 'gone' });
    arranged.recorder.start();
    await until(() => arranged.failures.includes('recording a minute'));
    arranged.db.failing = null;
    await until(() => arranged.db.minutes.length === 1);
    await arranged.recorder.stop();
  });
});
