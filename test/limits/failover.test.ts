import { type AddressInfo, connect, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { SharedWindow } from '../../src/limits/shared-window.ts';
import { fakeSentinel } from '../support/databases/fake-sentinel.ts';
import { NO_REDIS, skipRedis, startTestRedis } from '../support/databases/redis-server.ts';

const PATIENTLY = { timeout: 120_000, interval: 20 };

/** A way to Redis that can swallow its replies. */
async function startMutedWay(port: number) {
  let isMuted = false;
  const server = createServer((socket) => {
    const upstream = connect(port, '127.0.0.1');
    socket.pipe(upstream);
    upstream.on('data', (data) => isMuted || socket.write(data));
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    mute() {
      isMuted = true;
    },
    close: () => server.close(),
  };
}

describe.skipIf(skipRedis)(`a limit in a Redis that fails over${NO_REDIS}`, () => {
  it('counts once what the old master had counted without a reply', async () => {
    const redis = await startTestRedis();
    const way = await startMutedWay(redis.port);
    const sentinel = await fakeSentinel({ port: way.port, epoch: 1 });
    const admin = new Redis(redis.url);
    const window = new SharedWindow({
      url: `redis+sentinel://127.0.0.1:${sentinel.port}/sluice`,
      windowSeconds: 3_600,
      onLost: () => undefined,
      onRecovered: () => undefined,
    });
    onTestFinished(async () => {
      window.stop();
      admin.disconnect();
      sentinel.close();
      way.close();
      await redis.kill();
    });
    const payer = { id: 'ann', limit: 1_000 };
    const counted = async () =>
      (await admin.hvals(`sluice:spent:${payer.id}`)).reduce((sum, amount) => sum + Number(amount), 0);
    await until(() => window.isShared);
    way.mute();
    const deciding = window.spend(payer, 5);
    await vi.waitUntil(async () => (await counted()) === 5, PATIENTLY);
    sentinel.name({ port: redis.port, epoch: 2 });
    expect((await deciding).admitted).toBe(true);
    await until(() => window.isShared);
    expect((await window.spend(payer, 7)).remaining).toBe(1_000 - 5 - 7);
    await vi.waitUntil(async () => (await counted()) >= 5 + 7, PATIENTLY);
    expect(await counted()).toBe(5 + 7);
  });
});
