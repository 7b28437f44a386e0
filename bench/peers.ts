import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { buildAll } from './peers/built-code.ts';
import { clientReads } from './peers/client-reads.ts';
import { footprints } from './peers/footprint.ts';
import { nestedReads } from './peers/nested-read.ts';
import { peersChart } from './peers/peers-chart.ts';
import { FULL, QUICK } from './peers/plan.ts';
import { printResults } from './peers/print.ts';
import type { Results } from './peers/results.ts';
import { throughputs } from './peers/throughput.ts';
import { wallets } from './peers/wallets.ts';
import { startWorld, type World } from './peers/world.ts';

const PARTS = ['nested', 'clients', 'throughput', 'wallets', 'footprint'] as const;
type Part = (typeof PARTS)[number];

const USAGE = `npm run bench -- peers [--quick] [--only ${PARTS.join(',')}] [--json FILE] [--svg FILE]`;

async function measure(world: World, parts: readonly string[], startedAt: number): Promise<Results> {
  const part = async <T>(name: Part, work: (world: World) => Promise<T[]>): Promise<T[]> => {
    if (!parts.includes(name)) return [];
    const began = performance.now();
    const rows = await work(world);
    process.stderr.write(`${name}: ${((performance.now() - began) / 1_000).toFixed(0)} s\n`);
    return rows;
  };
  const measured = {
    nested: await part('nested', nestedReads),
    clients: await part('clients', clientReads),
    throughput: await part('throughput', throughputs),
    wallets: await part('wallets', wallets),
    footprint: await part('footprint', footprints),
  };
  return {
    at: new Date().toISOString(),
    node: process.versions.node,
    processors: cpus().length,
    seconds: (performance.now() - startedAt) / 1_000,
    world: world.chain.size,
    answerBytes: Buffer.byteLength(JSON.stringify(world.ours.answer)),
    ...measured,
  };
}

/**
 * Compares the gateway with its alternatives in one run on one chain: the official SDK, one REST call per object, the same
 * schema on other servers, and a generic GraphQL client. Answers must agree before anything is measured.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: PARTS.join(',') },
      json: { type: 'string' },
      svg: { type: 'string' },
    },
  });
  const parts = values.only.split(',');
  const unknown = parts.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`unknown part ${unknown}: ${USAGE}`);
  const startedAt = performance.now();
  await buildAll();
  const world = await startWorld(values.quick ? QUICK : FULL);
  try {
    const results = await measure(world, parts, startedAt);
    printResults(results);
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`);
    if (values.svg !== undefined) await writeFile(values.svg, peersChart(results));
  } finally {
    await world.stop();
  }
}
