import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/telemetry/logger.ts';
import { NO_POSTGRES, skipPostgres } from '../support/databases/postgres-server.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import type { FaultGateway } from '../support/faults/fault-gateway.ts';
import { type FaultWorld, startFaultWorld } from '../support/faults/fault-world.ts';
import { suffer } from '../support/faults/run-fault.ts';

/** Enough for the traffic, but a few expensive queries exhaust it. */
const LIMIT = 5_000;
const EXPENSIVE = `{ vaults(first: 100) { nodes { allocations { reserve { vaults(first: 20) { nodes { name } } } } } } }`;
const MAX_QUERIES = 60;

/** Sends expensive queries as another client until one is rate-limited. */
async function spendAll({ origin }: FaultGateway): Promise<readonly string[]> {
  for (let i = 0; i < MAX_QUERIES; i += 1) {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.9' },
      body: JSON.stringify({ query: EXPENSIVE }),
    });
    const text = await response.text();
    if (response.status === 429 && text.includes('"RATE_LIMITED"')) return [];
    if (response.status !== 200) return [`a query of another client: ${response.status} ${text}`];
  }
  return ['no query was rate-limited'];
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
  ] as const)('%s: it limits locally, warns once, and shares limits again', async (name, begin, end) => {
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
        // On a busy machine the connection may have timed out before.
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
