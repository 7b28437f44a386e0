import { askGraph } from './ask-graph.ts';
import { nestedFacts } from './facts.ts';
import { LATENCY_MS, type Plan } from './plan.ts';
import { startGateway, Worker } from './processes.ts';
import { type NestedAnswer, nested } from './queries.ts';
import type { StillChain, StreamedWorld } from './still-chain.ts';

/** The chain that all contenders read, and our answer from it. */
export interface World {
  readonly plan: Plan;
  readonly chain: StillChain;
  /** Calls of the slow RPC since the previous call of this function. */
  farCalls(): Promise<number>;
  /** A chain that moves, with a stream, while the work runs. */
  withStream<T>(work: (streamed: StreamedWorld, calls: () => Promise<number>) => Promise<T>): Promise<T>;
  readonly load: Worker;
  readonly ours: {
    readonly answer: NestedAnswer;
    readonly facts: ReadonlyMap<string, string>;
    readonly vaults: readonly string[];
    /** Each with its market. */
    readonly reserves: readonly (readonly [string, string])[];
    /** Reserves whose rates count seconds, and the vaults that lend to them. */
    readonly perSecond: ReadonlySet<string>;
  };
  stop(): Promise<void>;
}

export async function startWorld(plan: Plan): Promise<World> {
  const chainWorker = new Worker<StillChain>('peers/still-chain', [String(plan.scale), String(LATENCY_MS)]);
  const chain = await chainWorker.greeting;
  const load = new Worker('peers/http-load');
  await load.greeting;
  const gateway = await startGateway(chain.url);
  const answer = await askGraph<NestedAnswer>(gateway.url, nested('same', 0));
  await gateway.stop();
  const reserves = new Map<string, string>();
  const perSecond = new Set(chain.perSecond);
  for (const { address, allocations } of answer.vaults.nodes)
    for (const { reserve } of allocations) {
      if (reserve === null) continue;
      reserves.set(reserve.address, reserve.market.address);
      if (chain.perSecond.includes(reserve.address)) perSecond.add(address);
    }
  return {
    plan,
    chain,
    farCalls: () => chainWorker.ask('calls'),
    async withStream(work) {
      const streamed = await chainWorker.ask<StreamedWorld>('startStream');
      try {
        return await work(streamed, () => chainWorker.ask('streamedCalls'));
      } finally {
        await chainWorker.ask('stopStream');
      }
    },
    load,
    ours: {
      answer,
      facts: nestedFacts(answer),
      vaults: answer.vaults.nodes.map(({ address }) => address),
      reserves: [...reserves],
      perSecond,
    },
    async stop() {
      await Promise.all([load.stop(), chainWorker.stop()]);
    },
  };
}
