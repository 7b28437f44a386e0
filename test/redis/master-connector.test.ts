import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { createRedis } from '../../src/redis/create-redis.ts';
import { fakeSentinel } from '../support/databases/fake-sentinel.ts';
import { startTestSentinel, type TestSentinel } from '../support/databases/redis-sentinel.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';

const OPTIONS = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => 50,
} as const;

describe.skipIf(skipRedis)(`a client of a Redis with sentinels${NO_REDIS}`, () => {
  let sentinel: TestSentinel;
  const clients: Redis[] = [];

  beforeAll(async () => {
    sentinel = await startTestSentinel({ password: 'of-redis', sentinelPassword: 'of-sentinel' });
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.disconnect();
  });
  afterAll(() => sentinel?.stop());

  function client(url = sentinel.url) {
    const made = createRedis(url, OPTIONS);
    const failures: string[] = [];
    made.on('error', (failure: Error) => failures.push(failure.message));
    clients.push(made);
    return { made, failures };
  }
  const portOf = (redis: Redis) => (redis.stream.writable ? redis.stream.remotePort : undefined);

  it('writes to the master, and to the next one after an orderly failover', async () => {
    const { made } = client();
    const first = await sentinel.master();
    await until(() => made.status === 'ready');
    expect(portOf(made)).toBe(first.port);
    await made.set('before', 'a');
    await sentinel.failover();
    const next = await sentinel.master();
    expect(next).not.toBe(first);
    await until(() => made.status === 'ready' && portOf(made) === next.port);
    await made.set('after', 'b');
    expect(await next.commands.get('after')).toBe('b');
  });

  describe('when sentinels name different masters', () => {
    /** Two that take themselves for the master, and three sentinels that know one, as before a failover. */
    async function divided() {
      const [old, next] = [await startTestRedis(), await startTestRedis()];
      const fakes = await Promise.all([1, 2, 3].map(() => fakeSentinel({ port: old.port, epoch: 1 })));
      onTestFinished(async () => {
        for (const fake of fakes) fake.close();
        await Promise.all([old.kill(), next.kill()]);
      });
      const hosts = fakes.map(({ port }) => `127.0.0.1:${port}`).join(',');
      /** Lets some of the sentinels name a master. */
      const name = ({ port }: TestRedis, epoch: number, count: number) => {
        for (const fake of fakes.slice(0, count)) fake.name({ port, epoch });
      };
      return { old, next, name, url: `redis+sentinel://${hosts}/sluice` };
    }

    it('connects to the newest, of which one may not know yet', async () => {
      const { next, name, url } = await divided();
      name(next, 2, 2);
      const { made } = client(url);
      await until(() => made.status === 'ready');
      expect(portOf(made)).toBe(next.port);
    });

    it('leaves a master that still answers', async () => {
      const { old, next, name, url } = await divided();
      const { made } = client(url);
      await until(() => made.status === 'ready');
      expect(portOf(made)).toBe(old.port);
      name(next, 2, 2);
      await until(() => made.status === 'ready' && portOf(made) === next.port);
    });

    it('stays when they name an earlier one', async () => {
      const { old, next, name, url } = await divided();
      name(next, 2, 3);
      const { made } = client(url);
      await until(() => made.status === 'ready');
      let closed = 0;
      made.on('close', () => {
        closed += 1;
      });
      name(old, 1, 3);
      // Longer than the time between two questions.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect([closed, portOf(made)]).toEqual([0, next.port]);
    });
  });

  it('connects through the sentinels that remain, and again when all of them were gone', async () => {
    const [a, b, c] = sentinel.sentinels;
    await a?.kill();
    await b?.kill();
    const { made } = client();
    await until(() => made.status === 'ready');
    await c?.kill();
    const { made: late, failures } = client();
    await until(() => failures.length > 1);
    expect(failures.join()).not.toMatch(/of-redis|of-sentinel/);
    await Promise.all(sentinel.sentinels.map((each) => each.start()));
    await until(() => late.status === 'ready');
  });

  it('does not connect with a wrong name or password', async () => {
    const named = client(sentinel.url.replace('/sluice', '/another'));
    await until(() => named.failures.length > 0);
    expect(named.failures[0]).toBe('no Sentinel knows a master named another');
    const refused = client(sentinel.url.replace('=of-sentinel', '=wrong'));
    await until(() => refused.failures.length > 0);
    expect(refused.failures.join()).not.toContain('wrong');
    expect(refused.made.status).not.toBe('ready');
  });
});
