import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SluiceError } from '../../src/errors/sluice-error.ts';
import { writeSnapshot } from '../../src/store/history/write-snapshot.ts';
import { takeFence } from '../../src/store/leases/fencing-token.ts';
import { DatabaseLease, type DatabaseLeaseOptions } from '../../src/store/leases/leadership.ts';
import { databases, postgres, type TestDatabase } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { at, fullSnapshot } from '../support/history/samples.ts';

/** Longer than any test: such a lease ends only when a test ends it. */
const LONG_MS = 3_600_000;
const SHORT_MS = 200;

const minuteAt = (iso: string) => fullSnapshot(at(iso));

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 6_000 && !(await what()); i += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await what()).toBe(true);
}

/** Recorders that compete for the lease of one database. */
function arrange(kind: TestDatabase) {
  let history: HistoryDatabase;
  let candidates: DatabaseLease[] = [];
  beforeAll(async () => {
    history = await openHistory(kind);
  });
  afterEach(async () => {
    await Promise.all(candidates.map((each) => each.resign()));
    candidates = [];
    await expire();
  });
  afterAll(() => history.drop());

  const expire = () =>
    history.db.run("UPDATE recorder_heartbeat SET expires_at = clock_timestamp() - interval '1 second'");
  const candidate = (holder: string, options: Partial<DatabaseLeaseOptions> = {}) => {
    const lease = new DatabaseLease({ db: history.db, holder, leaseMs: LONG_MS, ...options });
    candidates.push(lease);
    return lease;
  };
  const isHeld = async () => {
    const [row] = await history.db.rows(
      'SELECT expires_at > clock_timestamp() AS held FROM recorder_heartbeat',
    );
    return row?.held === true;
  };
  return { history: () => history, expire, candidate, isHeld };
}

