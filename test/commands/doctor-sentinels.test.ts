import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { checkSentinels } from '../../src/cli/doctor/sentinels.ts';
import { checkRedis } from '../../src/cli/doctor/stores.ts';
import { startTestSentinel, type TestSentinel } from '../support/databases/redis-sentinel.ts';
import { NO_REDIS, skipRedis } from '../support/databases/redis-server.ts';

const TIMEOUT_MS = 60_000;
const PATIENTLY = { timeout: 120_000, interval: 100 };

describe.skipIf(skipRedis)(`the doctor on a Redis with sentinels${NO_REDIS}`, () => {
  let sentinel: TestSentinel;
  beforeAll(async () => {
    sentinel = await startTestSentinel({
      minReplicas: 1,
      password: 'secret-1',
      sentinelPassword: 'secret-2',
    });
  });
  afterAll(() => sentinel?.stop());

  const examined = (url = sentinel.url) => checkSentinels(url, TIMEOUT_MS);
  const of = (findings: readonly Finding[], check: string) => findings.find((each) => each.check === check);
  /** Until a finding is as wanted. */
  const waited = (check: string, level: string, says: string) =>
    vi.waitUntil(async () => {
      const found = of(await examined(), check);
      return found?.level === level && found.says.includes(says);
    }, PATIENTLY);

  it('names the master, and finds nothing wrong', async () => {
    const { port } = await sentinel.master();
    const findings = await examined();
    expect(findings.map(({ level, says }) => [level, says])).toEqual([
      [
        'ok',
        `3 of 3 sentinels in REDIS_URL answer: the master is 127.0.0.1:${port}, with 2 replicas that could replace it.`,
      ],
      ['ok', '3 sentinels watch the master; 2 of them suffice to find it down.'],
      ['ok', 'A master that does not answer is replaced after 2000 ms (down-after-milliseconds).'],
      ['ok', 'A master without replicas refuses writes (min-replicas-to-write).'],
    ]);
    expect(await checkRedis(sentinel.url, TIMEOUT_MS)).toMatchObject({ level: 'ok' });
    expect(await examined('redis://127.0.0.1:1')).toEqual([]);
  });

  it('warns of settings under which a failover loses or takes more than it must', async () => {
    const master = await sentinel.master();
    await master.commands.config('SET', 'min-replicas-to-write', '0');
    const replacedAfter = async (ms: string) => {
      for (const { commands } of sentinel.sentinels)
        await commands.call('SENTINEL', 'SET', 'sluice', 'down-after-milliseconds', ms);
    };
    await replacedAfter('30000');
    const findings = await examined();
    await replacedAfter('2000');
    expect(of(findings, 'min-replicas')).toMatchObject({ level: 'warning' });
    expect(of(findings, 'min-replicas')?.says).toContain('min-replicas-to-write is 0');
    expect(of(findings, 'duration')).toMatchObject({ level: 'warning', figures: { downAfterMs: 30_000 } });
  });

  it('warns when replicas, sentinels or the quorum are missing', async () => {
    const master = await sentinel.master();
    const replicas = sentinel.redis.filter((each) => each !== master);
    await Promise.all(replicas.map((each) => each.kill()));
    await waited('failover', 'warning', 'No replica could replace the master');
    await sentinel.sentinels[2]?.kill();
    await waited('sentinels', 'warning', '2 of 3 sentinels in REDIS_URL answer');
    await sentinel.sentinels[1]?.kill();
    await waited('failover', 'warning', 'could not replace the master: 1 usable Sentinels');
  });

  it('reports sentinels that refuse, do not know the name, or are gone, without a secret', async () => {
    const refused = await examined(sentinel.url.replace('secret-2', 'secret-3'));
    const unknown = await examined(sentinel.url.replace('/sluice', '/another'));
    await sentinel.sentinels[0]?.kill();
    const gone = await examined();
    expect(
      [refused, unknown, gone].map((findings) => findings.map(({ level, says }) => [level, says])),
    ).toEqual([
      [['fault', 'No sentinel helps: it refuses the user or password. Check REDIS_URL.']],
      [['fault', 'No sentinel helps: none knows a master of that name. Check REDIS_URL.']],
      [['fault', 'No sentinel helps: it cannot be reached (ECONNREFUSED). Check REDIS_URL.']],
    ]);
    expect((await checkRedis(sentinel.url, TIMEOUT_MS)).says).not.toContain('secret');
  });
});
