import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import { programArgs } from '../support/processes/program-args.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATIENTLY = { timeout: 120_000, interval: 100 };
/** Sets the clock of a process an hour ahead. */
const AHEAD = `data:text/javascript,${encodeURIComponent(
  'const now = Date.now; Date.now = () => now() + 3600000;',
)}`;

interface Gateway {
  readonly url: string;
  readonly log: () => string;
  stop(): void;
}

async function startGateway(env: Readonly<Record<string, string>>, ...node: string[]): Promise<Gateway> {
  const { PATH = '', HOME = '' } = process.env;
  const child: ChildProcess = spawn(process.execPath, [...node, ...programArgs('main')], {
    cwd: ROOT,
    env: { PATH, HOME, PORT: '0', RECORDER: 'none', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  const exited = once(child, 'exit');
  let url: string | undefined;
  while (url === undefined) {
    if (child.exitCode !== null) throw new Error('The gateway exited');
    if (child.stdout !== null) await Promise.race([once(child.stdout, 'data'), exited]);
    url = /Sluice on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1];
  }
  const ready = url;
  await vi.waitUntil(async () => (await status(ready, '/ready')) === 200, {
    timeout: 120_000,
    interval: 100,
  });
  return { url, log: () => output, stop: () => child.kill('SIGKILL') };
}

async function status(url: string, path: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(`${url}${path}`, init);
  await response.text();
  return response.status;
}

/** A client, as reported by the trusted proxy in front of both gateways. */
const from = (client: string) => ({ headers: { 'x-forwarded-for': client } });
const PATH = '/kvaults/vaults';

describe.skipIf(skipRedis)(`two gateways with one Redis${NO_REDIS}`, () => {
  let redis: TestRedis;
  let gateways: readonly Gateway[] = [];

  beforeAll(async () => {
    redis = await startTestRedis();
    const env = {
      LOCALNET: 'on',
      REDIS_URL: redis.url,
      FEED: 'off',
      RATE_LIMIT: '40',
      TRUSTED_PROXIES: '127.0.0.0/8',
    };
    gateways = await Promise.all([startGateway(env), startGateway(env, '--import', AHEAD)]);
    await vi.waitUntil(async () => (await shared()).every((each) => each === 1), PATIENTLY);
  });

  afterAll(async () => {
    for (const gateway of gateways) gateway.stop();
    await redis?.kill();
  });

  const shared = async () =>
    Promise.all(
      gateways.map(async ({ url }) => {
        const metrics = await (await fetch(`${url}/metrics`)).text();
        return Number(/^sluice_limits_shared (\d)$/m.exec(metrics)?.[1]);
      }),
    );
  const urlOf = (i: number) => gateways[i % gateways.length]?.url ?? '';
  const askMany = (count: number, client: string) =>
    Promise.all(Array.from({ length: count }, (_, i) => status(urlOf(i), PATH, from(client))));

  it('share one limit even when their clocks differ by an hour', async () => {
    const statuses = await askMany(100, '198.51.100.1');
    expect(statuses.filter((each) => each === 200)).toHaveLength(40);
    expect(statuses.filter((each) => each === 429)).toHaveLength(60);
    const answers = await Promise.all(
      gateways.map(({ url }) => fetch(`${url}${PATH}`, from('198.51.100.1'))),
    );
    for (const { headers } of answers) {
      expect(headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d\d$/);
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(61);
    }
    expect(await status(urlOf(0), PATH, from('198.51.100.2'))).toBe(200);
  });

  it('limit separately while Redis is unreachable, with one warning, and share again when it recovers', async () => {
    const counts = (text: string) => gateways.map(({ log }) => log().split(text).length - 1);
    // On a busy machine Redis may already have timed out before.
    const before = { away: counts('Redis is unreachable'), back: counts('Redis is reachable again') };
    await redis.kill();
    const away = before.away.map((count) => count + 1);
    await vi.waitUntil(
      () => counts('Redis is unreachable').every((count, i) => count === away[i]),
      PATIENTLY,
    );
    const alone = await askMany(160, '198.51.100.3');
    // Forty on each gateway: limits still apply, and no request fails.
    expect(alone.filter((each) => each === 200)).toHaveLength(80);
    expect(alone.filter((each) => each === 429)).toHaveLength(80);
    expect(counts('Redis is unreachable')).toEqual(away);
    await redis.start();
    await vi.waitUntil(
      () => counts('Redis is reachable again').every((count, i) => count > (before.back[i] ?? 0)),
      PATIENTLY,
    );
    await vi.waitUntil(async () => (await shared()).every((each) => each === 1), PATIENTLY);
    const together = await askMany(100, '198.51.100.4');
    expect(together.filter((each) => each === 200)).toHaveLength(40);
    expect(gateways.map(({ log }) => log()).join('')).not.toContain(redis.url);
  });
});

describe('a gateway without any settings', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway({});
  });

  afterAll(() => gateway?.stop());

  it('admits 600 plain requests and ten of the nested queries of the README in a minute', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const query = /```graphql\n(query Wallet[\s\S]*?)```/.exec(readme)?.[1];
    const { wallet } = (await (await fetch(`${gateway.url}/localnet.json`)).json()) as { wallet: string };
    const nested = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const response = await fetch(`${gateway.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query, variables: { wallet } }),
        });
        const { errors = [] } = (await response.json()) as { errors?: unknown[] };
        return [response.status, errors.length];
      }),
    );
    expect(nested).toEqual(Array(10).fill([200, 0]));
    const plain: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      plain.push(...(await Promise.all(Array.from({ length: 50 }, () => status(gateway.url, PATH)))));
    }
    expect(plain).toEqual(Array(600).fill(200));
  });
});
