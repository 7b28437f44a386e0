import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { POSITION_KINDS, type PositionAccount } from '../../src/chain/positions/position-kinds.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import { changeTo, closing, contentsOf, positionOf, seeded } from '../support/feed/feed-positions.ts';
import { PositionsFeed, type TestFollower, type TestReader } from '../support/feed/positions-feed.ts';

const PATIENTLY = { timeout: 120_000, interval: 20 };
const many = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    positionOf(POSITION_KINDS[n % POSITION_KINDS.length] ?? 'obligation', n, BigInt(n), 5n),
  );

describe.skipIf(skipRedis)(`positions in a feed${NO_REDIS}`, () => {
  let redis: TestRedis;
  let feed: PositionsFeed;
  let names = 0;

  beforeAll(async () => {
    redis = await startTestRedis();
  });
  beforeEach(() => {
    names += 1;
    feed = new PositionsFeed(redis.url, `positions ${names}`);
  });
  afterEach(() => feed.stop());
  afterAll(() => redis?.kill());

  /** Publishes Views until the follower has positions in the newest one. */
  async function untilFollowed(reader: TestReader, follower: TestFollower): Promise<void> {
    await expect
      .poll(async () => {
        await reader.publish();
        await follower.follow();
        const isNewest = follower.chain.views.newest?.moment.id === reader.chain.views.newest?.moment.id;
        return isNewest && follower.positions !== null;
      }, PATIENTLY)
      .toBe(true);
    expectSame(reader, follower);
  }

  function expectSame(reader: TestReader, follower: TestFollower): void {
    const [newest, followed] = [reader.chain.views.newest, follower.chain.views.newest];
    expect(followed?.moment.id).toBe(newest?.moment.id);
    expect(contentsOf(followed?.positions)).toEqual(contentsOf(newest?.positions));
    expect(followed?.positions?.slot).toBe(newest?.positions?.slot);
  }

  it('reach a follower that starts late, in Views that have none until they are loaded', async () => {
    const reader = await feed.reader(many(60));
    await reader.publish();
    const follower = feed.follower();
    await follower.follow();
    expect(follower.chain.views.newest?.moment.id).toBe(reader.chain.views.newest?.moment.id);
    expect(follower.positions).toBeNull();
    await untilFollowed(reader, follower);
    expect(follower.observer).toMatchObject({ refusals: [], failures: [] });
  });

  it('equal those of the reader in every View, whatever changes', async () => {
    const reader = await feed.reader(many(60));
    const follower = feed.follower();
    await untilFollowed(reader, follower);
    const random = seeded(7);
    for (let view = 0; view < 60; view += 1) {
      for (let changes = random(12); changes > 0; changes -= 1) {
        const kind = POSITION_KINDS[random(POSITION_KINDS.length)] ?? 'obligation';
        const next = positionOf(kind, random(40), BigInt(random(1_000)), reader.slot);
        reader.chain.positions.apply(random(4) === 0 ? closing(next, reader.slot) : changeTo(next));
      }
      await reader.publish();
      await follower.follow();
      expectSame(reader, follower);
    }
    expect(follower.asked.length).toBeLessThan(3);
    expect(follower.observer.refusals).toEqual([]);
  });

  it('stay in earlier Views as they were', async () => {
    const reader = await feed.reader(many(20));
    const follower = feed.follower();
    await untilFollowed(reader, follower);
    const earlier = follower.positions;
    const before = contentsOf(earlier);
    reader.chain.positions.apply(changeTo(positionOf('obligation', 0, 999n, reader.slot)));
    reader.chain.positions.apply(closing(positionOf('tokenAccount', 5, 0n, 0n), reader.slot));
    await reader.publish();
    await follower.follow();
    expectSame(reader, follower);
    expect(contentsOf(follower.positions)).not.toEqual(before);
    expect(contentsOf(earlier)).toEqual(before);
  });

  it('of a second follower come from the snapshot that the first one asked for', async () => {
    const reader = await feed.reader(many(60));
    await untilFollowed(reader, feed.follower());
    const entry = await feed.admin.hget(feed.keys.positions, 'entry');
    for (let n = 0; n < 20; n += 1) {
      reader.chain.positions.apply(changeTo(positionOf('obligation', n, 77n, reader.slot)));
      await reader.publish();
    }
    const second = feed.follower();
    await second.follow();
    await untilFollowed(reader, second);
    expect(second.asked).toEqual([]);
    expect(await feed.admin.hget(feed.keys.positions, 'entry')).toBe(entry);
  });

  it('are continued by a follower that missed Views, from the entries in the stream', async () => {
    const reader = await feed.reader(many(60));
    const follower = feed.follower();
    await untilFollowed(reader, follower);
    const { asked } = follower;
    asked.length = 0;
    for (let n = 0; n < 3; n += 1) {
      reader.chain.positions.apply(changeTo(positionOf('farmUser', n, 5n, reader.slot)));
      await reader.publish();
    }
    await reader.publisher.writeSnapshot();
    follower.follower.servedOwn(0n, follower.follower.position);
    expect(await follower.follower.takeSnapshot(new AbortController().signal)).toBe(true);
    expectSame(reader, follower);
    expect(follower.positions).not.toBeNull();
    expect(asked).toEqual([]);
  });

  it('are loaded again after a gap in the stream', async () => {
    const reader = await feed.reader(many(60));
    const follower = feed.follower();
    await untilFollowed(reader, follower);
    for (let n = 0; n < 4; n += 1) {
      reader.chain.positions.apply(changeTo(positionOf('farmUser', n, 6n, reader.slot)));
      await reader.publish();
    }
    const [, [second = ''] = []] = await feed.admin.xrange(
      feed.keys.views,
      `(${follower.follower.position?.token}-${follower.follower.position?.sequence}`,
      '+',
    );
    await feed.admin.xdel(feed.keys.views, second);
    await follower.follow();
    await reader.publisher.writeSnapshot();
    await follower.follow();
    expect(follower.chain.views.newest?.moment.id).toBe(reader.chain.views.newest?.moment.id);
    expect(follower.positions).toBeNull();
    await untilFollowed(reader, follower);
    expect(follower.observer.refusals).toContain('GAP');
  });

  it('are gone while the reader has none, and loaded again after it has', async () => {
    const reader = await feed.reader(many(60));
    const follower = feed.follower();
    await untilFollowed(reader, follower);
    reader.chain.positions.lose();
    await reader.publish();
    await follower.follow();
    expect(follower.positions).toBeNull();
    await reader.chain.positions.load(reader.slot, many(50));
    await untilFollowed(reader, follower);
    expect(follower.positions?.count('obligation')).toBe(9);
  });

  it('are continued after a change of reader that has the same ones', async () => {
    const first = await feed.reader(many(60));
    const [next, follower] = [feed.follower(), feed.follower()];
    await untilFollowed(first, next);
    await untilFollowed(first, follower);
    await next.follow();
    follower.asked.length = 0;
    const second = await feed.reader([], next);
    second.chain.positions.apply(changeTo(positionOf('obligation', 3, 123n, second.slot)));
    await second.publish();
    await follower.follow();
    await follower.follow();
    expect(follower.positions).not.toBeNull();
    expectSame(second, follower);
    expect(follower.asked).toEqual([]);
  });

  it('are loaded again after a change of reader that has read its own', async () => {
    const first = await feed.reader(many(60));
    const follower = feed.follower();
    await untilFollowed(first, follower);
    const second = await feed.reader(many(55));
    for (let i = 0; i < 10; i += 1) await second.publish();
    await second.publisher.writeSnapshot();
    await untilFollowed(second, follower);
  });

  it.each([
    ['an entry loses its changes', (bytes: Buffer) => bytes.subarray(0, 0), []],
    ['an entry has the changes of another', (_: Buffer, other: Buffer) => other, ['UNAUTHENTIC']],
    ['changes are cut', (bytes: Buffer) => bytes.subarray(0, 50), ['UNAUTHENTIC']],
  ])('are given up and loaded again when %s', async (_, forge, refusals) => {
    const reader = await feed.reader(many(60));
    const follower = feed.follower();
    await untilFollowed(reader, follower);
    for (let n = 0; n < 2; n += 1) {
      reader.chain.positions.apply(changeTo(positionOf('obligation', n * 6, 55n, reader.slot)));
      await reader.publish();
    }
    const { views } = feed.keys;
    const { token, sequence } = follower.follower.position ?? expect.fail('nothing followed');
    const [[first, fields] = ['', []], [, others] = ['', []]] = await feed.admin.xrangeBuffer(
      views,
      `(${token}-${sequence}`,
      '+',
    );
    const empty = Buffer.alloc(0);
    const [message = empty, mine = empty, other = empty] = [fields[1], fields[3], others[3]];
    await feed.admin.del(views);
    await feed.admin.xadd(views, first, 'changes', message, 'positions', forge(mine, other));
    await follower.follow();
    expect(follower.positions).toBeNull();
    // Loading begins in the background, and may find the same.
    expect([...new Set(follower.observer.refusals)]).toEqual(refusals);
    for (let i = 0; i < 2; i += 1) await reader.publish();
    await follower.follow();
    await untilFollowed(reader, follower);
  });

  it.each([
    ['a part is missing', (keys: { positions: string }) => feed.admin.hdel(keys.positions, '0')],
    [
      'a part differs',
      (keys: { positions: string }) => feed.admin.hset(keys.positions, '0', 'x'.repeat(500)),
    ],
    [
      'the manifest differs',
      (keys: { positions: string }) => feed.admin.hset(keys.positions, 'manifest', 'x'),
    ],
    [
      'it is of another View',
      (keys: { positions: string }) => feed.admin.hset(keys.positions, 'entry', '1-1'),
    ],
    [
      'it is of another type',
      async (keys: { positions: string }) => {
        await feed.admin.del(keys.positions);
        await feed.admin.sadd(keys.positions, 'x');
      },
    ],
  ])('are loaded from a snapshot that is written again when %s', async (_, spoil) => {
    const reader = await feed.reader(many(60));
    await untilFollowed(reader, feed.follower());
    await spoil(feed.keys);
    const late = feed.follower();
    await late.follow();
    await untilFollowed(reader, late);
  });

  it('are refused when most of them are gone', async () => {
    const reader = await feed.reader(many(2_500));
    const follower = feed.follower();
    await untilFollowed(reader, follower);
    await reader.chain.positions.load(reader.slot, many(100));
    await expect
      .poll(async () => {
        await reader.publish();
        await follower.follow();
        return follower.observer.refusals.includes('EMPTIED');
      }, PATIENTLY)
      .toBe(true);
    expect(follower.positions).toBeNull();
    expect(follower.chain.views.newest?.moment.id).toBe(reader.chain.views.newest?.moment.id);
  });

  it('are of no slot that the chain has not reached', async () => {
    const reader = await feed.reader(many(20));
    const follower = feed.follower();
    await untilFollowed(reader, follower);
    const ahead: PositionAccount = positionOf('obligation', 0, 9n, reader.slot + 1_000_000n);
    reader.chain.positions.apply(changeTo(ahead));
    await reader.publish();
    await follower.follow();
    expect(follower.positions).toBeNull();
    expect(follower.observer.refusals).toEqual(['IMPLAUSIBLE']);
  });
});
