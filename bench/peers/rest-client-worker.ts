import { Agent, request } from 'node:http';
import { reserveFact, vaultFact } from './facts.ts';
import { nested } from './queries.ts';
import { serveParent } from './worker.ts';

/** One page load over REST or GraphQL, with a given latency. */
export interface ClientOrder {
  readonly origin: string;
  readonly latencyMs: number;
  /** Concurrent requests: a browser allows 6 on HTTP/1.1. */
  readonly atOnce: number;
  readonly vaults: readonly string[];
  /** Addresses of reserves, each with its market. */
  readonly reserves: readonly (readonly [string, string])[];
}

export interface ClientResult {
  readonly ms: number;
  readonly calls: number;
  readonly facts: readonly (readonly [string, string])[];
}

const agent = new Agent({ keepAlive: true });

/** Reuses open connections, so that a call costs one round trip. */
function call(url: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(body && { 'content-length': Buffer.byteLength(body) }),
    };
    const sent = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`${url}: ${answer.statusCode} ${text.slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

class Client {
  calls = 0;
  readonly #order: ClientOrder;
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(order: ClientOrder) {
    this.#order = order;
    this.#free = order.atOnce;
  }

  async ask<T>(path: string, body?: string): Promise<T> {
    this.calls += 1;
    if (this.#free === 0) await new Promise<void>((resolve) => this.#queue.push(resolve));
    else this.#free -= 1;
    try {
      if (this.#order.latencyMs > 0)
        await new Promise((resolve) => setTimeout(resolve, this.#order.latencyMs));
      return JSON.parse(await call(`${this.#order.origin}${path}`, body)) as T;
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

interface VaultMetrics {
  readonly apyActual: string;
  readonly tokenPrice: string;
}
interface ReserveMetrics {
  readonly reserve: string;
  readonly supplyApy: string;
}

async function vaultCalls(
  client: Client,
  vaults: readonly string[],
  facts: Map<string, string>,
): Promise<void> {
  const each = async (vault: string) => {
    const [, metrics] = await Promise.all([
      client.ask(`/kvaults/vaults/${vault}`),
      client.ask<VaultMetrics>(`/kvaults/vaults/${vault}/metrics`),
    ]);
    facts.set(vaultFact(vault, 'base apy'), metrics.apyActual);
    facts.set(vaultFact(vault, 'price'), metrics.tokenPrice);
  };
  await Promise.all(vaults.map(each));
}

/** One call per entry of `markets`, duplicates included. */
async function reserveCalls(
  client: Client,
  markets: readonly string[],
  wanted: ReadonlySet<string>,
  facts: Map<string, string>,
): Promise<void> {
  const each = async (market: string) => {
    const all = await client.ask<readonly ReserveMetrics[]>(`/svc-market/${market}/reserves/metrics`);
    for (const { reserve, supplyApy } of all)
      if (wanted.has(reserve)) facts.set(reserveFact(reserve, 'supply apy'), supplyApy);
  };
  await Promise.all(markets.map(each));
}

async function timed(
  client: Client,
  facts: Map<string, string>,
  work: () => Promise<void>,
): Promise<ClientResult> {
  const started = performance.now();
  await work();
  return { ms: performance.now() - started, calls: client.calls, facts: [...facts] };
}

/** State and metrics of every vault, then one call per reserve. Reserve metrics exist only per market. */
function perObject(order: ClientOrder): Promise<ClientResult> {
  const [client, facts] = [new Client(order), new Map<string, string>()];
  const wanted = new Set(order.reserves.map(([reserve]) => reserve));
  return timed(client, facts, async () => {
    await vaultCalls(client, order.vaults, facts);
    const markets = order.reserves.map(([, market]) => market);
    await Promise.all([client.ask('/v2/svc-market'), reserveCalls(client, markets, wanted, facts)]);
  });
}

/** The fewest calls that the API allows: one per market. */
function perMarket(order: ClientOrder): Promise<ClientResult> {
  const [client, facts] = [new Client(order), new Map<string, string>()];
  const wanted = new Set(order.reserves.map(([reserve]) => reserve));
  return timed(client, facts, async () => {
    await vaultCalls(client, order.vaults, facts);
    const markets = [...new Set(order.reserves.map(([, market]) => market))];
    await Promise.all([client.ask('/v2/svc-market'), reserveCalls(client, markets, wanted, facts)]);
  });
}

/** The same data in one GraphQL query. Its facts are compared elsewhere. */
function graph(order: ClientOrder): Promise<ClientResult> {
  const client = new Client(order);
  const body = JSON.stringify(nested('same', 0, order.vaults.length));
  return timed(client, new Map(), async () => {
    await client.ask('/graphql', body);
  });
}

serveParent(null, { perObject, perMarket, graph });
