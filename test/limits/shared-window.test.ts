import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { SharedWindow } from '../../src/limits/shared-window.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';

const PATIENTLY = { timeout: 120_000, interval: 50 };
const PREFIX = 'sluice:spent:';

describe.skipIf(skipRedis)(`limits that gateways share${NO_REDIS}`, () => {
  let redis: TestRedis;
  let admin: Redis;
  const opened: SharedWindow[] = [];
  let names = 0;

  beforeAll(async () => {
    redis = await startTestRedis();
    admin = new Redis(redis.url);
    admin.on('error', () => undefined);
  });

  afterEach(() => {
    for (const window of opened.splice(0)) window.stop();
  });

  afterAll(async () => {
    admin?.disconnect();
    await redis?.kill();
  });

  const payer = (limit = 10) => {
    names += 1;
    return { id: `client ${names}`, limit };
  };

  async function open(windowSeconds?: number) {
    const events: string[] = [];
    const window = new SharedWindow({
      url: redis.url,
      onLost: () => events.push('lost'),
      onRecovered: () => events.push('found'),
      ...(windowSeconds === undefined ? {} : { windowSeconds }),
    });
    opened.push(window);
    await until(() => window.isShared);
    return { window, events };
  }

  it('are one limit', async () => {
    const [{ window: a }, { window: b }] = [await open(), await open()];
    const ann = payer();
    const asked = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? a : b).spend(ann, 1));
    const decisions = await Promise.all(asked);
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(10);
    expect(await a.spend(ann, 1)).toMatchObject({ admitted: false, remaining: 0 });
    expect(await b.spend(payer(), 10)).toMatchObject({ admitted: true, remaining: 0 });
  });

  it('advance by the clock of Redis alone', async () => {
    const { window } = await open(2);
    const ann = payer();
    expect(await window.spend(ann, 10)).toMatchObject({ admitted: true, retryAfter: 0 });
    const refused = await window.spend(ann, 4);
    expect(refused).toMatchObject({ admitted: false, remaining: 0 });
    expect([1, 2, 3]).toContain(refused.retryAfter);
    const [spentIn = ''] = await admin.hkeys(`${PREFIX}${ann.id}`);
    await vi.waitUntil(async () => (await window.spend(ann, 10)).admitted, PATIENTLY);
    const fields = await admin.hkeys(`${PREFIX}${ann.id}`);
    // The first second has expired, and nothing was admitted before that.
    expect(fields).toHaveLength(1);
    expect(Number(fields[0])).toBeGreaterThanOrEqual(Number(spentIn) + 3);
  });

  it('drop seconds in the future left by a clock that was set back', async () => {
    const { window } = await open();
    const ann = payer();
    await admin.hset(`${PREFIX}${ann.id}`, String(Math.floor(Date.now() / 1000) + 3_600), '10');
    expect(await window.spend(ann, 10)).toMatchObject({ admitted: true, remaining: 0 });
  });

  it('expire in Redis', async () => {
    const { window } = await open();
    const ann = payer();
    await window.spend(ann, 1);
    const left = await admin.ttl(`${PREFIX}${ann.id}`);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(62);
  });

  it('fall back to each gateway while Redis is unreachable, and are shared again on recovery', async () => {
    const [one, other] = [await open(), await open()];
    const ann = payer();
    for (let i = 0; i < 6; i += 1) expect((await one.window.spend(ann, 1)).admitted).toBe(true);
    await redis.kill();
    await until(() => one.events.length > 0 && other.events.length > 0);
    const alone = [];
    for (let i = 0; i < 6; i += 1) alone.push((await one.window.spend(ann, 1)).admitted);
    // Six of the ten are already spent.
    expect(alone).toEqual([true, true, true, true, false, false]);
    expect((await other.window.spend(ann, 10)).admitted).toBe(true);
    expect(one.events).toEqual(['lost']);
    await redis.start();
    await until(() => one.window.isShared && other.window.isShared);
    expect(one.events).toEqual(['lost', 'found']);
    const bob = payer();
    expect(await one.window.spend(bob, 10)).toMatchObject({ admitted: true });
    expect(await other.window.spend(bob, 1)).toMatchObject({ admitted: false });
  });

  it('do not make requests wait for a hanging Redis', async () => {
    const { window, events } = await open();
    const ann = payer();
    await admin.call('CLIENT', 'PAUSE', '1500', 'ALL');
    expect(await window.spend(ann, 10)).toMatchObject({ admitted: true, remaining: 0 });
    expect(events).toEqual(['lost']);
    // The next request skips Redis.
    expect(window.spend(ann, 1)).toMatchObject({ admitted: false });
    // Recovery is detected without traffic.
    await vi.waitUntil(() => window.isShared, PATIENTLY);
    expect(events).toEqual(['lost', 'found']);
  });
});
