import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { FeedChannel, type Progress } from '../../src/feed/feed-channel.ts';
import { feedKeys } from '../../src/feed/feed-keys.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import { sealOf } from '../support/feed/fed-chain.ts';

const PATIENTLY = { timeout: 120_000, interval: 20 };
const progressAt = (slot: bigint): Progress => ({
  slot,
  timestamp: 1n,
  highestSlot: slot + 1n,
  builtAtMs: 1_700_000_000_123,
});
const message = (text: string) => Buffer.from(text);

describe.skipIf(skipRedis)(`a feed in Redis${NO_REDIS}`, () => {
  let redis: TestRedis;
  let admin: Redis;
  let names = 0;
  const opened: FeedChannel[] = [];

  beforeAll(async () => {
    redis = await startTestRedis();
    admin = new Redis(redis.url);
    admin.on('error', () => undefined);
  });
  afterEach(() => {
    for (const channel of opened.splice(0)) channel.close();
  });
  afterAll(async () => {
    admin?.disconnect();
    await redis?.kill();
  });

  /** Channels of several processes. A lease that is not to expire outlasts any test. */
  function channels(count: number, leaseMs = 600_000) {
    names += 1;
    const name = `test ${names}`;
    const seal = sealOf(name);
    const options = { url: redis.url, name, seal, leaseMs, timeoutMs: 60_000, maxEntries: 4 };
    const made = Array.from({ length: count }, () => new FeedChannel(options));
    opened.push(...made);
    return { made, keys: feedKeys(name) };
  }

  async function leased(channel: FeedChannel) {
    const lease = await channel.acquire('test');
    if (lease === null) throw new Error('somebody else holds the lease');
    return lease;
  }

  it('is leased to one process at a time', async () => {
    const { made } = channels(5);
    const leases = await Promise.all(made.map((channel) => channel.acquire('test')));
    expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
    const holder = leases.findIndex((lease) => lease !== null);
    const { token } = leases[holder] ?? { token: 0n };
    expect(await made[holder]?.renew(token)).toBe(true);
    expect(await made[(holder + 1) % 5]?.renew(token + 1n)).toBe(false);
  });

  it('passes on to another process when the lease expires or is released, with a higher token', async () => {
    const { made: [a, b] = [] } = channels(2, 50);
    if (a === undefined || b === undefined) throw new Error('no channels');
    const first = await leased(a);
    let second = await b.acquire('b');
    while (second === null) second = await b.acquire('b');
    expect(second.token).toBeGreaterThan(first.token);
    await b.release(second.token);
    expect((await leased(a)).token).toBeGreaterThan(second.token);
  });

  it('has a higher token even after Redis has lost its data', async () => {
    const { made: [a] = [], keys } = channels(1);
    if (a === undefined) throw new Error('no channel');
    const first = await leased(a);
    await admin.del(...Object.values(keys));
    expect((await leased(a)).token).toBeGreaterThan(first.token);
  });

  it('has a higher token than any that the process has seen, also by a clock that is behind', async () => {
    const { made: [a, b] = [] } = channels(2);
    if (a === undefined || b === undefined) throw new Error('no channels');
    const first = await leased(a);
    // The last master gave it, by a clock an hour ahead, and took it with it.
    const lost = first.token + 3_600_000_000n;
    expect(await b.acquire('b', first.token)).toBeNull();
    const next = await b.acquire('b', lost);
    expect(next?.token).toBeGreaterThan(lost);
    expect(await a.renew(first.token)).toBe(false);
    expect(await a.acquire('a', lost)).toBeNull();
    await b.release(next?.token ?? 0n);
    expect((await leased(a)).token).toBeGreaterThan(next?.token ?? 0n);
  });

  it('ignores a token of the day after tomorrow that the process has seen', async () => {
    const { made: [a, b] = [] } = channels(2);
    if (a === undefined || b === undefined) throw new Error('no channels');
    const { token } = await leased(a);
    const absurd = token + 2n * 86_400_000_000n;
    expect(await b.acquire('b', absurd)).toBeNull();
    await a.release(token);
    expect((await b.acquire('b', absurd))?.token).toBeLessThan(absurd);
  });

  it('refuses everything that a deposed reader sends', async () => {
    const { made: [old, next] = [], keys } = channels(2);
    if (old === undefined || next === undefined) throw new Error('no channels');
    const { token } = await leased(old);
    expect(await old.publishWhole({ token, sequence: 1 }, progressAt(10n), message('old 1'))).toBe(true);
    await admin.del(keys.lease);
    const lease = await leased(next);
    expect(lease.progress).toEqual(progressAt(10n));
    // Before and after the first View of the new reader.
    for (const _ of ['before', 'after']) {
      expect(await old.publishChanges({ token, sequence: 2 }, progressAt(99n), message('old 2'))).toBe(
        'DEPOSED',
      );
      expect(await old.publishWhole({ token, sequence: 2 }, progressAt(99n), message('old 2'))).toBe(false);
      expect(await old.replaceSnapshot({ token, sequence: 2 }, message('old 2'))).toBe(false);
      expect(await old.renew(token)).toBe(false);
      await old.release(token);
      const position = { token: lease.token, sequence: 1 };
      await next.publishWhole(position, progressAt(11n), message('new 1'));
    }
    expect(await next.renew(lease.token)).toBe(true);
    expect((await next.snapshotUnless(null))?.message.toString()).toBe('new 1');
    await next.release(lease.token);
    expect((await leased(old)).progress).toEqual(progressAt(11n));
  });

  it('refuses changes of another View than the newest', async () => {
    const { made: [a] = [] } = channels(1);
    if (a === undefined) throw new Error('no channel');
    const { token } = await leased(a);
    const send = (sequence: number) =>
      a.publishChanges({ token, sequence }, progressAt(10n), message(`${sequence}`));
    expect(await send(1)).toBe('LOST');
    await a.publishWhole({ token, sequence: 1 }, progressAt(10n), message('1'));
    expect(await send(3)).toBe('LOST');
    expect(await send(2)).toBe('ACCEPTED');
    await expect(send(2)).resolves.toBe('ALTERED');
  });

  it('gives followers the entries in order, bounded, and a snapshot beyond that', async () => {
    const { made: [reader, follower] = [], keys } = channels(2);
    if (reader === undefined || follower === undefined) throw new Error('no channels');
    const { token } = await leased(reader);
    await reader.publishWhole({ token, sequence: 1 }, progressAt(1n), message('1'));
    const send = (sequence: number) =>
      reader.publishChanges({ token, sequence }, progressAt(BigInt(sequence)), message(`${sequence}`));
    const waiting = follower.entriesAfter({ token, sequence: 1 }, 600_000);
    await send(2);
    const [first] = await waiting;
    expect([first?.position, first?.message?.toString()]).toEqual([{ token, sequence: 2 }, '2']);
    for (let sequence = 3; sequence <= 9; sequence += 1) await send(sequence);
    expect(await admin.xlen(keys.views)).toBe(4);
    const entries = await follower.entriesAfter({ token, sequence: 2 }, 1);
    expect(entries.map(({ position }) => position.sequence)).toEqual([6, 7, 8, 9]);
    expect(await follower.entriesAfter({ token, sequence: 9 }, 1)).toEqual([]);
    expect(await reader.replaceSnapshot({ token, sequence: 9 }, message('whole 9'))).toBe(true);
    const entry = `${token}-9`;
    expect(await follower.snapshotUnless(null)).toEqual({ entry, message: message('whole 9') });
    expect(await follower.snapshotUnless(entry)).toBeNull();
    const [whole] = await follower.entriesAfter({ token: 1n, sequence: 1 }, 1);
    expect(whole?.position.sequence).toBe(6);
  });

  it('brings questions to the reader', async () => {
    const { made: [reader, follower] = [] } = channels(2);
    if (reader === undefined || follower === undefined) throw new Error('no channels');
    await follower.ask({ slot: 5n, snapshot: false });
    await follower.ask({ slot: 6n, snapshot: true });
    const { last, asks } = await reader.asksAfter('0-0', 1);
    expect(asks).toEqual([
      { slot: 5n, snapshot: false },
      { slot: 6n, snapshot: true },
    ]);
    expect((await reader.asksAfter(last, 1)).asks).toEqual([]);
  });

  it('ignores progress and questions that no gateway with the secret wrote', async () => {
    const { made: [a, b] = [], keys } = channels(2);
    if (a === undefined || b === undefined) throw new Error('no channels');
    const { token } = await leased(a);
    await a.publishWhole({ token, sequence: 1 }, progressAt(10n), message('1'));
    const forged = (await admin.hget(keys.head, 'progress'))?.replace('10', '1000000000000') ?? '';
    expect(forged).toContain('1000000000000');
    for (const progress of [forged, 'no JSON', '{}']) {
      await admin.hset(keys.head, 'progress', progress);
      await admin.del(keys.lease);
      expect((await leased(b)).progress).toBeNull();
    }
    await admin.xadd(keys.asks, '*', 'slot', '7', 'snapshot', '1');
    await admin.xadd(keys.asks, '*', 'slot', 'x', 'snapshot', '1', 'tag', 'y');
    await b.ask({ slot: 8n, snapshot: false });
    expect((await a.asksAfter('0-0', 1)).asks).toEqual([{ slot: 8n, snapshot: false }]);
    // An entry from the future would refuse all later ones.
    await admin.xadd(keys.asks, '18446744073709551615-1', 'slot', '7');
    expect((await a.asksAfter('0-0', 1)).asks).toEqual([]);
    await b.ask({ slot: 9n, snapshot: false });
    expect((await a.asksAfter('0-0', 1)).asks).toEqual([{ slot: 9n, snapshot: false }]);
  });

  it.each(['9000000000000000000', 'no number'])(
    'is leased with a token of the clock after somebody wrote %s',
    async (token) => {
      const { made: [a] = [], keys } = channels(1);
      if (a === undefined) throw new Error('no channel');
      await admin.set(keys.token, token);
      expect((await leased(a)).token).toBeLessThan(BigInt(Date.now()) * 1_000n + 3_600_000_000n);
    },
  );

  it.each(['lease', 'token', 'head', 'views', 'snapshot', 'asks'] as const)(
    'works after somebody replaced the key of the %s by one of another type',
    async (name) => {
      const { made: [a] = [], keys } = channels(1);
      if (a === undefined) throw new Error('no channel');
      const spoil = () => admin.multi().del(keys[name]).rpush(keys[name], 'x').exec();
      await spoil();
      const { token } = await leased(a);
      await spoil();
      if (name === 'lease') expect(await a.renew(token)).toBe(false);
      else expect(await a.renew(token)).toBe(true);
      await admin.set(keys.lease, String(token));
      const at = (sequence: number) => ({ token, sequence });
      expect(await a.publishWhole(at(1), progressAt(10n), message('1'))).toBe(true);
      if (name !== 'lease') await spoil();
      // Published in part, or not after the View before: the publisher sends the whole View then.
      const published = await a.publishChanges(at(2), progressAt(11n), message('2'));
      expect(published).toBe(name === 'views' ? 'LOST' : name === 'head' ? 'ALTERED' : 'ACCEPTED');
      expect(await a.publishWhole(at(3), progressAt(12n), message('3'))).toBe(true);
      if (name !== 'lease') await spoil();
      expect(await a.replaceSnapshot(at(3), message('whole 3'))).toBe(true);
      expect(await a.entriesAfter(at(1), 1)).toHaveLength(name === 'views' ? 0 : 1);
      await a.ask({ slot: 5n, snapshot: false });
      if (name !== 'lease') await spoil();
      expect((await a.asksAfter('0-0', 1)).asks).toHaveLength(name === 'asks' ? 0 : 1);
      await a.ask({ slot: 6n, snapshot: false });
      expect((await a.asksAfter('0-0', 1)).asks.at(-1)).toEqual({ slot: 6n, snapshot: false });
    },
  );

  it('fails while Redis is gone and works when it is back', async () => {
    const { made: [a] = [] } = channels(1);
    if (a === undefined) throw new Error('no channel');
    await leased(a);
    await redis.kill();
    await expect(
      vi.waitUntil(async () => (await a.acquire('test')) === undefined, PATIENTLY),
    ).rejects.toThrow();
    await redis.start();
    await vi.waitUntil(async () => (await a.acquire('test').catch(() => null)) !== null, PATIENTLY);
  });
});
