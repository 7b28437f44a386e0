import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresLeadership, SoleLeadership } from '../../src/store/history/leadership.ts';
import { writeSnapshot } from '../../src/store/history/write-snapshot.ts';
import { databases, postgres } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { at, fullSnapshot } from '../support/history/samples.ts';

describe.each(postgres())('leadership on $name', (kind) => {
  let history: HistoryDatabase;
  let admin: Client;
  beforeAll(async () => {
    history = await openHistory(kind);
    admin = new Client({ connectionString: history.url });
    admin.on('error', () => {});
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await history.drop();
  });

  const leader = (holder: string) => new PostgresLeadership({ url: history.url, holder });

  async function cutOff(): Promise<void> {
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks
       WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
  }

  it('has one leader at a time, each with a newer fencing token', async () => {
    const [a, b] = [leader('a'), leader('b')];
    const first = await a.tryLead();
    expect(first).toBeTypeOf('bigint');
    expect(await b.tryLead()).toBeNull();
    expect(await a.tryLead()).toBe(first);
    await a.resign();
    const second = await b.tryLead();
    expect(second).toBe((first ?? 0n) + 1n);
    expect(await a.tryLead()).toBeNull();
    const { rows } = await admin.query('SELECT holder, fence FROM recorder_lease');
    expect(rows).toEqual([{ holder: 'b', fence: String(second) }]);
    await Promise.all([a.resign(), b.resign()]);
  });

  it('elects one leader among many concurrent candidates', async () => {
    const many = Array.from({ length: 6 }, (_, index) => leader(`many-${index}`));
    const fences = await Promise.all(many.flatMap((each) => [each.tryLead(), each.tryLead()]));
    expect(new Set(fences.filter((fence) => fence !== null)).size).toBe(1);
    await Promise.all(many.map((each) => each.resign()));
  });

  it('notifies the leader when its connection drops, and fences it off once another leads', async () => {
    const [a, b] = [leader('a'), leader('b')];
    const old = await a.tryLead();
    let losses = 0;
    const lost = new Promise<void>((resolve) => {
      a.onLoss(() => {
        losses += 1;
        resolve();
      });
    });
    await cutOff();
    await lost;
    const current = await b.tryLead();
    expect(current).not.toBeNull();
    expect(await a.tryLead()).toBeNull();
    const minute = fullSnapshot(at('2026-02-01T00:00:00.000Z'));
    await expect(writeSnapshot(history.db, old ?? 0n, minute)).rejects.toMatchObject({
      code: 'RECORDER_NOT_LEADER',
    });
    expect(await writeSnapshot(history.db, current ?? 0n, minute)).toBe(true);
    expect(losses).toBe(1);
    await Promise.all([a.resign(), b.resign()]);
    expect(losses).toBe(1);
  });

  it('waits for a write of the old leader that is in progress, which then completes', async () => {
    const [a, b] = [leader('a'), leader('b')];
    const old = (await a.tryLead()) ?? 0n;
    let next: Promise<bigint | null> | undefined;
    const slow: typeof history.db = {
      ...history.db,
      transaction: (work) =>
        history.db.transaction(async (sql) => {
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
    expect(await writeSnapshot(slow, old, fullSnapshot(at('2026-02-02T00:00:00.000Z')))).toBe(true);
    expect(await next).toBe(old + 1n);
    await b.resign();
  });
});

describe.each(databases())('leadership of a single process on $name', (kind) => {
  it('takes a new fencing token for each leadership', async () => {
    const history = await openHistory(kind);
    const sole = new SoleLeadership(history.db, 'sole');
    const fence = await sole.tryLead();
    expect(fence).toBe(history.fence + 1n);
    expect(await sole.tryLead()).toBe(fence);
    await sole.resign();
    expect(await sole.tryLead()).toBe(fence + 1n);
    await history.drop();
  });
});
