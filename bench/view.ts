import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createEndpointPool } from '@sluice/rpc-pool';
import { AccountReader } from '../src/chain/accounts/account-reader.ts';
import { CatalogueBuilder } from '../src/chain/view/catalogue.ts';
import { KINDS, type Kind } from '../src/chain/view/kinds.ts';
import type { View } from '../src/chain/view/view.ts';
import { ViewKeeper } from '../src/chain/view/view-keeper.ts';
import { ViewStore } from '../src/chain/view/view-store.ts';
import { printTable } from './measure.ts';

/** Cost of one operation. `waitMs` is the idle time of the event loop. */
interface Sample {
  readonly ms: number;
  readonly waitMs: number;
  /** Time in `CatalogueBuilder.take`: comparing with the held accounts and decoding those that changed. */
  readonly takeMs: number;
  /** Longest block of the event loop. */
  readonly longestPauseMs: number;
  readonly calls: number;
  readonly bytes: number;
}

interface Measured {
  readonly vaults: number;
  readonly reserves: number;
  readonly accounts: number;
  readonly firstFill: Sample;
  readonly fill: Sample;
  readonly whole: Sample;
  readonly reservesOnly: Sample;
  /** Resident memory before the first fill and after the last refresh, after garbage collection. */
  readonly residentBefore: number;
  readonly residentAfter: number;
}

const SIZES = [
  { name: '1x', chain: ['1'] },
  { name: 'mainnet', chain: ['7', '170', '300'] },
  { name: '10x', chain: ['10'] },
];
const ROUNDS = 9;

/**
 * Cost of filling and refreshing a View. Each size gets a new process for the chain and one for the measurement, so that
 * neither time nor memory of the chain counts.
 */
export async function run([mode, url]: readonly string[]): Promise<void> {
  if (mode === 'measure' && url !== undefined) {
    process.stdout.write(`${JSON.stringify(await measure(url))}\n`);
    return;
  }
  const rows = [
    ['size', 'work', 'ms', 'waiting', 'parsing', 'take', 'longest pause ms', 'calls', 'MB', 'resident MB'],
  ];
  for (const { name, chain } of SIZES) {
    const server = start('view-chain.ts', chain);
    const measured = JSON.parse(
      await firstLine(start('run.ts', ['view', 'measure', await firstLine(server)])),
    );
    server.kill('SIGTERM');
    rows.push(...rowsOf(name, measured));
  }
  printTable(rows);
}

function start(file: string, args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return child;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('no output');
  const [line] = await once(createInterface(stdout), 'line');
  return String(line);
}

function rowsOf(name: string, measured: Measured): string[][] {
  const { vaults, reserves, accounts, residentBefore, residentAfter } = measured;
  const row = (size: string, work: string, sample: Sample, memory = '') => [
    size,
    work,
    sample.ms.toFixed(0),
    share(sample.waitMs, sample),
    share(sample.ms - sample.waitMs - sample.takeMs, sample),
    share(sample.takeMs, sample),
    sample.longestPauseMs.toFixed(0),
    String(sample.calls),
    (sample.bytes / 1e6).toFixed(2),
    memory,
  ];
  const mb = (bytes: number) => (bytes / 1e6).toFixed(0);
  return [
    row(name, 'first fill', measured.firstFill, `${mb(residentBefore)} before`),
    row(`${vaults} vaults`, 'fill, warm', measured.fill),
    row(`${reserves} reserves`, 'refresh all', measured.whole),
    row(`${accounts} accounts`, 'refresh reserves', measured.reservesOnly, `${mb(residentAfter)} after`),
  ];
}

const share = (part: number, { ms }: Sample) => `${((part / ms) * 100).toFixed(0)} %`;

async function measure(url: string): Promise<Measured> {
  let takeMs = 0;
  const take = CatalogueBuilder.prototype.take;
  CatalogueBuilder.prototype.take = function timed(...args) {
    const startedAt = performance.now();
    take.apply(this, args);
    takeMs += performance.now() - startedAt;
  };
  let [calls, bytes] = [0, 0];
  const pool = createEndpointPool({
    urls: [url],
    timeoutMs: 60_000,
    maxAttempts: 1,
    maxConcurrencyPerEndpoint: 16,
    onCall: (call) => {
      calls += 1;
      bytes += call.requestBytes + call.responseBytes;
    },
  });
  const sample = async (work: () => Promise<unknown>): Promise<Sample> => {
    [calls, bytes, takeMs] = [0, 0, 0];
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const startedAt = performance.now();
    const before = performance.eventLoopUtilization();
    await work();
    const { idle } = performance.eventLoopUtilization(before);
    const ms = performance.now() - startedAt;
    delays.disable();
    return { ms, waitMs: idle, takeMs, longestPauseMs: delays.max / 1e6, calls, bytes };
  };
  const several = async (work: () => Promise<unknown>): Promise<Sample> => {
    const samples: Sample[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      // Lets the chain advance, so that accounts change between rounds.
      await new Promise((resolve) => setTimeout(resolve, 500));
      samples.push(await sample(work));
    }
    return samples.sort((a, b) => a.ms - b.ms)[Math.floor(ROUNDS / 2)] as Sample;
  };

  const residentBefore = resident();
  let keeper = newKeeper(pool);
  const firstFill = await sample(() => keeper.read());
  const fill = await several(async () => {
    keeper = newKeeper(pool);
    await keeper.read();
  });
  const whole = await several(() => {
    keeper.refreshAllNow();
    return keeper.read();
  });
  let view: View | undefined;
  const reservesOnly = await several(async () => {
    view = await keeper.read();
  });
  const residentAfter = resident();
  await pool.close();
  const count = (kind: Kind) => view?.all(kind).size ?? 0;
  return {
    vaults: count('vault'),
    reserves: count('reserve'),
    accounts: KINDS.reduce((sum, kind) => sum + count(kind), 0),
    ...{ firstFill, fill, whole, reservesOnly, residentBefore, residentAfter },
  };
}

function resident(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

/** A keeper that reads everything once, and later only on request. */
function newKeeper({ rpc }: ReturnType<typeof createEndpointPool>): ViewKeeper {
  const never = Number.POSITIVE_INFINITY;
  return new ViewKeeper({
    rpc,
    reader: new AccountReader(rpc, { commitment: 'confirmed' }),
    store: new ViewStore(8),
    programs: MAINNET_PROGRAMS,
    commitment: 'confirmed',
    viewRefreshMs: 2_000,
    vaultRefreshMs: never,
    discoveryIntervalMs: never,
  });
}
