import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/store/history/time-buckets.ts';
import { databases } from '../support/databases/test-databases.ts';
import { everyPoint, type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import {
  type FakeDeployment,
  type Fault,
  RESERVES,
  startFakeDeployment,
  VAULT,
  vaultPoint,
} from './fake-deployment.ts';
import { everythingStored, importFrom, storedPoints } from './import-runs.ts';

const RANGE = ['--start', '2026-04-10', '--end', '2026-04-12'];

describe.each(databases().slice(0, 1))('an import from a faulty deployment', (kind) => {
  let fake: FakeDeployment;
  let history: HistoryDatabase;

  beforeAll(async () => {
    fake = await startFakeDeployment();
  });
  beforeEach(async () => {
    history = await openHistory(kind);
    fake.fault = () => undefined;
    fake.requests.length = 0;
    fake.times.length = 0;
  });
  afterEach(() => history.drop());
  afterAll(() => fake.close());

  const run = (...args: string[]) => importFrom(fake.url, history.url, { args: [...RANGE, ...args] });
  /** The same import without faults. */
  const undisturbed = async () => {
    const other = await openHistory(kind);
    fake.fault = () => undefined;
    await importFrom(fake.url, other.url, { args: RANGE });
    const stored = await everythingStored(other.db);
    await other.drop();
    return stored;
  };
  /** Replaces the first answers to each request. */
  const atFirst = (times: number, fault: Fault) => {
    const seen = new Map<string, number>();
    fake.fault = (path) => {
      const count = (seen.get(path) ?? 0) + 1;
      seen.set(path, count);
      return count <= times ? fault : undefined;
    };
  };

  it('waits as long as Retry-After says', async () => {
    let limited: number | null = null;
    fake.fault = (path) => {
      if (limited !== null || !path.includes('/history')) return undefined;
      limited = fake.times.length;
      return { status: 429, headers: { 'retry-after': '1' } };
    };
    expect((await run()).ok).toBe(true);
    const [before = 0, after = 0] = fake.times.slice((limited ?? 0) - 1);
    expect(after - before).toBeGreaterThanOrEqual(990);
    expect(await everythingStored(history.db)).toEqual(await undisturbed());
  });

  it('waits when its rate limit is exhausted', async () => {
    fake.fault = (_, index) =>
      index === 0 ? { status: 200, headers: { ratelimit: '"anyone";r=0;t=1' }, body: '[]' } : undefined;
    await run();
    expect((fake.times[1] ?? 0) - (fake.times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('retries transient errors', async () => {
    atFirst(3, { status: 503 });
    expect((await run()).ok).toBe(true);
    expect(await everythingStored(history.db)).toEqual(await undisturbed());
  });

  it('skips a subject that keeps failing, imports the others, and catches up in a later run', async () => {
    const [failing] = RESERVES;
    fake.fault = (path) => (path.includes(failing) ? { status: 500 } : undefined);
    const { ok, lines } = await run();
    expect(ok).toBe(false);
    expect(lines.filter((line) => line.startsWith('not imported'))).toEqual([
      expect.stringMatching(
        new RegExp(`^not imported: /svc-market/.*${failing}.*status 500; given up after 6 attempts$`),
      ),
    ]);
    expect(fake.requests.filter((path) => path.includes(failing))).toHaveLength(6);
    const stored = await storedPoints(history.db, HOUR);
    expect([stored.reserves[0]?.length, stored.reserves[1]?.length, stored.vault.length]).toEqual([
      0, 48, 48,
    ]);
    fake.fault = () => undefined;
    expect((await run()).ok).toBe(true);
    expect(await everythingStored(history.db)).toEqual(await undisturbed());
  });

  it.each<readonly [string, string, RegExp]>([
    ['is not JSON', '[{"timestamp": 1', /not valid JSON/],
    ['is something else', '{"history": []}', /malformed response, nothing imported: response/],
    [
      'has one bad number in its midst',
      JSON.stringify(
        [1, 2, 3].map((hour) => ({
          ...vaultPoint({ label: Date.UTC(2026, 3, 10, hour), step: 3_600_000 }),
          ...(hour === 2 ? { tvl: '1e400' } : {}),
        })),
      ),
      /malformed response, nothing imported: 1\.tvl must be a decimal/,
    ],
    [
      'is not in order',
      JSON.stringify(
        [3, 2].map((hour) => vaultPoint({ label: Date.UTC(2026, 3, 10, hour), step: 3_600_000 })),
      ),
      /2026-04-10T02:00:00\.000Z is not in ascending order/,
    ],
    [
      'has a bucket that is none',
      JSON.stringify([vaultPoint({ label: Date.UTC(2026, 3, 10, 1) + 1, step: 3_600_000 })]),
      /is not the start of a bucket/,
    ],
  ])('imports nothing of an answer that %s, and requests it again in the next run', async (_, body, says) => {
    let asked = 0;
    fake.fault = (path) => {
      if (!path.includes(VAULT)) return undefined;
      asked += 1;
      return asked === 2 ? { status: 200, body } : undefined;
    };
    const { ok, lines } = await run();
    expect(ok).toBe(false);
    expect(lines.filter((line) => line.startsWith('not imported'))).toEqual([expect.stringMatching(says)]);
    const hours = await storedPoints(history.db, HOUR);
    expect([hours.vault.length, hours.reserves[0]?.length]).toEqual([0, 48]);
    expect((await storedPoints(history.db, DAY)).vault).toHaveLength(2);
    fake.fault = () => undefined;
    expect((await run()).ok).toBe(true);
    expect(await everythingStored(history.db)).toEqual(await undisturbed());
  });

  it('imports what it can when a list is unavailable', async () => {
    fake.fault = (path) => (path === '/kvaults/vaults' ? { status: 404 } : undefined);
    const { ok, lines } = await run();
    expect(ok).toBe(false);
    expect(lines).toContain('not imported: /kvaults/vaults: status 404');
    expect((await storedPoints(history.db, HOUR)).market).toHaveLength(48);
  });

  it('writes nothing when there is no history', async () => {
    const nothing = (path: string) =>
      path.includes('/reserves/') ? { reserve: '', market: '', history: [] } : [];
    const before = await everyPoint(history.db);
    fake.fault = (path) => {
      if (!path.includes('/metrics/history')) return undefined;
      const [, market = '', reserve = ''] = /svc-market\/(\w+)\/reserves\/(\w+)/.exec(path) ?? [];
      const body = nothing(path);
      return { status: 200, body: JSON.stringify(Array.isArray(body) ? body : { ...body, market, reserve }) };
    };
    expect((await run()).ok).toBe(true);
    expect(await everyPoint(history.db)).toEqual(before);
  });

  it('follows no redirect to another host, and neither sends nor prints credentials', async () => {
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.end('[]');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    fake.fault = () => ({ status: 302, headers: { location } });
    const withSecret = fake.url.replace('http://', 'http://user:s3cret@');
    const { ok, lines } = await importFrom(withSecret, history.url, { args: RANGE });
    expect(ok).toBe(false);
    expect(lines.join('\n')).toContain('redirected to another host');
    expect(lines.join('\n')).not.toMatch(/s3cret|user/);
    expect(seen).toEqual([]);
    other.closeAllConnections();
    other.close();
  });

  it('follows a redirect within the deployment', async () => {
    fake.fault = (path) =>
      path === '/kvaults/vaults'
        ? { status: 307, headers: { location: '/kvaults/vaults?again=1' } }
        : undefined;
    expect((await run('--only', 'vaults')).ok).toBe(true);
    expect((await storedPoints(history.db, HOUR)).vault).toHaveLength(48);
  });

  it('reports a refused connection by its code only', async () => {
    const closed = await startFakeDeployment();
    await closed.close();
    const { ok, lines } = await importFrom(closed.url, history.url, { args: RANGE });
    expect(ok).toBe(false);
    expect(lines).toContain(
      'not imported: /v2/svc-market: no answer (ECONNREFUSED); given up after 6 attempts',
    );
  });

  it('stops when aborted and resumes from there', async () => {
    const stop = new AbortController();
    fake.fault = (path) => {
      if (path.includes(VAULT)) stop.abort();
      return undefined;
    };
    const { ok, lines } = await importFrom(fake.url, history.url, { args: RANGE, signal: stop.signal });
    expect(ok).toBe(false);
    expect(lines.at(-1)).toBe('stopped early: run the command again to continue');
    expect((await importFrom(fake.url, history.url, { args: RANGE })).ok).toBe(true);
    expect(await everythingStored(history.db)).toEqual(await undisturbed());
  });
});
