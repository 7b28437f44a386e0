import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestSentinel, type TestSentinel } from '../support/databases/redis-sentinel.ts';
import { NO_REDIS, skipRedis } from '../support/databases/redis-server.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';

const PATIENTLY = { timeout: 120_000, interval: 100 };
const hasOpenSsl = spawnSync('openssl', ['version']).status === 0;
const NO_OPENSSL = hasOpenSsl ? '' : ' (skipped: openssl is not installed)';
if (!hasOpenSsl && process.env.CI === 'true')
  throw new Error('openssl is not installed. CI must test with it.');

describe.skipIf(skipRedis || !hasOpenSsl)(
  `a gateway with a Redis and sentinels that speak TLS${NO_REDIS}${NO_OPENSSL}`,
  () => {
    let sentinel: TestSentinel;
    let gateway: GatewayProcess;
    let url: string;

    beforeAll(async () => {
      const passwords = { password: 'secret-1', sentinelPassword: 'secret-2' };
      sentinel = await startTestSentinel({ ...passwords, isEncrypted: true });
      gateway = new GatewayProcess({
        LOCALNET: 'on',
        FEED: 'off',
        REDIS_URL: sentinel.url,
        NODE_EXTRA_CA_CERTS: sentinel.certificate,
      });
      url = await gateway.url();
    });
    afterAll(async () => {
      gateway?.kill('SIGKILL');
      await sentinel?.stop();
    });

    const isShared = async () =>
      (await (await fetch(`${url}/metrics`)).text()).includes('\nsluice_limits_shared 1\n');

    it('counts in the master, and in the next one, and prints no secret', async () => {
      await vi.waitUntil(isShared, PATIENTLY);
      const ask = async () => {
        expect((await fetch(`${url}/kvaults/vaults`)).status).toBe(200);
        const { commands } = await sentinel.master();
        return (await commands.keys('sluice:spent:*')).length;
      };
      await vi.waitUntil(async () => (await ask()) === 1, PATIENTLY);
      const master = await sentinel.master();
      await master.kill();
      await sentinel.replaced(master);
      const next = await sentinel.master();
      await next.commands.flushall();
      await vi.waitUntil(async () => (await ask()) === 1, PATIENTLY);
      const printed = `${gateway.stdout}${gateway.stderr}`;
      expect(printed).toContain('Redis is unreachable');
      expect(printed).not.toMatch(/secret-|ioredis|Unhandled/);
    });
  },
);
