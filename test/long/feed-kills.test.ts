import { type LocalnetRpc, startRpcServer } from '@sluice/localnet/rpc/server';
import { Random } from '@sluice/localnet/world/prng';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import { AnswerBook } from '../support/feed/answer-book.ts';
import { FEED_SECRET } from '../support/feed/fed-chain.ts';
import { StampedChain } from '../support/feed/stamped-chain.ts';
import { Tally, WalkingClient } from '../support/feed/walking-client.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';
import { RoundRobin } from '../support/processes/load-balancer.ts';

const SLOT_MS = 400;
const GATEWAYS = 3;
const CLIENTS = 3;
const KILLS = 20;
const SEED = process.env.KILL_SEED ?? String(Date.now() % 1_000_000);
const PATIENTLY = { timeout: 240_000, interval: 100 };

interface Readiness {
  readonly view: string;
  readonly slot: string;
  readonly role: string;
}

interface Gateway {
  readonly name: string;
  readonly process: GatewayProcess;
  readonly url: string;
}

/** Kills and suspends readers under load. KILL_SEED repeats the requests of a run. */
describe.skipIf(skipRedis)(`gateways whose reader is killed again and again, seed ${SEED}${NO_REDIS}`, () => {
  let redis: TestRedis;
  let localChain: StampedChain;
  let rpc: LocalnetRpc;
  let balancer: RoundRobin;
  let gateways: Gateway[] = [];
  let book: AnswerBook;
  let ticking: NodeJS.Timeout;
  let load: Promise<unknown> = Promise.resolve();
  let clients: readonly WalkingClient[] = [];
  const tally = new Tally();

  beforeAll(async () => {
    redis = await startTestRedis();
    localChain = new StampedChain();
    book = new AnswerBook(localChain);
    rpc = await startRpcServer(localChain);
    ticking = setInterval(() => localChain.advance(), SLOT_MS);
    balancer = await RoundRobin.start();
    gateways = await Promise.all(Array.from({ length: GATEWAYS }, (_, i) => start(`gateway-${i + 1}`)));
    clients = Array.from({ length: CLIENTS }, (_, i) => {
      const random = new Random(SEED, i);
      return new WalkingClient({ url: balancer.url, localChain, book, tally, random });
    });
    load = Promise.all(clients.map((client) => client.run()));
  });
  afterAll(async () => {
    for (const client of clients) client.stop();
    for (const gateway of gateways) gateway.process.kill('SIGKILL');
    clearInterval(ticking);
    balancer?.close();
    await load;
    await rpc?.close();
    await redis?.kill();
  });

  async function start(name: string, env: Readonly<Record<string, string>> = {}): Promise<Gateway> {
    const process = new GatewayProcess({
      REDIS_URL: redis.url,
      STREAM_SECRET: FEED_SECRET,
      SOLANA_RPC_URLS: rpc.url,
      SOLANA_CLUSTER: 'localnet',
      PUBLIC_URL: 'https://sluice.test',
      VIEW_REFRESH_MS: '500',
      VAULT_REFRESH_MS: '100',
      VIEWS_KEPT: '32',
      DRIFT_INTERVAL_MS: '0',
      PROGRAMS_INTERVAL_MS: '0',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    });
    const url = await process.ready();
    if (env.FEED === undefined) balancer.put(name, url);
    return { name, process, url };
  }

  async function readiness({ url }: Gateway): Promise<Readiness | null> {
    try {
      const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) });
      return ((await response.json()) as { chain: Readiness | null }).chain;
    } catch {
      return null;
    }
  }

  /** Waits until all serve Views of one reader among them, newer than now. Returns the reader. */
  async function agree(some: readonly Gateway[]): Promise<Gateway> {
    const { slot } = localChain;
    return await vi.waitUntil(async () => {
      const reports = await Promise.all(some.map(readiness));
      const origins = new Set(reports.map((each) => each?.view.split('-')[0]));
      const isCurrent = reports.every((each) => each !== null && BigInt(each.slot) > slot);
      return origins.size === 1 && isCurrent
        ? some[reports.findIndex((each) => each?.role === 'reader')]
        : undefined;
    }, PATIENTLY);
  }

  const without = (one: Gateway) => gateways.filter((each) => each !== one);

  /** Waits until clients have walked some lists since now. */
  async function untilWalked(walks: number): Promise<void> {
    const wanted = tally.walks + walks;
    await vi.waitUntil(() => tally.walks >= wanted, PATIENTLY);
    expect(book.problems()).toEqual([]);
  }

  async function killReader(): Promise<void> {
    const reader = await agree(gateways);
    reader.process.kill('SIGKILL');
    await reader.process.exited;
    await agree(without(reader));
    await untilWalked(2);
    gateways = [...without(reader), await start(reader.name)];
  }

  async function suspendReader(): Promise<void> {
    const reader = await agree(gateways);
    reader.process.kill('SIGSTOP');
    await agree(without(reader));
    reader.process.kill('SIGCONT');
    await untilWalked(2);
  }

  it.each(Array.from({ length: KILLS }, (_, i) => i + 1))('number %i', async (number) => {
    if (number % 2 === 1) await killReader();
    else await suspendReader();
    await agree(gateways);
    await untilWalked(2);
    if (number === KILLS / 2) await restartRedis();
  });

  /** First so soon that nobody reads alone, then after everybody does. It loses its data both times. */
  async function restartRedis(): Promise<void> {
    await redis.kill();
    await redis.start();
    await agree(gateways);
    await untilWalked(2);
    await redis.kill();
    await vi.waitUntil(async () => {
      const reports = await Promise.all(gateways.map(readiness));
      return reports.every((each) => each?.role === 'standalone');
    }, PATIENTLY);
    await untilWalked(2);
    await redis.start();
    await agree(gateways);
    await untilWalked(2);
  }

  it('served Views of one gateway by another one', () => {
    expect(tally.viewsElsewhere).toBeGreaterThan(KILLS);
    expect(tally.viewsElsewhere).toBeGreaterThan(tally.viewsGone);
    expect(book.views).toBeGreaterThan(KILLS);
  });

  it('gives the numbers of a gateway that reads for itself', async () => {
    clearInterval(ticking);
    for (const client of clients) client.stop();
    await load;
    const alone = await start('alone', { FEED: 'off' });
    const all = [...gateways, alone];
    try {
      await vi.waitUntil(async () => {
        const reports = await Promise.all(all.map(readiness));
        return reports.every((each) => each?.slot === String(localChain.slot));
      }, PATIENTLY);
      const [market] = localChain.worldChain.world.markets;
      for (const path of ['/kvaults/vaults', `/svc-market/${market?.address}/reserves/metrics`]) {
        const bodies = await Promise.all(
          all.map(async ({ url }) => await (await fetch(`${url}${path}`)).text()),
        );
        expect(bodies[0]).toContain('[{');
        expect(new Set(bodies).size).toBe(1);
      }
    } finally {
      alone.process.kill('SIGKILL');
    }
  });
});
