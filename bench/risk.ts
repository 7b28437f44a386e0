import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { Chain } from '../src/chain/chain.ts';
import { EMPTY_CATALOGUE } from '../src/config/catalogue/empty-catalogue.ts';
import { loadConfig } from '../src/config/config.ts';
import { marketInView } from '../src/services/markets/markets.ts';
import { ObligationIndexes } from '../src/services/obligation-index/obligation-indexes.ts';
import { Platform } from '../src/services/platform/platform.ts';
import { type GivenScenario, marketRisk } from '../src/services/risk/market-risk.ts';
import { printTable } from './measure.ts';
import type { Order, Reply } from './peers/worker.ts';
import type { LoanChain } from './risk/loan-chain.ts';
import type { SdkPass } from './risk/sdk-pass.ts';
import { threeDigits } from './statistics.ts';

const OPTIONS = {
  loans: { type: 'string', default: '100000' },
  shocks: { type: 'string', default: '10' },
  /** Loans that the SDK values; its time is scaled to all of them. */
  'sdk-loans': { type: 'string', default: '2000' },
} as const;

/** Cost of one piece of work. */
interface Sample {
  readonly ms: number;
  /** Longest block of the event loop. */
  readonly longestPauseMs: number;
  readonly calls: number;
  readonly bytes: number;
}

/**
 * All loans of a market under shocks: `npm run bench -- risk --loans 100000 --shocks 10`. The chain and the SDK run in
 * processes of their own, so that neither their time nor their memory counts.
 */
export async function run(args: readonly string[]): Promise<void> {
  const [mode, ...rest] = args;
  if (mode === 'measure') {
    await measure(rest);
    return;
  }
  const file = fileURLToPath(new URL('run.ts', import.meta.url));
  const flags = ['--expose-gc', '--import', 'tsx'];
  const child = spawn(process.execPath, [...flags, file, 'risk', 'measure', ...args], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  process.exitCode = Number(code ?? 1);
}

/** A process of the bench that runs orders. */
function worker<G>(module: string, args: readonly string[]) {
  const child = fork(fileURLToPath(new URL(module, import.meta.url)), args, {
    execArgv: ['--import', 'tsx'],
  });
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  const reply = <T>(id: number) => new Promise<T>((resolve, reject) => waiting.set(id, { resolve, reject }));
  const greeting = reply<G>(0);
  child.on('message', ({ id, result, error }: Reply) => {
    if (error === undefined) waiting.get(id)?.resolve(result as never);
    else waiting.get(id)?.reject(new Error(`${module}: ${error}`));
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`${module} ended`));
  });
  let orders = 0;
  return {
    greeting,
    ask<T>(task: string, input: unknown): Promise<T> {
      orders += 1;
      child.send({ id: orders, task, input } satisfies Order);
      return reply<T>(orders);
    },
    stop: () => child.kill(),
  };
}

