import { type LocalnetRpc, startRpcServer } from '@sluice/localnet/rpc/server';
import { TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../../packages/rpc-pool/test/support/test-pools.ts';
import type { ChainRole } from '../../../src/chain/view/view-feed.ts';
import type { FeedTiming } from '../../../src/feed/feed-timing.ts';
import { startTestApp, type TestApp } from '../apps/test-app.ts';
import { startTestRedis, type TestRedis } from '../databases/redis-server.ts';
import { FaultyProxy } from '../rpc/faulty-proxy.ts';
import { type RedisGate, startRedisGate } from './redis-gate.ts';
import { ViewWitness } from './view-witness.ts';

/** A gateway with its own ways to the RPC and to Redis. */
export interface FedGateway extends TestApp {
  readonly name: string;
  readonly rpc: FaultyProxy;
  readonly redis: RedisGate;
  readonly role: ChainRole;
  /** Id of its newest View. */
  readonly id: string | undefined;
  /** Most calls that a follower has needed by now to compare its first View with its RPC. */
  mostStartCalls(): number;
  /** Calls to its RPC, once no more have arrived for a while. */
  settledCalls(): Promise<number>;
}

/** Longer than a call takes to arrive, also on a busy machine. */
const SETTLED_MS = 500;

/** A follower whose RPC has not confirmed its View tries again this often, by a probe and a comparison. */
const REVIEW_INTERVAL_MS = 5_000;
const REVIEW_CALLS = 2;

const ENV: Readonly<Record<string, string>> = {
  DRIFT_INTERVAL_MS: '0',
  PROGRAMS_INTERVAL_MS: '0',
  RPC_MAX_ATTEMPTS: '1',
  VIEWS_KEPT: '100',
};

/** Nobody loses Redis or the lease, however busy the machine is. */
export const PATIENT: Partial<FeedTiming> = {
  leaseMs: 600_000,
  redisTimeoutMs: 600_000,
  graceMs: 600_000,
  stallMs: 600_000,
  silentMs: 600_000,
  arrivalMs: 600_000,
};

/** Gateways that share the Views of one chain over one Redis. */
export class FeedWorld {
  readonly localChain: TestChain;
  readonly witness = new ViewWitness();
  readonly redis: TestRedis;
  readonly #rpc: LocalnetRpc;
  readonly #timing: Partial<FeedTiming>;
  readonly #gateways: FedGateway[] = [];

  private constructor(
    localChain: TestChain,
    redis: TestRedis,
    rpc: LocalnetRpc,
    timing: Partial<FeedTiming>,
  ) {
    this.#timing = timing;
    this.localChain = localChain;
    this.redis = redis;
    this.#rpc = rpc;
  }

  static async start(timing: Partial<FeedTiming> = {}): Promise<FeedWorld> {
    const localChain = new TestChain();
    return new FeedWorld(localChain, await startTestRedis(), await startRpcServer(localChain), timing);
  }

  get rpcUrl(): string {
    return this.#rpc.url;
  }

  get gateways(): readonly FedGateway[] {
    return this.#gateways;
  }

  /** A gateway that serves a View. */
  async add(
    name: string,
    env: Readonly<Record<string, string>> = {},
    { withoutRpc = false }: { readonly withoutRpc?: boolean } = {},
  ): Promise<FedGateway> {
    const rpc = await FaultyProxy.start(this.#rpc.url);
    if (withoutRpc) await rpc.die();
    const redis = await startRedisGate(this.redis.port);
    const startedAt = performance.now();
    const app = await startTestApp({
      rpcUrls: [rpc.url],
      env: { ...ENV, REDIS_URL: redis.url, ...env },
      feedTiming: this.#timing,
    });
    this.witness.watch(name, app.app);
    const { chain } = app.app;
    /** False when the RPC took too long to confirm the first View, which is then served all the same. */
    let wasConfirmed = chain.state().trouble === null;
    if (chain.views.newest === undefined) {
      const stop = chain.views.onView(() => {
        wasConfirmed = chain.state().trouble === null;
        stop();
      });
    }
    const gateway: FedGateway = {
      ...app,
      name,
      rpc,
      redis,
      get role() {
        return chain.state().role;
      },
      get id() {
        return chain.views.newest?.moment.id;
      },
      mostStartCalls: () => {
        const attempts = Math.ceil((performance.now() - startedAt) / REVIEW_INTERVAL_MS);
        return 1 + (wasConfirmed ? 0 : attempts * REVIEW_CALLS);
      },
      async settledCalls() {
        for (let calls = -1; calls !== rpc.met; ) {
          calls = rpc.met;
          await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
        }
        return rpc.met;
      },
      async stop() {
        await app.stop();
        await redis.stop();
        await rpc.die();
      },
    };
    this.#gateways.push(gateway);
    await until(() => gateway.id !== undefined);
    return gateway;
  }

  /** Waits until all have Views of the same reader, in which the chain has come further than now. */
  async agree(gateways: readonly FedGateway[] = this.#gateways): Promise<FedGateway> {
    this.localChain.advance(5);
    const { slot } = this.localChain;
    let reader: FedGateway | undefined;
    await until(() => {
      const moments = gateways.map(({ app }) => app.chain.views.newest?.moment);
      const origins = new Set(moments.map((moment) => moment?.id.split('-')[0]));
      reader = gateways.find(({ role }) => role === 'reader');
      return (
        reader !== undefined &&
        origins.size === 1 &&
        moments.every((moment) => moment !== undefined && moment.slot >= slot)
      );
    });
    if (reader === undefined) throw new Error('nobody reads');
    return reader;
  }

  async stop(): Promise<void> {
    for (const gateway of this.#gateways) await gateway.stop();
    await this.#rpc.close();
    await this.redis.kill();
  }
}
