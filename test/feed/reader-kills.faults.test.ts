import { type LocalnetRpc, startRpcServer } from '@sluice/localnet/rpc/server';
import { createWorldChain, type WorldChain } from '@sluice/localnet/world/world-chain';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import { FEED_SECRET } from '../support/feed/fed-chain.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';

const PATIENTLY = { timeout: 240_000, interval: 50 };
const PATH = '/kvaults/vaults';

interface Readiness {
  readonly view: string;
  readonly slot: string;
  readonly role: string;
}

/** A client of one gateway, as clients see it: its Views never go back, and an id has one content everywhere. */
class Client {
  readonly gateway: GatewayProcess;
  readonly url: string;
  slot = 0n;

  constructor(gateway: GatewayProcess, url: string) {
    this.gateway = gateway;
    this.url = url;
  }

  async readiness(): Promise<Readiness | null> {
    try {
      const response = await fetch(`${this.url}/ready`, { signal: AbortSignal.timeout(5_000) });
      return ((await response.json()) as { chain: Readiness | null }).chain;
    } catch {
      return null;
    }
  }

  async ask(answers: Map<string, string>): Promise<readonly string[]> {
    const response = await fetch(`${this.url}${PATH}`);
    const [id, slot] = [response.headers.get('x-view') ?? '', BigInt(response.headers.get('x-slot') ?? 0)];
    const answer = `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
    const problems = slot < this.slot ? [`${id} goes back from ${this.slot} to ${slot}`] : [];
    if (answers.has(id) && answers.get(id) !== answer) problems.push(`${id} has two answers`);
    answers.set(id, answer);
    this.slot = slot;
    return problems;
  }
}

describe.skipIf(skipRedis)(`processes that share Views${NO_REDIS}`, () => {
  let redis: TestRedis;
  let localChain: WorldChain;
  let rpc: LocalnetRpc;
  let ticking: NodeJS.Timeout;
  let clients: Client[] = [];
  const answers = new Map<string, string>();

  beforeAll(async () => {
    redis = await startTestRedis();
    localChain = createWorldChain({ now: Date.now });
    ticking = setInterval(() => localChain.tick(), 400);
    rpc = await startRpcServer(localChain);
    clients = await Promise.all([start(), start(), start()]);
  });
  afterAll(async () => {
    for (const { gateway } of clients) gateway.kill('SIGKILL');
    clearInterval(ticking);
    await rpc?.close();
    await redis?.kill();
  });

  async function start(): Promise<Client> {
    const gateway = new GatewayProcess({
      REDIS_URL: redis.url,
      STREAM_SECRET: FEED_SECRET,
      SOLANA_RPC_URLS: rpc.url,
      SOLANA_CLUSTER: 'localnet',
      VIEW_REFRESH_MS: '500',
      DRIFT_INTERVAL_MS: '0',
      PROGRAMS_INTERVAL_MS: '0',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
    });
    return new Client(gateway, await gateway.ready());
  }

  /** Asks all until every one of them serves Views of the same reader, newer than now, and one of them reads. */
  async function agree(some: readonly Client[]): Promise<Client> {
    const { slot } = localChain;
    let reader: Client | undefined;
    await vi.waitUntil(async () => {
      for (const client of some) expect(await client.ask(answers)).toEqual([]);
      const reports = await Promise.all(some.map((client) => client.readiness()));
      reader = some[reports.findIndex((readiness) => readiness?.role === 'reader')];
      const origins = new Set(reports.map((readiness) => readiness?.view.split('-')[0]));
      const isCurrent = reports.every((readiness) => readiness !== null && BigInt(readiness.slot) >= slot);
      return reader !== undefined && origins.size === 1 && isCurrent;
    }, PATIENTLY);
    if (reader === undefined) throw new Error('nobody reads');
    return reader;
  }

  it('a paused reader is replaced, and follows when it continues', async () => {
    const reader = await agree(clients);
    const others = clients.filter((client) => client !== reader);
    reader.gateway.kill('SIGSTOP');
    const next = await agree(others);
    expect(next).not.toBe(reader);
    reader.gateway.kill('SIGCONT');
    await agree(clients);
  });

  it('a killed reader is replaced, and a new process starts from what the others have', async () => {
    const reader = await agree(clients);
    const others = clients.filter((client) => client !== reader);
    reader.gateway.kill('SIGKILL');
    await reader.gateway.exited;
    const next = await agree(others);
    expect(others).toContain(next);
    clients = [...others, await start()];
    await agree(clients);
  });
});
