import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/telemetry/logger.ts';
import { NO_POSTGRES, skipPostgres } from '../support/databases/postgres-server.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import type { FaultGateway } from '../support/faults/fault-gateway.ts';
import { type FaultWorld, startFaultWorld } from '../support/faults/fault-world.ts';
import { suffer } from '../support/faults/run-fault.ts';

/** A busy machine takes longer. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

/** Enough for the traffic, and little enough to be spent by a few dear questions. */
const LIMIT = 5_000;
const DEAR = `{ vaults(first: 100) { nodes { allocations { reserve { vaults(first: 20) { nodes { name } } } } } } }`;
const MOST = 60;

/** Asks dear questions as another client until that is refused. */
async function spendAll({ origin }: FaultGateway): Promise<readonly string[]> {
  for (let i = 0; i < MOST; i += 1) {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.9' },
      body: JSON.stringify({ query: DEAR }),
    });
    const text = await response.text();
    if (response.status === 429 && text.includes('"RATE_LIMITED"')) return [];
    if (response.status !== 200) return [`a question of another client: ${response.status} ${text}`];
  }
  return ['nobody limits'];
}

const isShared = async ({ origin }: FaultGateway) =>
  /^sluice_limits_shared 1$/m.test(await (await fetch(`${origin}/metrics`)).text());

describe.skipIf(skipPostgres || skipRedis)(`a gateway that loses Redis${NO_POSTGRES}${NO_REDIS}`, () => {
  let world: FaultWorld;
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startTestRedis();
    world = await startFaultWorld();
  });
  afterAll(async () => {
    await redis?.kill();
    await world?.stop();
  });

  it.each([
    ['Redis gone', () => redis.kill(), () => redis.start()],
    ['Redis hangs', () => redis.pause(), () => redis.resume()],
  ] as const)('%s: it limits by itself, warns once, and shares again', async (name, begin, end) => {
    let log = '';
    const logger = createLogger('info', {
      write(line) {
        log += line;
      },
    });
    const said = (text: string) => log.split(text).length - 1;
    let isGone = false;
    let saidBefore = 0;
    const outcome = await suffer(world, {
      name,
      gateway: {
        env: { REDIS_URL: redis.url, RATE_LIMIT: String(LIMIT), TRUSTED_PROXIES: '127.0.0.0/8' },
        logger,
      },
      async begin() {
        // A machine that is too busy to answer in time may have lost it before.
        saidBefore = said('Redis is unreachable');
        isGone = true;
        await begin();
      },
      async end() {
        if (isGone) await end();
        isGone = false;
      },
      async during(gateway) {
        return [
          ...(await spendAll(gateway)),
          ...((await isShared(gateway)) ? ['limits are said to be shared'] : []),
          ...(said('Redis is unreachable') === saidBefore + 1
            ? []
            : [`it warned ${said('Redis is unreachable')} times`]),
        ];
      },
      after: (gateway) =>
        vi.waitUntil(() => isShared(gateway), { timeout: 120_000, interval: 50 }).then(() => {}),
    });
    expect(outcome.problems).toEqual([]);
    expect(log).not.toContain(redis.url);
  });
});
