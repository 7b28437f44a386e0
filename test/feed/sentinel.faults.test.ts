import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { SharedWindow } from '../../src/limits/shared-window.ts';
import { startTestSentinel, type TestNode, type TestSentinel } from '../support/databases/redis-sentinel.ts';
import { NO_REDIS, skipRedis } from '../support/databases/redis-server.ts';
import { type FedGateway, FeedWorld } from '../support/feed/feed-world.ts';

const ASK = '{ vaults(first: 2) { nodes { address name } } }';
const PASSWORD = 'of-redis';
const ADVANCE_MS = 100;
const ASK_MS = 50;
const LEASE_MS = 5_000;
const PATIENTLY = { timeout: 240_000, interval: 50 };

/** Faults of the master, each of which ends with another one. */
const FAILOVERS: readonly (readonly [
  string,
  (sentinel: TestSentinel, master: TestNode) => Promise<void>,
  (master: TestNode) => Promise<void>,
])[] = [
  ['an orderly failover', (sentinel) => sentinel.failover(), async () => {}],
  [
    'kill -9 of the master',
    async (sentinel, master) => {
      await master.kill();
      await sentinel.replaced(master);
    },
    (master) => master.start(),
  ],
  [
    'a master that hangs, and later takes itself for the master',
    async (sentinel, master) => {
      master.pause();
      await sentinel.replaced(master);
    },
    async (master) => master.resume(),
  ],
  [
    'kill -9 of a master whose last writes no replica has',
    async (sentinel, master) => {
      const replicas = sentinel.redis.filter((each) => each !== master);
      for (const { commands } of replicas) {
        await commands.config('SET', 'masterauth', 'wrong');
        await commands.call('CLIENT', 'KILL', 'TYPE', 'master');
      }
      const lost = await master.commands.incr('lost');
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      await master.kill();
      await sentinel.replaced(master);
      for (const { commands } of replicas) await commands.config('SET', 'masterauth', PASSWORD);
      const next = await sentinel.master();
      expect(Number(await next.commands.get('lost'))).toBe(lost - 1);
    },
    (master) => master.start(),
  ],
];

describe.skipIf(skipRedis)(`a failover of Redis${NO_REDIS}`, () => {
  let sentinel: TestSentinel;
  beforeAll(async () => {
    sentinel = await startTestSentinel({ password: PASSWORD });
  });
  afterAll(() => sentinel?.stop());

  describe('while gateways share Views', () => {
    let world: FeedWorld;
    let gateways: readonly FedGateway[];

    beforeAll(async () => {
      // On a busy machine gateways would lose leases that a failover has not taken.
      world = await FeedWorld.start({ leaseMs: LEASE_MS });
      const env = { REDIS_URL: sentinel.url, RATE_LIMIT: '1000000' };
      gateways = [await world.add('a', env), await world.add('b', env), await world.add('c', env)];
    });
    afterAll(() => world?.stop());

    /** Asks all gateways again and again, while the chain advances. */
    function traffic() {
      const problems: string[] = [];
      let answers = 0;
      let isStopped = false;
      const advancing = setInterval(() => world.localChain.advance(1), ADVANCE_MS);
      const asking = gateways.map(async ({ name, query }) => {
        while (!isStopped) {
          const { errors } = await query(ASK);
          answers += 1;
          if (errors.length > 0) problems.push(`${name}: ${JSON.stringify(errors)}`);
          await new Promise((resolve) => setTimeout(resolve, ASK_MS));
        }
      });
      return async () => {
        isStopped = true;
        clearInterval(advancing);
        await Promise.all(asking);
        expect(answers).toBeGreaterThan(gateways.length);
        return problems;
      };
    }

    it.each(FAILOVERS)(
      '%s: all requests are answered, no View goes back, one gateway reads',
      async (_, fail, heal) => {
        await sentinel.settled();
        await world.agree();
        const master = await sentinel.master();
        const stop = traffic();
        try {
          await fail(sentinel, master);
          const next = await sentinel.master();
          expect(next).not.toBe(master);
          const leases = () => next.commands.keys('sluice:feed:*:lease').catch(() => []);
          await vi.waitUntil(async () => (await leases()).length === 1, PATIENTLY);
          await world.agree();
          await heal(master);
          await sentinel.settled();
          await world.agree();
        } finally {
          expect(await stop()).toEqual([]);
        }
        expect(world.witness.problems).toEqual([]);
        await until(() => gateways.filter(({ role }) => role === 'reader').length === 1);
        await until(() => gateways.every(({ role }) => role !== 'standalone'));
      },
    );
  });

  describe('while gateways count what callers spend', () => {
    it.each(FAILOVERS)(
      '%s: all requests are decided, and none is counted twice',
      async (name, fail, heal) => {
        await sentinel.settled();
        const payer = { id: `during ${name}`, limit: 1_000_000 };
        const windows = [0, 1].map(
          () =>
            new SharedWindow({
              url: sentinel.url,
              windowSeconds: 3_600,
              onLost: () => undefined,
              onRecovered: () => undefined,
            }),
        );
        await until(() => windows.every(({ isShared }) => isShared));
        let [decided, isStopped] = [0, false];
        const spending = windows.map(async (window) => {
          while (!isStopped) {
            // Several at once, so that some are under way when the connection breaks.
            const decisions = await Promise.all([1, 1, 1, 1].map((cost) => window.spend(payer, cost)));
            for (const { admitted } of decisions) expect(admitted).toBe(true);
            decided += decisions.length;
            await new Promise((resolve) => setTimeout(resolve, 2));
          }
        });
        const master = await sentinel.master();
        await fail(sentinel, master);
        const next = await sentinel.master();
        const counted = async () => {
          const amounts = await next.commands.hvals(`sluice:spent:${payer.id}`).catch(() => []);
          return amounts.reduce((sum, amount) => sum + Number(amount), 0);
        };
        await until(() => windows.every(({ isShared }) => isShared));
        const before = await counted();
        await vi.waitUntil(async () => (await counted()) > before, PATIENTLY);
        isStopped = true;
        await Promise.all(spending);
        const total = await counted();
        expect(total).toBeGreaterThan(0);
        expect(total).toBeLessThanOrEqual(decided);
        for (const window of windows) window.stop();
        await heal(master);
      },
    );
  });
});
