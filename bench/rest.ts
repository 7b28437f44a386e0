import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type LocalnetProcess, startLocalnetProcess } from './localnet-process.ts';
import { printTable } from './measure.ts';
import { buildAll, ROOT } from './peers/built-code.ts';
import type { LoadOrder, LoadResult } from './rest-load.ts';
import type { RawAnswer } from './rest-raw.ts';

/** 32 vaults per unit of scale: slightly more than the 170 on mainnet. */
const SCALE = 6;
const CONNECTIONS = 16;

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const worker = (name: string) => fork(pathOf(name), { execArgv: ['--import', 'tsx'] });

export interface Gateway {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the gateway in a separate process with its log in a file. */
export async function startGateway(
  chain: LocalnetProcess,
  env: Readonly<Record<string, string>>,
): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const log = join(folder, 'log');
  await buildAll();
  const child = spawn(process.execPath, [join(ROOT, 'dist/main.js')], {
    env: {
      ...process.env,
      SOLANA_RPC_URLS: chain.url,
      SOLANA_CLUSTER: 'localnet',
      PORT: '0',
      RATE_LIMIT: '0',
      METRICS_HOLD_MS: '0',
      ...env,
    },
    stdio: ['ignore', openSync(log, 'w'), 'inherit'],
  });
  let url: string | undefined;
  while (url === undefined || !(await isReady(url))) {
    if (child.exitCode !== null) throw new Error('the gateway did not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(log, 'latin1'))?.[0];
  }
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/ready`);
  await response.arrayBuffer();
  return response.status === 200;
}

/** An uncompressed answer with its headers. */
async function recorded(url: string): Promise<RawAnswer> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  const { connection, date, 'keep-alive': keepAlive, ...headers } = Object.fromEntries(response.headers);
  return { headers, body: Buffer.from(await response.arrayBuffer()).toString('base64') };
}

interface Rate {
  readonly perSecond: number;
  /** CPU time of the server per request. Unlike the rate, it hardly depends on the load of the machine. */
  readonly cpuMicros: number;
}

async function cpuSeconds(server: string): Promise<number> {
  const text = await (await fetch(`${server}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
}

async function rateOf(load: ChildProcess, server: string, order: LoadOrder): Promise<Rate> {
  const before = await cpuSeconds(server);
  const done = once(load, 'message');
  load.send(order);
  const [{ requests, seconds, failed }] = (await done) as [LoadResult];
  if (failed > 0) throw new Error(`${failed} of ${requests} answers of ${order.url} were not 200`);
  return {
    perSecond: requests / seconds,
    cpuMicros: (((await cpuSeconds(server)) - before) / requests) * 1e6,
  };
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

interface Duration {
  /** Of each round. */
  readonly seconds: number;
  /** Of which the median counts. */
  readonly rounds: number;
}

interface Case {
  readonly name: string;
  readonly path: string;
}

/** Alternates between both servers, so that other load on the machine affects both. */
async function compare(
  load: ChildProcess,
  { name, path }: Case,
  { gateway, raw }: Readonly<Record<'gateway' | 'raw', string>>,
  bytes: number,
  duration: Duration,
): Promise<string[]> {
  const rate = (server: string, seconds = duration.seconds) =>
    rateOf(load, server, { url: `${server}${path}`, headers: {}, connections: CONNECTIONS, seconds });
  await rate(gateway, Math.min(1, duration.seconds));
  await rate(raw, Math.min(1, duration.seconds));
  const rounds: { readonly ours: Rate; readonly bare: Rate }[] = [];
  for (let round = 0; round < duration.rounds; round += 1)
    rounds.push({ ours: await rate(gateway), bare: await rate(raw) });
  return [
    name,
    (bytes / 1_000).toFixed(1),
    median(rounds.map(({ ours }) => ours.perSecond)).toFixed(0),
    median(rounds.map(({ bare }) => bare.perSecond)).toFixed(0),
    median(rounds.map(({ ours, bare }) => ours.perSecond / bare.perSecond)).toFixed(2),
    median(rounds.map(({ ours }) => ours.cpuMicros)).toFixed(0),
    median(rounds.map(({ bare }) => bare.cpuMicros)).toFixed(0),
    median(rounds.map(({ ours, bare }) => bare.cpuMicros / ours.cpuMicros)).toFixed(2),
  ];
}

const HEADING = ['request', 'KB', 'per s', 'bare', 'ratio', 'CPU us', 'bare', 'ratio'];

async function measure(
  chain: LocalnetProcess,
  load: ChildProcess,
  env: Readonly<Record<string, string>>,
  label: string,
  duration: Duration,
): Promise<string[][]> {
  const { vault, market } = chain.addresses;
  const cases: Case[] = [
    { name: `all vaults${label}`, path: '/kvaults/vaults' },
    { name: `metrics of all reserves${label}`, path: `/svc-market/${market}/reserves/metrics` },
    { name: `one vault${label}`, path: `/kvaults/vaults/${vault}` },
    { name: `metrics of 100 vaults${label}`, path: '/kvaults/vaults/metrics' },
    { name: `statistics of reserves${label}`, path: `/reserves/batch/stats?market=${market}` },
    { name: `oracle prices${label}`, path: '/oracles/prices?markets=all' },
    { name: `prices of tokens${label}`, path: '/prices' },
    { name: `curators${label}`, path: '/kvaults/curators' },
    {
      name: `open borrow orders${label}`,
      path: `/v2/svc-market/${market}/obligations-with-open-borrow-orders`,
    },
    { name: `lookup tables of vaults${label}`, path: '/luts/managed/product-type/vault' },
  ];
  const gateway = await startGateway(chain, env);
  const raw = worker('rest-raw.ts');
  try {
    const answers: Record<string, RawAnswer> = {};
    for (const { path } of cases) answers[path] = await recorded(`${gateway.url}${path}`);
    raw.send(answers);
    const [rawUrl] = (await once(raw, 'message')) as [string];
    const rows: string[][] = [];
    for (const each of cases) {
      const bytes = Buffer.byteLength(answers[each.path]?.body ?? '', 'base64');
      rows.push(await compare(load, each, { gateway: gateway.url, raw: rawUrl }, bytes, duration));
    }
    return rows;
  } finally {
    raw.disconnect();
    await gateway.stop();
  }
}

/**
 * Requests per second of the gateway, request log included, compared with a bare server that sends the same bytes and headers.
 * Load generator, bare server, gateway and chain are separate processes.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
    },
  });
  const duration = { seconds: Number(values.seconds), rounds: Number(values.rounds) };
  const chain = await startLocalnetProcess(SCALE);
  const load = worker('rest-load.ts');
  try {
    const still = await measure(chain, load, { VIEW_REFRESH_MS: '600000' }, '', duration);
    const moving = await measure(chain, load, {}, ', View every 2 s', duration);
    printTable([HEADING, ...still, ...moving]);
  } finally {
    load.disconnect();
    chain.stop();
  }
}
