import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createWorldChain } from '@sluice/localnet/world/world-chain';
import { loadConfig } from '../src/config/config.ts';
import type { GeneratorOrder, Tally } from './load/generator.ts';
import { describedWorld } from './load/moving-chain.ts';
import { printTable } from './measure.ts';
import { buildAll, ROOT } from './peers/built-code.ts';
import { startEmbeddedGateway, untilHistoryIsReady, Worker } from './peers/processes.ts';
import { type MemoryParts, memoryParts } from './soak/memory-parts.ts';
import { answersOf, failuresOf, verdictsOf } from './soak/verdicts.ts';

const HEADING = [
  'MB after',
  'resident',
  'heap used',
  'heap total',
  'external',
  'of it buffers',
  'threads',
  'PGlite',
  'malloc',
  'rest',
  'answers',
  'failed',
];
const MINUTE_MS = 60_000;

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

function rowOf(
  label: string,
  { rss, main, threadHeaps, wasm, malloc }: MemoryParts,
  tally: Tally | null,
): string[] {
  const { heapUsed, heapTotal, external, arrayBuffers } = main;
  const rest = rss - heapTotal - threadHeaps - wasm - malloc;
  return [
    label,
    ...[rss, heapUsed, heapTotal, external, arrayBuffers, threadHeaps, wasm, malloc, rest].map(megabytes),
    String(tally === null ? 0 : answersOf(tally)),
    String(tally === null ? 0 : failuresOf(tally)),
  ];
}

/**
 * Memory of the embedded default (`npm start` without settings) under a mixed load, by owner and minute. Fails when it exceeds
 * the bound of docs/benchmarks.md, or when a request or stream fails.
 *
 *   npm run bench -- soak [--minutes 8] [--rate 0.5] [--clients 50] [--node-options --max-old-space-size=512]
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '8' },
      rate: { type: 'string', default: '0.5' },
      clients: { type: 'string', default: '50' },
      'node-options': { type: 'string', default: '' },
    },
  });
  await buildAll();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-soak-'));
  const gateway = await startEmbeddedGateway(join(folder, 'data'), {
    SOAK_FOLDER: folder,
    // All clients of the load share one address.
    RATE_LIMIT: '0',
    MAX_STREAMS_PER_CLIENT: '10000',
    NODE_OPTIONS: `--import ${join(ROOT, 'bench/soak/report-memory.mjs')} ${values['node-options']}`,
  });
  const generator = new Worker('load/generator');
  const rows = [HEADING];
  const wrong = new Set<string>();
  const tallies: Tally[] = [];
  let residentMb = 0;
  const note = (label: string, tally: Tally | null) => {
    const parts = memoryParts(gateway.pid, folder);
    residentMb = Math.max(residentMb, parts.rss / 1e6);
    rows.push(rowOf(label, parts, tally));
    if (tally !== null) {
      tallies.push(tally);
      for (const { wrong: texts } of [...tally.kinds, tally.streams])
        for (const text of texts) wrong.add(text);
    }
    process.stderr.write(`${rows.at(-1)?.join('\t')}\n`);
  };
  try {
    const { origin } = new URL(gateway.url);
    await untilHistoryIsReady(origin);
    await sleep(2_000);
    note('history', null);
    await generator.greeting;
    const { LOCALNET_SCALE: scale } = loadConfig({});
    const order: GeneratorOrder = {
      url: gateway.url,
      chain: describedWorld(createWorldChain({ scale, now: Date.now })),
      rate: Number(values.rate),
      clients: Number(values.clients),
    };
    await generator.ask('start', order);
    for (let minute = 1; minute <= Number(values.minutes); minute += 1) {
      await sleep(MINUTE_MS);
      note(`${minute} min`, await generator.ask<Tally>('take'));
    }
    await generator.ask('stop');
  } finally {
    await generator.stop();
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  }
  printTable(rows);
  for (const text of wrong) process.stdout.write(`wrong: ${text}\n`);
  for (const { promise, isMet } of verdictsOf(residentMb, tallies, Number(values.clients))) {
    process.stdout.write(`${isMet ? 'met' : 'MISSED'}: ${promise}\n`);
    if (!isMet) process.exitCode = 1;
  }
}
