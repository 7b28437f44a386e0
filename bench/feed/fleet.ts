import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort, startTestRedis, type TestRedis } from '../../test/support/databases/redis-server.ts';
import { RoundRobin } from '../../test/support/processes/load-balancer.ts';
import { ROOT } from '../peers/built-code.ts';
import type { CountedRpc } from './counted-rpc.ts';
import { SECRET } from './fed-positions.ts';

export const PATH = '/kvaults/vaults';
const POLL_MS = 10;
const START_MS = 300_000;
/** Multiples of each other, so that every discovery cycle reads the same. */
export const TIMERS = { VIEW_REFRESH_MS: '2000', VAULT_REFRESH_MS: '16000', DISCOVERY_INTERVAL_MS: '64000' };

/** The chain's part of `/ready`. */
interface Readiness {
  readonly role: string;
  readonly view: string;
  readonly slot: string;
}

/** Counters of one gateway since its start. */
export interface GatewayUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly feedBytesSent: number;
  readonly feedBytesReceived: number;
  /** Times that it has loaded the positions of all wallets. */
  readonly positionLoads: number;
}

/** One built gateway in a process. */
export class FleetGateway {
  readonly name: string;
  readonly url: string;
  /** Milliseconds from the start of the process to its first answer. */
  firstAnswerMs = Number.NaN;
  readonly #child: ChildProcess;

  constructor(name: string, port: number, env: Readonly<Record<string, string>>) {
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.#child = spawn(process.execPath, ['dist/main.js'], {
      cwd: ROOT,
      env: { ...process.env, ...env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  async answers(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}${PATH}`);
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }

  /** Null when it does not answer. */
  async readiness(): Promise<Readiness | null> {
    try {
      const response = await fetch(`${this.url}/ready`);
      return ((await response.json()) as { chain: Readiness | null }).chain;
    } catch {
      return null;
    }
  }

  /** First part of the id of its View, which changes with the reader. */
  async origin(): Promise<string | undefined> {
    return (await this.readiness())?.view.split('-')[0];
  }

  async usage(): Promise<GatewayUsage> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const number = (name: string) => {
      const [line] = text.split('\n').filter((each) => each.startsWith(`${name} `));
      return line === undefined ? 0 : Number(line.slice(name.length + 1));
    };
    return {
      cpuSeconds: number('process_cpu_seconds_total'),
      residentBytes: number('process_resident_memory_bytes'),
      feedBytesSent: number('sluice_feed_bytes_total{direction="sent"}'),
      feedBytesReceived: number('sluice_feed_bytes_total{direction="received"}'),
      positionLoads: number('sluice_feed_position_loads_total'),
    };
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

export interface RedisUsage {
  readonly cpuSeconds: number;
  /** Resident. */
  readonly bytes: number;
  /** Of its data and buffers. */
  readonly usedBytes: number;
  /** Since its start. */
  readonly sentBytes: number;
}

/** Milliseconds after the reader was killed. */
export interface TakeOver {
  /** Until another one holds the lease. */
  readonly leaseMs: number;
  /** Until all others serve Views that it has read. */
  readonly viewsMs: number;
}

/** Gateways that share Views over a Redis of their own, behind a balancer. */
export class Fleet {
  readonly balancer: RoundRobin;
  readonly #redis: TestRedis;
  readonly #redisUrl: string;
  readonly #commands: Redis;
  readonly #rpc: CountedRpc;
  #gateways: FleetGateway[] = [];
  #started = 0;

  private constructor(balancer: RoundRobin, redis: TestRedis, redisUrl: string, rpc: CountedRpc) {
    this.balancer = balancer;
    this.#redis = redis;
    this.#redisUrl = redisUrl;
    this.#rpc = rpc;
    this.#commands = new Redis(redis.url);
  }

  /** @param redisUrl of another Redis than its own */
  static async start(rpc: CountedRpc, redisUrl?: string): Promise<Fleet> {
    const redis = await startTestRedis();
    return new Fleet(await RoundRobin.start(), redis, redisUrl ?? redis.url, rpc);
  }

  get gateways(): readonly FleetGateway[] {
    return this.#gateways;
  }

  /** Starts a gateway and waits for its first answer. */
  async add(): Promise<FleetGateway> {
    this.#started += 1;
    const name = `${process.pid}-${this.#redis.port}-${this.#started}`;
    const startedAt = performance.now();
    const gateway = new FleetGateway(name, await freePort(), {
      ...TIMERS,
      SOLANA_RPC_URLS: this.#rpc.urlFor(name),
      SOLANA_CLUSTER: 'localnet',
      REDIS_URL: this.#redisUrl,
      STREAM_SECRET: SECRET,
      RECORDER: 'none',
      DRIFT_INTERVAL_MS: '0',
      RATE_LIMIT: '1000000000',
      METRICS_HOLD_MS: '0',
      LOG_LEVEL: 'warn',
    });
    this.#gateways.push(gateway);
    while (!(await gateway.answers())) {
      if (performance.now() - startedAt > START_MS) throw new Error('a gateway does not answer');
      await pause(POLL_MS);
    }
    gateway.firstAnswerMs = performance.now() - startedAt;
    this.balancer.put(name, gateway.url);
    return gateway;
  }

  async reader(): Promise<FleetGateway> {
    for (;;) {
      for (const gateway of this.#gateways)
        if ((await gateway.readiness())?.role === 'reader') return gateway;
      await pause(POLL_MS);
    }
  }

  /** Kills the reader. */
  async takeOver(): Promise<TakeOver> {
    const reader = await this.reader();
    const origin = await reader.origin();
    this.#gateways = this.#gateways.filter((each) => each !== reader);
    const killedAt = performance.now();
    await reader.kill();
    await this.reader();
    const leaseMs = performance.now() - killedAt;
    for (const gateway of this.#gateways)
      while ([origin, undefined].includes(await gateway.origin())) await pause(POLL_MS);
    return { leaseMs, viewsMs: performance.now() - killedAt };
  }

  get redisUrl(): string {
    return this.#redis.url;
  }

  /** Processor time, memory and traffic of Redis. */
  async redisUsage(): Promise<RedisUsage> {
    const text = await this.#commands.info();
    const number = (name: string) => Number(new RegExp(`^${name}:(\\S+)`, 'm').exec(text)?.[1]);
    return {
      cpuSeconds: number('used_cpu_sys') + number('used_cpu_user'),
      bytes: number('used_memory_rss'),
      usedBytes: number('used_memory'),
      sentBytes: number('total_net_output_bytes'),
    };
  }

  async stop(): Promise<void> {
    for (const gateway of this.#gateways) await gateway.kill();
    this.#commands.disconnect();
    this.balancer.close();
    await this.#redis.kill();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
