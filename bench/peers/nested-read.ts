import { median } from '../statistics.ts';
import { askGraph, mustEqual } from './ask-graph.ts';
import { mustAgree } from './facts.ts';
import type { LoadResult } from './http-load.ts';
import { LATENCY_MS, SDK_TOLERANCE } from './plan.ts';
import { type GraphServer, startGateway, startSchemaServer, Worker } from './processes.ts';
import { nested, type Variation } from './questions.ts';
import type { RpcGraphqlOrder } from './rpc-graphql-worker.ts';
import type { SdkNestedOrder } from './sdk-worker.ts';
import type { World } from './world.ts';

export interface NestedRow {
  readonly name: string;
  readonly latencyMs: number;
  /** From the start of the process to the whole answer. */
  readonly coldMs: number;
  /** From when it could be asked: the server listens, the library is loaded. */
  readonly coldReadyMs: number;
  /** The same question again. */
  readonly warmMs: number;
  /** A document that was never seen before; null where that makes no difference. */
  readonly distinctMs: number | null;
  readonly compared: string;
}

export const SCHEMA_SERVERS = ['mercurius', 'mercurius-jit', 'apollo', 'yoga'] as const;

async function warm(world: World, url: string, variation: Variation): Promise<number> {
  const order = { url, variation, connections: 1, seconds: world.plan.warmSeconds };
  const { latenciesMs, failed } = await world.load.ask<LoadResult>('load', order);
  if (failed > 0) throw new Error(`${failed} answers of ${url} were not 200`);
  return median(latenciesMs);
}

interface Cold {
  readonly coldMs: number;
  readonly coldReadyMs: number;
}

const middle = (colds: readonly Cold[]): Cold => ({
  coldMs: median(colds.map(({ coldMs }) => coldMs)),
  coldReadyMs: median(colds.map(({ coldReadyMs }) => coldReadyMs)),
});

async function serverRow(
  world: World,
  latencyMs: number,
  rounds: number,
  start: () => Promise<GraphServer>,
): Promise<NestedRow> {
  const colds: Cold[] = [];
  for (let round = 1; ; round += 1) {
    const server = await start();
    try {
      const answer = await askGraph(server.url, nested('same', 0));
      const now = performance.now();
      colds.push({ coldMs: now - server.startedAt, coldReadyMs: now - server.listeningAt });
      mustEqual(server.name, world.ours.answer, answer);
      if (round < rounds) continue;
      await warm(world, server.url, 'documents');
      return {
        name: server.name,
        latencyMs,
        ...middle(colds),
        warmMs: await warm(world, server.url, 'same'),
        distinctMs: await warm(world, server.url, 'documents'),
        compared: 'the whole answer, equal',
      };
    } finally {
      await server.stop();
    }
  }
}

async function libraryRow(
  world: World,
  latencyMs: number,
  { name, module, order, check }: Library,
): Promise<NestedRow> {
  const colds: Cold[] = [];
  const { coldRounds } = world.plan;
  for (let round = 1; ; round += 1) {
    const worker = new Worker(module);
    try {
      await worker.greeting;
      const readyAt = performance.now();
      const told = await worker.ask<Told>('nested', order);
      const now = performance.now();
      colds.push({ coldMs: now - worker.startedAt, coldReadyMs: now - readyAt });
      if (round < coldRounds) continue;
      const compared = await check(told);
      const times: number[] = [];
      for (let i = 0; i < coldRounds + 2; i += 1) {
        const started = performance.now();
        await worker.ask('nested', order);
        times.push(performance.now() - started);
      }
      return { name, latencyMs, ...middle(colds), warmMs: median(times), distinctMs: null, compared };
    } finally {
      await worker.stop();
    }
  }
}

type Told = readonly (readonly [string, string])[];
interface Library {
  readonly name: string;
  readonly module: string;
  readonly order: object;
  /** Throws, or tells what was compared. */
  readonly check: (told: Told) => string | Promise<string>;
}

function sdk({ ours }: World, url: string): Library {
  return {
    name: 'official SDK',
    module: 'peers/sdk-worker',
    order: { url, vaults: ours.vaults } satisfies SdkNestedOrder,
    check: (told) => {
      const facts = new Map(told);
      const count = mustAgree('the SDK', ours.facts, facts, { tolerance: SDK_TOLERANCE, share: 0.8 });
      return `${count} of ${ours.facts.size} facts, equal to ${SDK_TOLERANCE.relative}`;
    },
  };
}

/** The bytes of accounts as the RPC gives them. */
async function accountData(url: string, addresses: readonly string[]): Promise<(string | undefined)[]> {
  const params = [addresses, { encoding: 'base64' }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { result } = (await response.json()) as { result: { value: ({ data: [string] } | null)[] } };
  return result.value.map((account) => account?.data[0]);
}

function rpcGraphql({ ours, chain }: World, url: string): Library {
  const reserves = ours.reserves.map(([reserve]) => reserve);
  const markets = [...new Set(ours.reserves.map(([, market]) => market))];
  return {
    name: '@solana/rpc-graphql',
    module: 'peers/rpc-graphql-worker',
    order: { url, levels: [ours.vaults, reserves, markets] } satisfies RpcGraphqlOrder,
    async check(told) {
      const read = new Map(told);
      const expected = await accountData(chain.url, ours.vaults);
      if (!ours.vaults.every((vault, i) => read.get(vault) === expected[i]))
        throw new Error('rpc-graphql gives other bytes than the RPC');
      return `bytes of ${read.size} accounts; nothing decoded`;
    },
  };
}

/** Every contender from nothing to the answer, and then again, with an RPC beside it and with one that is far. */
export async function nestedReads(world: World): Promise<NestedRow[]> {
  const rows: NestedRow[] = [];
  for (const latencyMs of [0, LATENCY_MS]) {
    const url = latencyMs === 0 ? world.chain.url : world.slow.url;
    rows.push(await serverRow(world, latencyMs, world.plan.coldRounds, () => startGateway(url)));
    for (const kind of SCHEMA_SERVERS)
      rows.push(await serverRow(world, latencyMs, 1, () => startSchemaServer(kind, url)));
    rows.push(await libraryRow(world, latencyMs, sdk(world, url)));
    rows.push(await libraryRow(world, latencyMs, rpcGraphql(world, url)));
  }
  return rows;
}
