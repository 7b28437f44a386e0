import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import type { ChainRole } from '../../src/chain/view/view-feed.ts';
import { FeedChannel } from '../../src/feed/feed-channel.ts';
import { feedKeys } from '../../src/feed/feed-keys.ts';
import { FEED_TIMING } from '../../src/feed/feed-timing.ts';
import { SharedViews } from '../../src/feed/shared-views.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import { CountingObserver, sealOf, TestChain } from '../support/feed/fed-chain.ts';

const LONG_MS = 600_000;
const LEASE_MS = 1_500;
const NAME = 'takeover';

/** A chain whose endpoints take longer than a lease to confirm the progress of the last reader. */
class SlowChain extends TestChain {
  isJudging = false;
  override async believes(): Promise<boolean> {
    this.isJudging = true;
    await new Promise((resolve) => setTimeout(resolve, 2.5 * LEASE_MS));
    this.isJudging = false;
    return true;
  }
}

class RoleObserver extends CountingObserver {
  readonly roles: ChainRole[] = [];
  override roleChanged(role?: ChainRole): void {
    if (role !== undefined) this.roles.push(role);
  }
}

describe.skipIf(skipRedis)(`a gateway that takes over${NO_REDIS}`, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startTestRedis();
  });
  afterAll(() => redis?.kill());

  const channelTo = (leaseMs: number, name = NAME) =>
    new FeedChannel({
      url: redis.url,
      name,
      seal: sealOf(name),
      leaseMs,
      timeoutMs: LONG_MS,
      maxEntries: 4,
    });

  it('holds the lease while its endpoints are asked about the progress of the last reader', async () => {
    const last = channelTo(LONG_MS);
    const { token } = (await last.acquire('last')) ?? expect.fail('the lease is held');
    const progress = { slot: 5n, timestamp: 1n, highestSlot: 6n, builtAtMs: 1 };
    await last.publishWhole({ token, sequence: 1 }, progress, Buffer.from('unreadable'));
    await last.release(token);

    const [chain, observer] = [new SlowChain(), new RoleObserver()];
    const timing = { ...FEED_TIMING, leaseMs: LEASE_MS, graceMs: LONG_MS, silentMs: LONG_MS };
    const views = new SharedViews({
      chain,
      channel: channelTo(LEASE_MS),
      observer,
      seal: sealOf(NAME),
      holder: 'next',
      snapshotEvery: 100,
      refreshMs: LONG_MS,
      timing,
    });
    views.start();
    onTestFinished(async () => {
      await views.stop();
      last.close();
    });
    await until(() => chain.isJudging);
    while (chain.isJudging) {
      expect(await last.acquire('last')).toBeNull();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await new Promise((resolve) => setTimeout(resolve, LEASE_MS));
    expect(observer.roles).toEqual(['reader']);
    expect(await last.acquire('last')).toBeNull();
  });

  it('reads on when a failover of Redis has lost its lease, and another one has an earlier token', async () => {
    const name = 'failover';
    const keys = feedKeys(name);
    const admin = new Redis(redis.url);
    // The clock of the master that is lost later is an hour ahead.
    await admin.set(keys.token, String((Date.now() + 3_600_000) * 1_000));
    const observer = new RoleObserver();
    const views = new SharedViews({
      chain: new TestChain(),
      channel: channelTo(LONG_MS, name),
      observer,
      seal: sealOf(name),
      holder: 'ahead',
      snapshotEvery: 100,
      refreshMs: LONG_MS,
      timing: { ...FEED_TIMING, leaseMs: LONG_MS, graceMs: LONG_MS, silentMs: LONG_MS },
    });
    views.start();
    onTestFinished(async () => {
      await views.stop();
      admin.disconnect();
    });
    await until(() => observer.roles.length === 1);
    const lost = (await admin.get(keys.lease)) ?? '';
    const earlier = String(Date.now() * 1_000);
    await admin.multi().del(keys.token, keys.head).set(keys.lease, earlier).exec();
    await until(() => observer.roles.length === 3);
    expect(observer.roles).toEqual(['reader', 'follower', 'reader']);
    expect(BigInt((await admin.get(keys.lease)) ?? 0)).toBeGreaterThan(BigInt(lost));
  });
});
