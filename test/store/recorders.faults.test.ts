import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { Database } from '../../src/store/sql.ts';
import { type OpenTestDatabase, postgres } from '../support/databases/test-databases.ts';
import { faultsOf } from '../support/history/roll-up-check.ts';
import { RecorderProcess } from '../support/recorder/recorder-process.ts';

const LEASE_MS = 3_000;

describe.each(postgres())('recorder processes on $name', (kind) => {
  let opened: OpenTestDatabase;
  let db: Database;
  let running: RecorderProcess[] = [];

  afterEach(async () => {
    await Promise.all(running.map((each) => each.end('SIGKILL')));
    running = [];
    await db.close();
    await opened.close();
  });

  async function arrange(): Promise<void> {
    opened = await kind.open();
    await migrate(opened.url);
    db = await openDatabase({ url: opened.url, poolSize: 1, statementTimeoutMs: 60_000 });
  }

  function start(): RecorderProcess {
    const { url } = opened;
    const one = new RecorderProcess({
      url,
      since: '2026-06-02T00:00:00.000Z',
      clock: 'races',
      leaseMs: LEASE_MS,
    });
    running.push(one);
    return one;
  }

  /** Kills all recorders first, so that nothing is written during the checks. */
  const expectWhole = async () => {
    await Promise.all(running.map((each) => each.end('SIGKILL')));
    const recorded = running.flatMap(({ recorded }) => recorded);
    expect(new Set(recorded).size).toBe(recorded.length);
    expect(await faultsOf(db)).toEqual([]);
  };

  it('one records, and when it is killed the other takes over', async () => {
    await arrange();
    const first = start();
    await first.until(({ recorded }) => recorded.length > 2);
    const second = start();
    await second.until(({ lines }) => lines.includes('waits'));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(second.recorded).toEqual([]);
    await first.end('SIGKILL');
    const killedAt = performance.now();
    await second.until(({ recorded }) => recorded.length > 0);
    expect(performance.now() - killedAt).toBeLessThan(10_000);
    await expectWhole();
  });

  it('one that was paused until another took over cannot write, reports it and waits', async () => {
    await arrange();
    const first = start();
    await first.until(({ recorded }) => recorded.length > 2);
    const second = start();
    await second.until(({ lines }) => lines.includes('waits'));
    first.signal('SIGSTOP');
    await second.until(({ recorded }) => recorded.length > 0);
    const before = first.recorded.length;
    const heard = first.lines.length;
    first.signal('SIGCONT');
    await first.until(({ lines }) => lines.slice(heard).includes('waits'));
    await new Promise((resolve) => setTimeout(resolve, 500));
    // A write from before the pause may be reported after it. Nothing tried since was written.
    expect(first.recorded.length - before).toBeLessThanOrEqual(1);
    // A write that was in progress may report its failure before or after.
    expect(first.lines.filter((line) => line === 'leads' || line === 'waits').at(-1)).toBe('waits');
    const [fences] = await db.rows(
      'SELECT count(DISTINCT fence)::integer AS fences, max(fence)::text AS last FROM snapshot',
    );
    expect(fences).toEqual({ fences: 2, last: '2' });
    await expectWhole();
  });

  it('one whose connections are all cut continues', async () => {
    await arrange();
    const one = start();
    await one.until(({ recorded }) => recorded.length > 2);
    for (let i = 0; i < 3; i += 1) {
      await db.rows(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const before = one.recorded.length;
    await one.until(({ recorded }) => recorded.length > before + 2);
    await one.end('SIGTERM');
    await expectWhole();
  });
});
