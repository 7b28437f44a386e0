import { median } from '../statistics.ts';
import { askGraph, mustEqual } from './ask-graph.ts';
import { isYieldOf, mustAgree } from './facts.ts';
import type { LoadResult } from './http-load.ts';
import { LATENCY_MS, SDK_TOLERANCE } from './plan.ts';
import { type GraphServer, startGateway, startSchemaServer, Worker } from './processes.ts';
import { nested, type Variation } from './queries.ts';
import type { RpcGraphqlOrder } from './rpc-graphql-worker.ts';
import type { SdkNestedOrder } from './sdk-worker.ts';
import type { World } from './world.ts';

export interface NestedRow {
  readonly name: string;
  readonly latencyMs: number;
  /** From process start to the complete answer. */
  readonly coldMs: number;
  /** From the moment the server listens or the library is loaded. */
  readonly coldReadyMs: number;
  /** The same query repeated. */
  readonly warmMs: number;
  /** Distinct documents; null for a library, which has no documents. */
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

type Warm = Pick<NestedRow, 'name' | 'warmMs' | 'distinctMs' | 'compared'>;

const WARM_ROUNDS = 5;

interface Contender {
  /** Number of runs of `cold`. */
  readonly rounds: number;
  cold(): Promise<Cold>;
  warm(): Promise<Warm>;
}

function server(world: World, rounds: number, start: () => Promise<GraphServer>): Contender {
  const answered = async <T>(then: (server: GraphServer, cold: Cold) => T): Promise<Awaited<T>> => {
    const started = await start();
    try {
      const answer = await askGraph(started.url, nested('same', 0));
      const now = performance.now();
      mustEqual(started.name, world.ours.answer, answer);
      return await then(started, {
        coldMs: now - started.startedAt,
        coldReadyMs: now - started.listeningAt,
      });
    } finally {
      await started.stop();
    }
  };
  return {
    rounds,
    cold: () => answered((_, cold) => cold),
    warm: () =>
      answered(async ({ name, url }) => {
        await warm(world, url, 'documents');
        return {
          name,
          warmMs: await warm(world, url, 'same'),
          distinctMs: await warm(world, url, 'documents'),
          compared: 'full answer, equal',
        };
      }),
  };
}

function library(rounds: number, { name, module, order, check }: Library): Contender {
  const answered = async <T>(
    then: (worker: Worker, facts: RawFacts, cold: Cold) => T,
  ): Promise<Awaited<T>> => {
    const worker = new Worker(module);
    try {
      await worker.greeting;
      const readyAt = performance.now();
      const facts = await worker.ask<RawFacts>('nested', order);
      const now = performance.now();
      return await then(worker, facts, { coldMs: now - worker.startedAt, coldReadyMs: now - readyAt });
    } finally {
      await worker.stop();
    }
  };
  return {
    rounds,
    cold: () => answered((_, __, cold) => cold),
    warm: () =>
      answered(async (worker, facts) => {
        const compared = await check(facts);
        const times: number[] = [];
        for (let i = 0; i < WARM_ROUNDS; i += 1) {
          const started = performance.now();
          await worker.ask('nested', order);
          times.push(performance.now() - started);
        }
        return { name, warmMs: median(times), distinctMs: null, compared };
      }),
  };
}

type RawFacts = readonly (readonly [string, string])[];
interface Library {
  readonly name: string;
  readonly module: string;
  readonly order: object;
  /** Throws on a difference; otherwise returns what was compared. */
  readonly check: (facts: RawFacts) => string | Promise<string>;
}

function sdk({ ours }: World, url: string): Library {
  return {
    name: 'official SDK',
    module: 'peers/sdk-worker',
    order: { url, vaults: ours.vaults } satisfies SdkNestedOrder,
    check: (facts) => {
      const comparable = facts.filter(([name]) => !isYieldOf(name, ours.perSecond));
      const count = mustAgree('the SDK', ours.facts, new Map(comparable), {
        tolerance: SDK_TOLERANCE,
        share: 0.8,
      });
      return `${count} of ${ours.facts.size} facts, equal to ${SDK_TOLERANCE.relative}`;
    },
  };
}

/** Account data from the RPC, in base64. */
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
    async check(facts) {
      const read = new Map(facts);
      const expected = await accountData(chain.url, ours.vaults);
      if (!ours.vaults.every((vault, i) => read.get(vault) === expected[i]))
        throw new Error('rpc-graphql and the RPC return different bytes');
      return `bytes of ${read.size} accounts; nothing decoded`;
    },
  };
}

/** Interleaves the contenders, so that a slow phase of the machine affects all of them. */
async function coldTimes(contenders: readonly Contender[]): Promise<Cold[][]> {
  const times = contenders.map((): Cold[] => []);
  for (let round = 0; round < Math.max(...contenders.map(({ rounds }) => rounds)); round += 1) {
    for (const [i, { rounds, cold }] of contenders.entries()) {
      if (round < rounds) times[i]?.push(await cold());
    }
  }
  return times;
}

/** Cold and warm times of every contender, over a fast RPC and over a slow one. */
export async function nestedReads(world: World): Promise<NestedRow[]> {
  const rows: NestedRow[] = [];
  const { coldRounds } = world.plan;
  for (const latencyMs of [0, LATENCY_MS]) {
    const url = latencyMs === 0 ? world.chain.url : world.chain.farUrl;
    const contenders = [
      server(world, coldRounds, () => startGateway(url)),
      ...SCHEMA_SERVERS.map((kind) => server(world, 1, () => startSchemaServer(kind, url))),
      library(coldRounds, sdk(world, url)),
      library(coldRounds, rpcGraphql(world, url)),
    ];
    const colds = await coldTimes(contenders);
    for (const [i, contender] of contenders.entries()) {
      const own = colds[i] ?? [];
      rows.push({
        latencyMs,
        coldMs: median(own.map(({ coldMs }) => coldMs)),
        coldReadyMs: median(own.map(({ coldReadyMs }) => coldReadyMs)),
        ...(await contender.warm()),
      });
    }
  }
  return rows;
}
