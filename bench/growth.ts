import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { lineChart } from './charts/line-chart.ts';
import { printTable } from './measure.ts';
import { askGraph } from './peers/ask-graph.ts';
import { buildAll } from './peers/built-code.ts';
import type { LoadResult } from './peers/http-load.ts';
import { type GraphServer, startGateway, Worker } from './peers/processes.ts';
import { type GraphRequest, nested, portfolio, type Variation } from './peers/queries.ts';
import type { StillChain } from './peers/still-chain.ts';
import { median, threeDigits } from './statistics.ts';

const SCALES = [1, 3, 10];
/** The smallest world has 32. */
const VAULTS = 30;

interface Size {
  readonly scale: number;
  readonly vaults: number;
  readonly reserves: number;
  readonly residentMb: number;
  /** Milliseconds per request, by name. */
  readonly ms: Readonly<Record<string, number>>;
}

interface Length {
  readonly seconds: number;
  readonly rounds: number;
}

async function medianOf(rounds: number, ask: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  // The first round is not counted: it includes work done once per View.
  for (let round = 0; round <= rounds; round += 1) {
    const started = performance.now();
    await ask(round);
    if (round > 0) times.push(performance.now() - started);
  }
  return median(times);
}

async function nestedMs(load: Worker, url: string, variation: Variation, seconds: number): Promise<number> {
  const order = { url, variation, connections: 1, seconds, vaults: VAULTS };
  await load.ask('load', { ...order, seconds: seconds / 2 });
  const { latenciesMs, failed } = await load.ask<LoadResult>('load', order);
  if (failed > 0) throw new Error(`${failed} answers were not 200`);
  return median(latenciesMs);
}

function oneVault(vault: string, round: number): GraphRequest {
  return {
    query: `query Vault${round}($vault: Address!) { vault(address: $vault) { name totalValue { usd } currentApy { total }
  allocations { reserve { supplyApy { total } } } } }`,
    variables: { vault },
  };
}

function lendingDeposit({ wallet, market, depositReserve: reserve }: StillChain['addresses']): GraphRequest {
  return {
    query: `mutation ($input: LendingActionInput!) { buildLendingDeposit(input: $input) { __typename ... on TransactionPlan {
  bundle { instructions { programAddress data accounts { address role } } lutsByAddress } } } }`,
    variables: { input: { wallet, market, reserve, amount: { tokens: '1' } } },
  };
}

async function get(url: string): Promise<void> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
}

async function answers(
  gateway: GraphServer,
  load: Worker,
  chain: StillChain,
  { seconds, rounds }: Length,
): Promise<Record<string, number>> {
  const { url } = gateway;
  const { origin } = new URL(url);
  const { vault = '' } = chain.addresses;
  const build = lendingDeposit(chain.addresses);
  return {
    [`${VAULTS} vaults nested, cached answer`]: await nestedMs(load, url, 'same', seconds),
    [`${VAULTS} vaults nested, distinct documents`]: await nestedMs(load, url, 'documents', seconds),
    'one vault, distinct documents': await medianOf(rounds, (round) => askGraph(url, oneVault(vault, round))),
    'wallet, distinct': await medianOf(rounds, (round) =>
      askGraph(url, portfolio(chain.wallets[round % chain.wallets.length] ?? '')),
    ),
    'REST: metrics of a vault': await medianOf(rounds, () =>
      get(`${origin}/kvaults/vaults/${vault}/metrics`),
    ),
    'REST: all vaults': await medianOf(rounds, () => get(`${origin}/kvaults/vaults`)),
    'build of a deposit': await medianOf(rounds, () => askGraph(url, build)),
  };
}

async function measure(scale: number, load: Worker, length: Length): Promise<Size> {
  const chainWorker = new Worker<StillChain>('peers/still-chain', [String(scale)]);
  const chain = await chainWorker.greeting;
  const gateway = await startGateway(chain.url);
  try {
    await askGraph(gateway.url, nested('same', 0, VAULTS));
    const start = performance.now() - gateway.startedAt;
    const ms = { 'start to first answer': start, ...(await answers(gateway, load, chain, length)) };
    const { rssBytes } = await gateway.usage();
    return {
      scale,
      vaults: chain.size.vaults,
      reserves: chain.size.reserves,
      residentMb: rssBytes / 1e6,
      ms,
    };
  } finally {
    await Promise.all([gateway.stop(), chainWorker.stop()]);
  }
}

function printSizes(sizes: readonly Size[]): void {
  const row = (name: string, value: (size: Size) => string) => [name, ...sizes.map(value)];
  printTable([
    row('ms', ({ scale }) => `world x${scale}`),
    ...Object.keys(sizes[0]?.ms ?? {}).map((name) =>
      row(name, ({ ms }) => threeDigits(ms[name] ?? Number.NaN)),
    ),
    row('resident MB', ({ residentMb }) => residentMb.toFixed(0)),
    row('vaults', ({ vaults }) => String(vaults)),
    row('reserves', ({ reserves }) => String(reserves)),
  ]);
}

function chartOf(sizes: readonly Size[]): string {
  return lineChart({
    title: 'Response time by world size',
    xUnit: 'size of the world; 1× has 32 vaults and 72 reserves, mainnet about 5×',
    yUnit: 'milliseconds, both axes logarithmic',
    lines: Object.keys(sizes[0]?.ms ?? {}).map((label) => ({
      label,
      points: sizes.map(({ scale, ms }) => ({ x: scale, y: ms[label] ?? Number.NaN })),
    })),
  });
}

/** The same requests on worlds of size 1, 3 and 10: which times grow with the world and which do not. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      svg: { type: 'string' },
    },
  });
  await buildAll();
  const load = new Worker('peers/http-load');
  try {
    await load.greeting;
    const length = values.quick ? { seconds: 0.3, rounds: 5 } : { seconds: 2, rounds: 61 };
    const sizes: Size[] = [];
    for (const scale of values.quick ? [1, 2] : SCALES) sizes.push(await measure(scale, load, length));
    printSizes(sizes);
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(sizes, null, 2)}\n`);
    if (values.svg !== undefined) await writeFile(values.svg, chartOf(sizes));
  } finally {
    await load.stop();
  }
}
