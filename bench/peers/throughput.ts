import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { RawAnswer } from '../rest-raw.ts';
import { percentile } from '../statistics.ts';
import { askGraph } from './ask-graph.ts';
import { BUILT } from './built-code.ts';
import type { LoadOrder, LoadResult } from './http-load.ts';
import { SCHEMA_SERVERS } from './nested-read.ts';
import { type GraphServer, startGateway, startSchemaServer, usageByMetrics } from './processes.ts';
import { nested, type Variation } from './queries.ts';
import type { World } from './world.ts';

export interface ThroughputRow {
  readonly name: string;
  readonly variation: Variation;
  readonly connections: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server per answer. */
  readonly cpuMicros: number;
  readonly answers: number;
}

/** Starts a bare server that sends our answer with our headers. */
async function startRaw(gateway: GraphServer): Promise<GraphServer> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
    },
    body: JSON.stringify(nested('same', 0)),
  });
  const body = Buffer.from(await response.arrayBuffer());
  const {
    connection,
    date,
    'keep-alive': _,
    'transfer-encoding': __,
    ...headers
  } = Object.fromEntries(response.headers);
  const answer: RawAnswer = {
    headers: { ...headers, 'content-length': String(body.length) },
    body: body.toString('base64'),
  };
  const startedAt = performance.now();
  const child = fork(join(BUILT, 'bench/rest-raw.js'), { execArgv: [] });
  const listening = once(child, 'message');
  child.send({ '/graphql': answer });
  const [origin] = (await listening) as [string];
  return {
    name: 'node:http, the same bytes',
    url: `${origin}/graphql`,
    startedAt,
    listeningAt: performance.now(),
    usage: () => usageByMetrics(origin),
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

interface Case {
  readonly server: GraphServer;
  readonly variation: Variation;
}

async function measure(
  world: World,
  { server, variation }: Case,
  connections: number,
): Promise<ThroughputRow> {
  const latencies: number[] = [];
  let seconds = 0;
  let cpuMicros = 0;
  const order: LoadOrder = { url: server.url, variation, connections, seconds: world.plan.loadSeconds };
  for (let round = 0; round < world.plan.loadRounds; round += 1) {
    const before = await server.usage();
    const result = await world.load.ask<LoadResult>('load', order);
    if (result.failed > 0) throw new Error(`${result.failed} answers of ${server.name} were not 200`);
    cpuMicros += (await server.usage()).cpuMicros - before.cpuMicros;
    seconds += result.seconds;
    for (const ms of result.latenciesMs) latencies.push(ms);
  }
  return {
    name: server.name,
    variation,
    connections,
    perSecond: latencies.length / seconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuMicros: cpuMicros / latencies.length,
    answers: latencies.length,
  };
}

/** All servers run at the same time and are idle while another is measured, so that conditions are equal. */
export async function throughputs(world: World): Promise<ThroughputRow[]> {
  const { plan, chain, load } = world;
  const servers: GraphServer[] = [];
  try {
    const gateway = await startGateway(chain.url);
    servers.push(gateway);
    const cases: Case[] = [];
    for (const variation of ['same', 'variables', 'documents', 'selections'] as const)
      cases.push({ server: gateway, variation });
    for (const kind of SCHEMA_SERVERS) {
      const server = await startSchemaServer(kind, chain.url);
      servers.push(server);
      for (const variation of ['same', 'documents', 'selections'] as const) cases.push({ server, variation });
    }
    for (const { url } of servers) await askGraph(url, nested('same', 0));
    const raw = await startRaw(gateway);
    servers.push(raw);
    cases.push({ server: raw, variation: 'same' });
    for (const { server, variation } of cases)
      await load.ask('load', { url: server.url, variation, connections: 4, seconds: plan.warmSeconds });
    const rows: ThroughputRow[] = [];
    for (const connections of plan.connections)
      for (const each of cases) rows.push(await measure(world, each, connections));
    return rows;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
