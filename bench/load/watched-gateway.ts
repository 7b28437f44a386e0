import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../peers/built-code.ts';
import type { MovingChain } from './moving-chain.ts';

/** Metrics of the gateway process. */
export interface Gauges {
  readonly rssMb: number;
  /** Used heap plus external memory. */
  readonly heapMb: number;
  readonly cpuSeconds: number;
  /** Event loop delay since the previous read. */
  readonly loopDelayP50Ms: number;
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
  readonly executions: number;
  readonly superseded: number;
  readonly errors: string;
}

export interface Memory {
  readonly rssMb: number;
  /** Used heap plus external memory. */
  readonly heapMb: number;
}

export interface WatchedGateway {
  readonly url: string;
  gauges(): Promise<Gauges>;
  /** Memory right after a full garbage collection. */
  retainedMemory(): Promise<Memory>;
  stop(): Promise<void>;
}

/** A preload module that collects garbage and writes memory usage to `file` on SIGUSR2. */
const reportOnSignal = (file: string) => `data:text/javascript,import{renameSync,writeFileSync}from"node:fs";
const file=${JSON.stringify(file)};process.on("SIGUSR2",()=>{gc();gc();
writeFileSync(file+".new",JSON.stringify(process.memoryUsage()));renameSync(file+".new",file)})`;
const POLL_MS = 50;
const START_MS = 180_000;

/** Starts the built gateway with WebSocket feed and catalogue. */
export async function startWatchedGateway(
  chain: MovingChain,
  env: Readonly<Record<string, string>>,
): Promise<WatchedGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-load-'));
  const [log, catalogue] = [join(folder, 'log'), join(folder, 'catalogue.json')];
  const memory = join(folder, 'memory.json');
  writeFileSync(catalogue, JSON.stringify(chain.catalogue));
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, ['--expose-gc', '--import', reportOnSignal(memory), 'dist/main.js'], {
    cwd: ROOT,
    env: {
      ...process.env,
      SOLANA_CLUSTER: 'localnet',
      SOLANA_RPC_URLS: chain.url,
      SOLANA_WS_URLS: chain.wsUrl,
      CATALOGUE_FILE: catalogue,
      PORT: '0',
      METRICS_HOLD_MS: '0',
      ...env,
    },
    stdio: ['ignore', output, 'inherit'],
  });
  closeSync(output);
  const deadline = performance.now() + START_MS;
  const logText = () => readFileSync(log, 'latin1');
  let url: string | undefined;
  while (url === undefined || !(await isReady(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill();
      throw new Error(`the gateway did not start: ${logText().slice(-2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(logText())?.[0];
  }
  const known = url;
  return {
    url: known,
    gauges: () => gaugesOf(known),
    async retainedMemory() {
      rmSync(memory, { force: true });
      child.kill('SIGUSR2');
      while (!existsSync(memory)) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error('the gateway has exited');
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      const { rss, heapUsed, external } = JSON.parse(readFileSync(memory, 'utf8')) as NodeJS.MemoryUsage;
      return { rssMb: rss / 1e6, heapMb: (heapUsed + external) / 1e6 };
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }
      rmSync(folder, { recursive: true });
    },
  };
}

/** Ready to answer, including history. */
async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/ready`);
  const body = await response.text();
  return response.ok && body.includes('"history":{"status":"ready"');
}

async function gaugesOf(url: string): Promise<Gauges> {
  const text = await metricsOf(url);
  const number = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
  const errors = [...text.matchAll(/^sluice_errors_total\{code="(\w+)"\} (\d+)/gm)];
  return {
    rssMb: number('process_resident_memory_bytes') / 1e6,
    heapMb: (number('nodejs_heap_size_used_bytes') + number('nodejs_external_memory_bytes')) / 1e6,
    cpuSeconds: number('process_cpu_seconds_total'),
    loopDelayP50Ms: number('nodejs_eventloop_lag_p50_seconds') * 1e3,
    loopDelayP99Ms: number('nodejs_eventloop_lag_p99_seconds') * 1e3,
    loopDelayMaxMs: number('nodejs_eventloop_lag_max_seconds') * 1e3,
    executions: number('sluice_stream_executions_total'),
    superseded: number('sluice_stream_superseded_total'),
    errors: errors.map(([, code, count]) => `${code} ${count}`).join(', '),
  };
}

/** Retries: on a busy machine a connection may fail. */
async function metricsOf(url: string, attempts = 5): Promise<string> {
  try {
    return await (await fetch(`${url}/metrics`)).text();
  } catch (error) {
    if (attempts <= 1) throw error;
    return await metricsOf(url, attempts - 1);
  }
}