describe.each(databases())('the recorder lease on $name', (kind) => {
  const { history, expire, candidate, isHeld } = arrange(kind);

  it('has one leader at a time, each with a newer fencing token', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    const first = await a.tryLead();
    expect(first).toBeTypeOf('bigint');
    expect(await b.tryLead()).toBeNull();
    expect(await a.tryLead()).toBe(first);
    await a.resign();
    const second = await b.tryLead();
    expect(second).toBe((first ?? 0n) + 1n);
    expect(await a.tryLead()).toBeNull();
    const rows = await history().db.rows(
      `SELECT holder, l.fence::text AS lease, h.fence::text AS heartbeat
       FROM recorder_lease l JOIN recorder_heartbeat h USING (id)`,
    );
    expect(rows).toEqual([{ holder: 'b', lease: String(second), heartbeat: String(second) }]);
  });

  it('elects one leader among many concurrent candidates', async () => {
    const many = Array.from({ length: 6 }, (_, index) => candidate(`many-${index}`));
    const fences = await Promise.all(many.flatMap((each) => [each.tryLead(), each.tryLead()]));
    expect(fences.filter((fence) => fence !== null)).toHaveLength(2);
    expect(new Set(fences.filter((fence) => fence !== null)).size).toBe(1);
  });

  it('is taken over once it has expired; the former leader is notified and cannot write', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    const old = (await a.tryLead()) ?? 0n;
    let losses = 0;
    a.onLoss(() => {
      losses += 1;
    });
    await expire();
    const current = (await b.tryLead()) ?? 0n;
    expect(current).toBe(old + 1n);
    const minute = minuteAt('2026-02-01T00:00:00.000Z');
    await expect(writeSnapshot(history().db, old, minute)).rejects.toMatchObject({
      code: 'NOT_LEADER',
      context: { fence: String(old), current: String(current) },
    });
    expect(await a.tryLead()).toBeNull();
    expect(losses).toBe(1);
    expect(await writeSnapshot(history().db, current, minute)).toBe(true);
    await a.resign();
    expect(await b.tryLead()).toBe(current);
    expect(losses).toBe(1);
  });

  it('is renewed by its holder even after it has expired, if nobody took it', async () => {
    const a = candidate('a');
    const fence = await a.tryLead();
    await expire();
    expect(await a.tryLead()).toBe(fence);
    expect(await isHeld()).toBe(true);
  });

  it('is renewed without being asked', async () => {
    const a = candidate('a', { leaseMs: SHORT_MS });
    const fence = await a.tryLead();
    for (let renewal = 0; renewal < 3; renewal += 1) {
      await expire();
      await until(isHeld);
    }
    expect(await a.tryLead()).toBe(fence);
  });

  it('is lost by a leader that cannot reach the database for as long as the lease lasts', async () => {
    let isReachable = true;
    const { db } = history();
    const cut: typeof db = {
      ...db,
      run: async (text, params) => {
        if (!isReachable) throw new SluiceError('HISTORY_UNAVAILABLE', { reason: 'cut off' });
        return await db.run(text, params);
      },
    };
    const a = candidate('a', { db: cut, leaseMs: SHORT_MS });
    const old = (await a.tryLead()) ?? 0n;
    let losses = 0;
    a.onLoss(() => {
      losses += 1;
    });
    isReachable = false;
    await until(() => losses > 0);
    isReachable = true;
    await expire();
    expect(await a.tryLead()).toBe(old + 1n);
    expect(losses).toBe(1);
  });

  it('is lost to a recorder of an earlier version, and taken back after it expired', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    const old = (await a.tryLead()) ?? 0n;
    // Earlier versions hold an advisory lock and take the token of the lease row; they know no heartbeat.
    const earlier = await takeFence(history().db, 'an earlier version');
    const minute = minuteAt('2026-02-03T00:00:00.000Z');
    await expect(writeSnapshot(history().db, old, minute)).rejects.toMatchObject({
      code: 'NOT_LEADER',
    });
    expect(await a.tryLead()).toBeNull();
    expect(await b.tryLead()).toBeNull();
    expect(await writeSnapshot(history().db, earlier, minute)).toBe(true);
    await expire();
    const current = (await b.tryLead()) ?? 0n;
    expect(current).toBe(earlier + 1n);
    await expect(
      writeSnapshot(history().db, earlier, minuteAt('2026-02-03T00:01:00.000Z')),
    ).rejects.toMatchObject({ code: 'NOT_LEADER' });
  });

  it('of a sole process is taken from a process that ended without releasing it', async () => {
    const ended = await candidate('ended').tryLead();
    const sole = candidate('sole', { soleProcess: true });
    const fence = await sole.tryLead();
    expect(fence).toBe((ended ?? 0n) + 1n);
    expect(await sole.tryLead()).toBe(fence);
    await sole.resign();
    expect(await sole.tryLead()).toBe((fence ?? 0n) + 1n);
  });
});

describe.each(postgres())('a take-over on $name', (kind) => {
  const { history, candidate } = arrange(kind);

  it('waits for a write of the old leader that is in progress, which then completes', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    const old = (await a.tryLead()) ?? 0n;
    let next: Promise<bigint | null> | undefined;
    const slow: HistoryDatabase['db'] = {
      ...history().db,
      transaction: (work) =>
        history().db.transaction(async (sql) => {
          const result = await work(sql);
          await a.resign();
          next = b.tryLead();
          const first = await Promise.race([
            next,
            new Promise((resolve) => setTimeout(resolve, 300, 'waiting')),
          ]);
          expect(first).toBe('waiting');
          return result;
        }),
    };
    expect(await writeSnapshot(slow, old, minuteAt('2026-02-02T00:00:00.000Z'))).toBe(true);
    expect(await next).toBe(old + 1n);
  });

  it('does not keep the leader from renewing while it writes', async () => {
    const a = candidate('a');
    const fence = (await a.tryLead()) ?? 0n;
    const busy: HistoryDatabase['db'] = {
      ...history().db,
      transaction: (work) =>
        history().db.transaction(async (sql) => {
          const result = await work(sql);
          expect(await a.tryLead()).toBe(fence);
          return result;
        }),
    };
    expect(await writeSnapshot(busy, fence, minuteAt('2026-02-04T00:00:00.000Z'))).toBe(true);
  });
});
