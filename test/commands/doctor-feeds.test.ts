import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFeeds } from '../../src/cli/doctor/feeds.ts';
import { loadConfig } from '../../src/config/config.ts';
import { FeedChannel } from '../../src/feed/feed-channel.ts';
import { feedKeys } from '../../src/feed/feed-keys.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import { FEED_SECRET, sealOf } from '../support/feed/fed-chain.ts';

const RPC = {
  SOLANA_RPC_URLS: 'http://127.0.0.1:1',
  RPC_TIMEOUT_MS: '60000',
  STREAM_SECRET: FEED_SECRET,
};
const MEGABYTE = 1_000_000;

describe.skipIf(skipRedis)(`the doctor on shared Views${NO_REDIS}`, () => {
  let redis: TestRedis;
  let channel: FeedChannel;
  beforeAll(async () => {
    redis = await startTestRedis();
    const times = { leaseMs: 600_000, timeoutMs: 60_000 };
    const name = 'localnet 1.2.3 abc';
    channel = new FeedChannel({ url: redis.url, name, seal: sealOf(name), ...times, maxEntries: 8 });
  });
  afterAll(async () => {
    channel?.close();
    await redis?.kill();
  });
  const checked = (env: Readonly<Record<string, string>> = { REDIS_URL: redis.url }) =>
    checkFeeds(loadConfig({ ...RPC, ...env }));

  it('says that there are none', async () => {
    expect((await checked({}))[0]?.says).toContain('each gateway reads the chain for itself');
    expect((await checked({ REDIS_URL: redis.url, FEED: 'off' }))[0]?.says).toContain('not shared');
    expect((await checked())[0]?.says).toContain('No gateway shares Views yet');
  });

  it('names the reader, the age of its View and the size, and warns when nobody reads', async () => {
    const lease = await channel.acquire('host-a 17');
    const token = lease?.token ?? 0n;
    expect((await checked())[0]?.says).toContain('host-a 17 reads for localnet 1.2.3 abc: no View yet');
    const builtAtMs = Date.now() - 5_000;
    const progress = { slot: 10n, timestamp: 1n, highestSlot: 11n, builtAtMs };
    await channel.publishWhole({ token, sequence: 1 }, progress, Buffer.alloc(MEGABYTE));
    const [finding] = await checked();
    expect(finding).toMatchObject({ level: 'ok', subject: 'feed' });
    expect(finding?.figures?.entries).toBe(1);
    expect(finding?.figures?.bytes).toBeGreaterThan(MEGABYTE);
    expect(finding?.figures?.lagMs).toBeGreaterThanOrEqual(5_000);
    await channel.release(token);
    const [alone] = await checked();
    expect([alone?.level, alone?.says]).toEqual(['warning', expect.stringContaining('Nobody reads')]);
  });

  it('examines a feed of another format', async () => {
    const admin = new Redis(redis.url);
    await admin.hset(feedKeys('localnet 1.2.3 abc').head, 'progress', '{"slot":"1"}');
    admin.disconnect();
    expect((await checked())[0]?.level).toBe('warning');
  });

  it('reports a Redis that cannot be reached without its address', async () => {
    const [finding] = await checked({ REDIS_URL: 'redis://user:secret@127.0.0.1:1' });
    expect(finding?.level).toBe('fault');
    expect(finding?.says).not.toMatch(/secret|127/);
  });
});
