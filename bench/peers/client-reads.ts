import { median } from '../statistics.ts';
import { askGraph } from './ask-graph.ts';
import { EXACT, mustAgree } from './facts.ts';
import { LATENCY_MS } from './plan.ts';
import { startGateway, Worker } from './processes.ts';
import { nested } from './queries.ts';
import type { ClientOrder, ClientResult } from './rest-client-worker.ts';
import type { World } from './world.ts';

export interface ClientRow {
  readonly name: string;
  readonly latencyMs: number;
  readonly atOnce: number | null;
  readonly calls: number;
  readonly ms: number;
}

const BROWSER = 6;
const ROUNDS = 5;
const CLIENTS = [
  { task: 'graph', name: 'one GraphQL query', atOnce: [BROWSER] },
  { task: 'perObject', name: 'REST, one call per vault and reserve', atOnce: [BROWSER, null] },
  { task: 'perMarket', name: 'REST, one call per vault and market', atOnce: [BROWSER, null] },
] as const;

/** Page loads by a remote client from one warm server: one GraphQL query or many REST calls. */
export async function clientReads(world: World): Promise<ClientRow[]> {
  const gateway = await startGateway(world.chain.url);
  const client = new Worker('peers/rest-client-worker');
  try {
    await client.greeting;
    await askGraph(gateway.url, nested('same', 0));
    const rows: ClientRow[] = [];
    for (const latencyMs of [0, LATENCY_MS]) {
      for (const { task, name, atOnce } of CLIENTS) {
        for (const limit of atOnce) {
          const order: ClientOrder = {
            origin: new URL(gateway.url).origin,
            latencyMs,
            atOnce: limit ?? Number.MAX_SAFE_INTEGER,
            vaults: world.ours.vaults,
            reserves: world.ours.reserves,
          };
          const first = await client.ask<ClientResult>(task, order);
          if (task !== 'graph')
            mustAgree(name, world.ours.facts, new Map(first.facts), { tolerance: EXACT, share: 0.1 });
          const times: number[] = [];
          for (let round = 0; round < ROUNDS; round += 1)
            times.push((await client.ask<ClientResult>(task, order)).ms);
          rows.push({ name, latencyMs, atOnce: limit, calls: first.calls, ms: median(times) });
        }
      }
    }
    return rows;
  } finally {
    await Promise.all([client.stop(), gateway.stop()]);
  }
}
