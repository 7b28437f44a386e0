import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FeedChannel } from '../../src/feed/feed-channel.ts';
import { feedKeys } from '../../src/feed/feed-keys.ts';
import { Follower } from '../../src/feed/follower.ts';
import { KnownStates } from '../../src/feed/positions-state.ts';
import { Publisher } from '../../src/feed/publisher.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import { CountingObserver, sealOf, TestChain } from '../support/feed/fed-chain.ts';
import { BUILT_AT_MS, VAULTS, vaultIn } from '../support/feed/feed-views.ts';

const [A, B] = VAULTS;
const NEVER = new AbortController().signal;

describe.skipIf(skipRedis)(`a follower${NO_REDIS}`, () => {
  let redis: TestRedis;
  let admin: Redis;
  let names = 0;
  const opened: FeedChannel[] = [];

  beforeAll(async () => {
    redis = await startTestRedis();
    admin = new Redis(redis.url);
  });
  afterEach(() => {
    for (const channel of opened.splice(0)) channel.close();
  });
  afterAll(async () => {
    admin?.disconnect();
    await redis?.kill();
  });

  function feed() {
    names += 1;
    const name = `follower ${names}`;
    const keys = feedKeys(name);
    const seal = sealOf(name);
    const open = () => {
      const options = { url: redis.url, name, seal, leaseMs: 600_000, timeoutMs: 60_000, maxEntries: 5 };
      const channel = new FeedChannel(options);
      opened.push(channel);
      return channel;
    };
    return {
      keys,
      /** A process that holds the lease from now on, and publishes what the test puts into its catalogue. */
      async reader(chain = new TestChain(), highestSlot = 0n) {
        await admin.del(keys.lease);
        const channel = open();
        const observer = new CountingObserver();
        const lease = await channel.acquire('test');
        if (lease === null) throw new Error('the lease is held');
        const { token } = lease;
        const from = { slot: 0n, timestamp: 0n, highestSlot };
        const publisher = new Publisher({
          chain,
          channel,
          observer,
          seal,
          intervalMs: 2_000,
          token,
          from,
          snapshotEvery: 100,
          states: new KnownStates(),
        });
        const publish = async (slot: bigint) => {
          const view = chain.build(slot, `reader${token}`);
          const accepted = await publisher.publish(view);
          if (accepted) chain.views.publish(view);
          return accepted;
        };
        return { chain, observer, publisher, publish, token };
      },
      follower(now = () => BUILT_AT_MS + 1_000) {
        const chain = new TestChain();
        const observer = new CountingObserver();
        const channel = open();
        const follower = new Follower({
          chain,
          channel,
          observer,
          seal,
          states: new KnownStates(),
          askForPositions: () => undefined,
          now,
        });
        /** Reads what there is. */
        const follow = async () => {
          if (follower.position === null && !(await follower.takeSnapshot(NEVER))) return;
          const { position } = follower;
          if (position === null) return;
          for (const entry of await channel.entriesAfter(position, 1)) {
            await follower.apply(entry, NEVER);
            if (follower.position === null) return;
          }
        };
        return { chain, observer, follower, follow, ids: () => idsOf(chain) };
      },
    };
  }

  const idsOf = (chain: TestChain) => chain.views.newest?.moment.id;

  it('starts from the snapshot and then serves every View of the reader', async () => {
    const { reader, follower } = feed();
    const { chain, publish } = await reader();
    chain.catalogue.put(A, 1n, 10n);
    await publish(10n);
    const late = follower();
    await late.follow();
    expect(late.observer.snapshots).toBe(1);
    for (const [shares, slot] of [
      [2n, 11n],
      [3n, 12n],
    ] as const) {
      chain.catalogue.put(A, shares, slot);
      await publish(slot);
    }
    const served: unknown[] = [];
    late.chain.views.onView((view) => served.push([view.moment.id, vaultIn(view, A)]));
    await late.follow();
    const last = chain.views.current().moment.id;
    expect(served.map((each) => (each as unknown[])[1])).toEqual([
      [2n, 11n],
      [3n, 12n],
    ]);
    expect(late.ids()).toBe(last);
    expect(late.observer).toMatchObject({ snapshots: 1, refusals: [] });
  });

  it('takes the snapshot after a lost message, and does not go back to an older one', async () => {
    const { reader, follower, keys } = feed();
    const { chain, publisher, publish, token } = await reader();
    chain.catalogue.put(A, 1n, 10n);
    await publish(10n);
    const { follow, observer, chain: followed, ids } = follower();
    await follow();
    for (const slot of [11n, 12n, 13n]) {
      chain.catalogue.put(A, slot, slot);
      await publish(slot);
      if (slot === 11n) await follow();
    }
    await admin.xdel(keys.views, `${token}-3`);
    await follow();
    expect(observer.refusals).toEqual(['GAP']);
    const before = ids();
    // The snapshot is that of the first View.
    await follow();
    expect([ids(), observer.refusals]).toEqual([before, ['GAP', 'OLDER']]);
    expect(vaultIn(followed.views.current(), A)).toEqual([11n, 11n]);
    await publisher.writeSnapshot();
    await follow();
    expect(ids()).toBe(idsOf(chain));
    expect(vaultIn(followed.views.current(), A)).toEqual([13n, 13n]);
  });

  it.each(['truncated', 'of other bytes', 'of another format'])(
    'refuses a message that is %s',
    async (how) => {
      const { reader, follower, keys } = feed();
      const { chain, publisher, publish, token } = await reader();
      chain.catalogue.put(A, 1n, 10n);
      await publish(10n);
      const { follow, observer, ids } = follower();
      await follow();
      const before = ids();
      chain.catalogue.put(A, 2n, 11n);
      await publish(11n);
      const [[, fields] = ['', []]] = await admin.xrangeBuffer(keys.views, `${token}-2`, `${token}-2`);
      const message = fields[1] ?? Buffer.alloc(0);
      const wrong = {
        truncated: message.subarray(0, message.length - 1),
        'of other bytes': Buffer.concat([message.subarray(0, 40), Buffer.alloc(message.length - 40)]),
        'of another format': Buffer.from('SLV1'),
      }[how];
      await admin.del(keys.views);
      await admin.xadd(keys.views, `${token}-2`, 'changes', wrong ?? '');
      await follow();
      expect([ids(), observer.refusals]).toEqual([before, ['UNAUTHENTIC']]);
      await publisher.writeSnapshot();
      await follow();
      expect(ids()).toBe(idsOf(chain));
    },
  );

  it.each([
    ['under the next place', 1],
    ['under a much later place', 1_000],
  ])('refuses the message of an earlier View that is repeated %s', async (_, further) => {
    const { reader, follower, keys } = feed();
    const { chain, publisher, publish, token } = await reader();
    chain.catalogue.put(A, 1n, 10n);
    await publish(10n);
    const { follow, observer, chain: followed, ids } = follower();
    await follow();
    chain.catalogue.put(A, 2n, 11n);
    await publish(11n);
    const [[, fields] = ['', []]] = await admin.xrangeBuffer(keys.views, `${token}-2`, `${token}-2`);
    await follow();
    const before = ids();
    await admin.xadd(keys.views, `${token}-${2 + further}`, 'changes', fields[1] ?? '');
    await follow();
    expect([ids(), observer.refusals]).toEqual([before, [further === 1 ? 'UNAUTHENTIC' : 'GAP']]);
    // The reader finds the strange entry and publishes its next View whole.
    chain.catalogue.put(A, 3n, 12n);
    expect(await publish(12n)).toBe(true);
    expect(publisher.isLost).toBe(false);
    await follow();
    await follow();
    expect(ids()).toBe(idsOf(chain));
    expect(vaultIn(followed.views.current(), A)).toEqual([3n, 12n]);
  });

  it('refuses an earlier snapshot, also one of an earlier reader, and a snapshot without a valid tag', async () => {
    const { reader, follower, keys } = feed();
    const first = await reader();
    first.chain.catalogue.put(A, 1n, 10n);
    await first.publish(10n);
    const old = await admin.hgetallBuffer(keys.snapshot);
    const second = await reader();
    second.chain.catalogue.put(A, 2n, 12n);
    await second.publish(13n);
    const { follow, follower: own, observer, ids } = follower();
    await follow();
    const before = ids();
    const entry = `${second.token}-9`;
    for (const forged of [old, { entry, message: old.message ?? '' }, { entry: 'x', message: '' }]) {
      await admin.hset(keys.snapshot, forged);
      expect(await own.takeSnapshot(NEVER)).toBe(false);
    }
    expect([ids(), observer.refusals]).toEqual([before, ['OLDER', 'UNAUTHENTIC', 'UNAUTHENTIC']]);
  });

  it('refuses a genuine View whose slot the chain cannot have reached', async () => {
    const { reader, follower } = feed();
    const { chain, publish } = await reader();
    chain.catalogue.put(A, 1n, 10n);
    await publish(10n);
    const { chain: followed, follow, observer, ids } = follower();
    followed.limit = 1_000n;
    await follow();
    const before = ids();
    await publish(1_000_000_000_000n);
    await follow();
    await follow();
    expect([ids(), observer.refusals]).toEqual([before, ['IMPLAUSIBLE', 'OLDER']]);
  });

  it('refuses a genuine View without the vaults of the one before, as changes and whole', async () => {
    const { reader, follower } = feed();
    const { chain, publisher, publish } = await reader();
    for (const vault of VAULTS) chain.catalogue.put(vault, 1n, 10n);
    await publish(10n);
    const { chain: followed, follow, observer, ids } = follower();
    await follow();
    const before = ids();
    chain.catalogue.builder.retain('vault', new Set([A]));
    await publish(11n);
    await follow();
    await publisher.writeSnapshot();
    await follow();
    expect([ids(), observer.refusals]).toEqual([before, ['EMPTIED', 'EMPTIED']]);
    expect(followed.views.current().all('vault').size).toBe(VAULTS.length);
  });

  it.each([
    ['from the future', -60_000, 'IMPLAUSIBLE'],
    ['of yesterday', 86_400_000, 'STALE'],
  ] as const)('does not start from a genuine snapshot %s', async (_, ageMs, refusal) => {
    const { reader, follower } = feed();
    const { chain, publish } = await reader();
    chain.catalogue.put(A, 1n, 10n);
    await publish(10n);
    const { follow, observer, ids } = follower(() => BUILT_AT_MS + ageMs);
    await follow();
    expect([ids(), observer.refusals]).toEqual([undefined, [refusal]]);
  });

  it('does not drop Views that its own RPC has reached', async () => {
    const { reader, follower } = feed();
    const { chain, publish } = await reader();
    chain.catalogue.put(A, 1n, 10n);
    await publish(9_000n);
    const { chain: followed, follow, observer, ids } = follower();
    await follow();
    const before = ids();
    followed.reached = 9_010n;
    chain.views.discardAfter(20n);
    chain.timesDiscarded += 1;
    await publish(12n);
    await follow();
    await follow();
    expect([ids(), observer.refusals]).toEqual([before, ['IMPLAUSIBLE']]);
  });

  it('that is further behind than the stream is long takes the snapshot', async () => {
    const { reader, follower } = feed();
    const { chain, publisher, publish } = await reader();
    chain.catalogue.put(A, 1n, 10n);
    await publish(10n);
    const { follow, observer, ids } = follower();
    await follow();
    for (let slot = 11n; slot < 30n; slot += 1n) {
      chain.catalogue.put(A, slot, slot);
      await publish(slot);
    }
    await publisher.writeSnapshot();
    await follow();
    await follow();
    expect(ids()).toBe(idsOf(chain));
    expect(observer).toMatchObject({ snapshots: 2, refusals: ['GAP'] });
  });

  it('follows the next reader, and nothing that the deposed one sends', async () => {
    const { reader, follower } = feed();
    const first = await reader();
    first.chain.catalogue.put(A, 1n, 10n);
    await first.publish(10n);
    const { chain, follow, follower: own, observer, ids } = follower();
    await follow();
    expect(own.highestToken).toBe(first.token);
    const second = await reader(new TestChain(), 11n);
    first.chain.catalogue.put(A, 99n, 20n);
    expect(await first.publish(20n)).toBe(false);
    expect(first.observer.refusals).toEqual(['DEPOSED']);
    expect(first.publisher.isLost).toBe(true);
    await follow();
    second.chain.catalogue.put(A, 2n, 12n);
    second.chain.catalogue.put(B, 5n, 12n);
    await second.publish(13n);
    await follow();
    await follow();
    expect(ids()).toBe(idsOf(second.chain));
    expect(own.highestToken).toBe(second.token);
    expect([A, B].map((vault) => vaultIn(chain.views.current(), vault))).toEqual([
      [2n, 12n],
      [5n, 12n],
    ]);
    expect(observer.refusals).toEqual([]);
  });

  it('does not follow a reader that is behind what it served', async () => {
    const { reader, follower } = feed();
    const { chain, follow, follower: own, observer, ids } = follower();
    chain.catalogue.put(A, 7n, 30n);
    const view = chain.build(30n, 'alone');
    chain.views.publish(view);
    own.servedOwn(31n, null);
    const behind = await reader();
    behind.chain.catalogue.put(A, 6n, 20n);
    await behind.publish(20n);
    await follow();
    // Its slot is later and its accounts may not be.
    await behind.publish(31n);
    await behind.publisher.writeSnapshot();
    await follow();
    expect([ids(), observer.refusals]).toEqual(['alone-1', ['OLDER', 'OLDER']]);
    behind.chain.catalogue.put(A, 8n, 32n);
    await behind.publish(32n);
    await behind.publisher.writeSnapshot();
    await follow();
    expect(ids()).toBe(idsOf(behind.chain));
    expect(vaultIn(chain.views.current(), A)).toEqual([8n, 32n]);
  });

  it('drops Views that its reader has left behind', async () => {
    const { reader, follower } = feed();
    const { chain, publish } = await reader();
    chain.catalogue.put(A, 1n, 10n);
    await publish(10n);
    const { chain: followed, follow, ids } = follower();
    await follow();
    await publish(9_000n);
    await follow();
    const lie = ids() ?? '';
    chain.views.discardAfter(20n);
    chain.timesDiscarded += 1;
    await publish(12n);
    await follow();
    await follow();
    expect(ids()).toBe(idsOf(chain));
    expect(followed.views.find(lie)).toBeUndefined();
    expect(followed.views.current().moment.slot).toBe(12n);
    await publish(13n);
    await follow();
    expect(ids()).toBe(idsOf(chain));
  });
});