async function measure(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const shockCount = Number(values.shocks);
  const chainWorker = worker<LoanChain>('risk/loan-chain.ts', [values.loans, values['sdk-loans']]);
  const world = await chainWorker.greeting;
  const config = loadConfig({ SOLANA_RPC_URLS: world.url, SOLANA_CLUSTER: 'localnet' });
  let [calls, bytes] = [0, 0];
  const chain = new Chain({
    rpcUrls: config.SOLANA_RPC_URLS,
    wsUrls: [],
    programs: config.programs,
    cluster: config.SOLANA_CLUSTER,
    commitment: config.SOLANA_COMMITMENT,
    // The View is read once.
    viewRefreshMs: 3_600_000,
    vaultRefreshMs: 3_600_000,
    discoveryIntervalMs: 3_600_000,
    viewsKept: 1,
    rpcTimeoutMs: 120_000,
    rpcMaxAttempts: 1,
    rpcConcurrency: config.RPC_CONCURRENCY,
    onRpcCall: (call) => {
      calls += 1;
      bytes += call.requestBytes + call.responseBytes;
    },
  });
  const sample = async (work: () => Promise<unknown>): Promise<Sample> => {
    [calls, bytes] = [0, 0];
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const startedAt = performance.now();
    await work();
    const ms = performance.now() - startedAt;
    delays.disable();
    return { ms, longestPauseMs: delays.max / 1e6, calls, bytes };
  };
  chain.start();
  // Every call updates the index, for which no time passes meanwhile.
  let updates = 0;
  const options = { refreshMs: 1, maxWaitMs: 600_000, now: () => updates };
  const loans = new ObligationIndexes(config.programs.klend, chain.loans, options);
  const kept = new ObligationIndexes(config.programs.klend, chain.loans, { refreshMs: 3_600_000 });
  const platform = new Platform({ chain, catalogue: EMPTY_CATALOGUE, obligations: kept });
  const { signal } = new AbortController();
  const session = await platform.openSession({ signal });
  const market = marketInView(session.view, world.market);
  const update = () => {
    updates += 1;
    return loans.of(world.market).current(signal);
  };
  const before = residentBytes();
  const first = await sample(update);
  const after = residentBytes();
  const { table } = await update();
  const unchanged = await sample(update);
  const some = Math.round(world.loans / 100);
  await chainWorker.ask('change', some);
  const changed = await sample(update);
  const given = shocksOf(
    session.view.reservesOfMarket(world.market).map(({ value }) => value.liquidity.mintPubkey),
    shockCount,
  );
  await kept.of(world.market).current(signal);
  const none = await sample(() => marketRisk(platform, session, market, []));
  const all = await sample(() => marketRisk(platform, session, market, given));
  const risk = await marketRisk(platform, session, market, given);
  const sdkWorker = worker<null>('risk/sdk-pass.ts', []);
  await sdkWorker.greeting;
  const sdk = await sdkWorker.ask<SdkPass>('pass', world);

  const row = (name: string, { ms, longestPauseMs, calls, bytes }: Sample) => [
    name,
    threeDigits(ms),
    threeDigits(longestPauseMs),
    String(calls),
    threeDigits(bytes / 1e6),
  ];
  printTable([
    [`${world.loans} loans`, 'ms', 'longest pause ms', 'calls', 'MB'],
    row('first update, all loans read', first),
    row('update without a change', unchanged),
    row(`update with ${some} changed loans`, changed),
    row('risk now', none),
    row(`risk under ${shockCount} shocks`, all),
  ]);
  const sdkMs = (sdk.ms / sdk.loans) * world.loans;
  const scaled = sdk.loans === world.loans ? '' : ` (${sdk.loans} loans, scaled)`;
  const lines = [
    `index: ${(table.memoryBytes / table.size).toFixed(0)} bytes per loan, ${threeDigits(table.memoryBytes / 1e6)} MB; resident memory ${threeDigits((after - before) / 1e6)} MB more after the first update`,
    `the SDK's own computation, one pass at present prices${scaled}: ${threeDigits(sdkMs)} ms, ${threeDigits(sdkMs / none.ms)} times ours; ${1 + shockCount} passes for the same shocks would take ${threeDigits((sdkMs * (1 + shockCount)) / all.ms)} times ours`,
    `liquidatable now: ${risk.now.liquidatable.loans}; under the last shock: ${risk.shocks.at(-1)?.liquidatable.loans ?? 0}; in the SDK's ${sdk.loans} loans: ${sdk.liquidatable}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  sdkWorker.stop();
  chainWorker.stop();
  await chain.stop();
}

/** All tokens but the dollar-like ones of the first reserve fall, further in each shock. */
function shocksOf(
  [, ...mints]: readonly GivenScenario['prices'][number]['mint'][],
  count: number,
): GivenScenario[] {
  return Array.from({ length: count }, (_, i) => {
    const fall = Math.round((60 * (i + 1)) / count);
    return {
      label: `-${fall} %`,
      prices: [...new Set(mints)].map((mint) => ({ mint, changePct: parseDecimal(`-${fall}`) })),
    };
  });
}

function residentBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}
