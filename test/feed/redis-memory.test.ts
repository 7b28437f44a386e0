import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { FeedChannel } from '../../src/feed/feed-channel.ts';
import { feedKeys } from '../../src/feed/feed-keys.ts';
import { RedisWindow } from '../../src/limits/redis-window.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import { readProjectFile } from '../support/deployment/project-files.ts';
import { sealOf } from '../support/feed/fed-chain.ts';

const NAME = 'memory test';
/** As in production the lease expires before any counter; both outlive the test, however busy the machine is. */
const LEASE_MS = 600_000;
const WINDOW_SECONDS = 3_600;
const CLIENTS_AT_ONCE = 500;
const EVICTIONS = 5_000;
const PROGRESS = { slot: 1n, timestamp: 1n, highestSlot: 1n, builtAtMs: 0 };
const Compose = z.object({ services: z.object({ redis: z.object({ command: z.array(z.string()) }) }) });

/** Redis as compose.yaml configures it, with less memory. */
describe.skipIf(skipRedis)(`Redis full of the counters of many clients${NO_REDIS}`, () => {
  let redis: TestRedis;
  let admin: Redis;
  let channel: FeedChannel;
  let clients = 0;

  beforeAll(async () => {
    redis = await startTestRedis();
    admin = new Redis(redis.url);
    const { command } = Compose.parse(parse(readProjectFile('compose.yaml'), { merge: true })).services.redis;
    await admin.config('SET', 'maxmemory-policy', command[command.indexOf('--maxmemory-policy') + 1] ?? '');
    await admin.config('SET', 'maxmemory', '8mb');
    channel = new FeedChannel({
      url: redis.url,
      name: NAME,
      seal: sealOf(NAME),
      leaseMs: LEASE_MS,
      timeoutMs: 60_000,
      maxEntries: 4,
    });
  });
  afterAll(async () => {
    channel?.close();
    admin?.disconnect();
    await redis?.kill();
  });

  const info = async (name: string) =>
    Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(await admin.info())?.[1]);

  async function newClients(): Promise<void> {
    const window = new RedisWindow(admin, WINDOW_SECONDS);
    const ids = Array.from({ length: CLIENTS_AT_ONCE }, () => `client-${clients++}`);
    await Promise.all(ids.map((id) => window.spend({ id, limit: 100 }, 1)));
  }

  it('keeps the feed', async () => {
    const lease = await channel.acquire('test');
    const token = lease?.token ?? 0n;
    await channel.publishWhole({ token, sequence: 1 }, PROGRESS, randomBytes(200_000));
    while ((await info('used_memory')) < 7_000_000) {
      await newClients();
      expect(await channel.renew(token)).toBe(true);
    }
    const idleSeconds = async () => Number(await admin.object('IDLETIME', 'sluice:spent:client-0'));
    await expect.poll(idleSeconds, { timeout: 120_000 }).toBeGreaterThanOrEqual(2);
    for (let sequence = 2; (await info('evicted_keys')) < EVICTIONS; sequence++) {
      expect(await channel.publishChanges({ token, sequence }, PROGRESS, randomBytes(1_000))).toBe(
        'ACCEPTED',
      );
      expect(await channel.renew(token)).toBe(true);
      await newClients();
    }
    const { lease: leaseKey, head, views, snapshot } = feedKeys(NAME);
    expect(await admin.exists(leaseKey, head, views, snapshot)).toBe(4);
    expect((await channel.snapshotUnless(null))?.message.length).toBe(200_000);
  });
});
