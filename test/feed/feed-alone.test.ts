import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { FeedChannel, type FeedChannelOptions } from '../../src/feed/feed-channel.ts';
import { FEED_TIMING, type FeedTiming } from '../../src/feed/feed-timing.ts';
import { KnownStates } from '../../src/feed/positions-state.ts';
import { Publisher } from '../../src/feed/publisher.ts';
import { SharedViews } from '../../src/feed/shared-views.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import { CountingObserver, sealOf, TestChain } from '../support/feed/fed-chain.ts';
import { VAULTS } from '../support/feed/feed-views.ts';

const LONG_MS = 600_000;
const [A] = VAULTS;

/** A Redis whose commands neither succeed nor fail. */
class HungChannel extends FeedChannel {
  override acquire(): Promise<never> {
    return new Promise(() => undefined);
  }
}

class CountingChain extends TestChain {
  reading = 0;
  override startReading(): void {
    this.reading += 1;
  }
}

class QuietObserver extends CountingObserver {
  override failed(): void {}
}

describe.skipIf(skipRedis)(`a follower${NO_REDIS}`, () => {
  let redis: TestRedis;
  let stop = async (): Promise<void> => undefined;

  beforeAll(async () => {
    redis = await startTestRedis();
  });
  afterEach(() => stop());
  afterAll(() => redis?.kill());

  function channelOptions(name: string): FeedChannelOptions {
    const times = { leaseMs: LONG_MS, timeoutMs: LONG_MS };
    return { url: redis.url, name, seal: sealOf(name), ...times, maxEntries: 4 };
  }

  function started(channel: FeedChannel, name: string, timing: Partial<FeedTiming>) {
    const chain = new CountingChain();
    const views = new SharedViews({
      chain,
      channel,
      observer: new QuietObserver(),
      seal: sealOf(name),
      holder: 'test',
      snapshotEvery: 100,
      refreshMs: 0,
      timing: { ...FEED_TIMING, graceMs: LONG_MS, silentMs: LONG_MS, ...timing },
    });
    views.start();
    stop = () => views.stop();
    return { chain, views };
  }

  it('reads for itself after the grace period, even while a command to Redis still waits', async () => {
    const channel = new HungChannel(channelOptions('hung'));
    const { chain, views } = started(channel, 'hung', { graceMs: 100 });
    await until(() => views.role === 'standalone');
    expect(chain.reading).toBe(1);
  });

  it('reads for itself when the holder of the lease publishes nothing more', async () => {
    const channel = new FeedChannel(channelOptions('silent'));
    const lease = await channel.acquire('a reader that hangs');
    const chain = new TestChain();
    const publisher = new Publisher({
      chain,
      channel,
      observer: new CountingObserver(),
      seal: sealOf('silent'),
      intervalMs: 0,
      token: lease?.token ?? 0n,
      from: { slot: 0n, timestamp: 0n, highestSlot: 0n },
      snapshotEvery: 100,
      states: new KnownStates(),
    });
    chain.catalogue.put(A, 1n, 10n);
    const { moment } = chain.build(10n);
    const view = chain.catalogue.builder.view({ ...moment, builtAtMs: Date.now() });
    expect(await publisher.publish(view)).toBe(true);
    const follower = started(new FeedChannel(channelOptions('silent')), 'silent', { silentMs: 100 });
    await until(() => follower.views.role === 'standalone');
    expect(follower.chain.views.newest?.moment.id).toBe(view.moment.id);
    expect(follower.chain.reading).toBe(1);
    channel.close();
  });
});
