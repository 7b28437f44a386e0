import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUILT, ROOT } from './built-code.ts';
import type { Order, Reply, Usage } from './worker.ts';

/**
 * Drops extra CA certificates: every process would parse them at start-up (about 50 ms for a typical bundle), and no
 * contender opens a TLS connection.
 */
const { NODE_EXTRA_CA_CERTS: _, ...ENVIRONMENT } = process.env;

/** A child process of the harness that runs tasks. */
export class Worker<Greeting = unknown> {
  readonly startedAt = performance.now();
  /** First message, sent when the process accepts tasks. */
  readonly greeting: Promise<Greeting>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  #orders = 0;

  /** @param module path in `bench`, without the extension */
  constructor(module: string, args: readonly string[] = []) {
    this.#child = fork(join(BUILT, `bench/${module}.js`), args, {
      cwd: ROOT,
      env: ENVIRONMENT,
      execArgv: [],
    });
    this.greeting = this.#reply(0);
    this.#child.on('message', ({ id, result, error }: Reply) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result as never);
      else waiting?.reject(new Error(`${module}: ${error}`));
    });
    this.#child.on('exit', (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${module} ended with code ${code}`));
    });
  }

  #reply<T>(id: number): Promise<T> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  ask<T>(task: string, input?: unknown): Promise<T> {
    this.#orders += 1;
    const reply = this.#reply<T>(this.#orders);
    this.#child.send({ id: this.#orders, task, input: input ?? null } satisfies Order);
    return reply;
  }

  usage(): Promise<Usage> {
    return this.ask('usage');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }
}

/** A GraphQL server, ours or a contender. */
export interface GraphServer {
  readonly name: string;
  /** Its `/graphql`. */
  readonly url: string;
  readonly startedAt: number;
  readonly listeningAt: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Our gateway, built. */
export interface BuiltGateway extends GraphServer {
  readonly pid: number;
}

const POLL_MS = 250;
/** Most time for the past to be generated, on a busy machine. */
const READY_MS = 600_000;

export async function usageByMetrics(origin: string): Promise<Usage> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const number = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return {
    cpuMicros: number('process_cpu_seconds_total') * 1e6,
    rssBytes: number('process_resident_memory_bytes'),
  };
}

/** Rate limits are counted but never reached. One View lasts for the whole run. */
const GATEWAY_SETTINGS = {
  SOLANA_CLUSTER: 'localnet',
  PORT: '0',
  RATE_LIMIT: '1000000000',
  METRICS_HOLD_MS: '0',
  VIEW_REFRESH_MS: '600000',
};

/** Starts the built gateway over an RPC. */
export function startGateway(
  rpcUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<GraphServer> {
  return startBuilt({ ...ENVIRONMENT, ...GATEWAY_SETTINGS, SOLANA_RPC_URLS: rpcUrl, ...env });
}

/** Starts the built gateway with default settings: on its localnet, with its database in the folder. */
export function startEmbeddedGateway(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BuiltGateway> {
  const { PATH, HOME } = ENVIRONMENT;
  return startBuilt({ PATH, HOME, PORT: '0', DATA_DIR: dataDir, ...env });
}

/** Waits until the embedded gateway has generated its past. */
export async function untilHistoryIsReady(origin: string): Promise<void> {
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    const { history } = (await (await fetch(`${origin}/ready`)).json()) as { history: { status: string } };
    if (history.status === 'ready') return;
    await sleep(POLL_MS);
  }
  throw new Error(`history was not ready after ${READY_MS / 1_000} s`);
}

/** The log goes to a file. */
async function startBuilt(env: NodeJS.ProcessEnv): Promise<BuiltGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-peers-'));
  const log = join(folder, 'log');
  const output = openSync(log, 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', output, 'inherit'],
  });
  closeSync(output);
  const origin = await originIn(log, child);
  return {
    name: 'Sluice',
    pid: child.pid ?? 0,
    url: `${origin}/graphql`,
    startedAt,
    listeningAt: performance.now(),
    usage: () => usageByMetrics(origin),
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Origin from the log. Watches the file, because polling would use CPU time during the measurement. */
function originIn(log: string, child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const changes = watch(log);
    const look = () => {
      const text = readFileSync(log, 'latin1');
      const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (origin === undefined && child.exitCode === null) return;
      changes.close();
      child.off('exit', look);
      if (origin === undefined) reject(new Error(`the gateway did not start: ${text}`));
      else resolve(origin);
    };
    changes.on('change', look);
    child.once('exit', look);
    look();
  });
}

/** Starts a contender with our executable schema. */
export async function startSchemaServer(kind: string, rpcUrl: string): Promise<GraphServer> {
  const worker = new Worker<{ url: string; name: string }>('peers/schema-server', [kind, rpcUrl]);
  const { url, name } = await worker.greeting;
  return {
    name,
    url,
    startedAt: worker.startedAt,
    listeningAt: performance.now(),
    usage: () => worker.usage(),
    stop: () => worker.stop(),
  };
}
