import { join } from 'node:path';
import { median } from '../statistics.ts';
import { askGraph } from './ask-graph.ts';
import { ROOT } from './built-code.ts';
import { type Installed, installed } from './installed-size.ts';
import { startGateway, Worker } from './processes.ts';
import { nested } from './questions.ts';
import { scratchDatabase } from './scratch-database.ts';
import type { SdkNestedOrder } from './sdk-worker.ts';
import type { World } from './world.ts';

export interface FootprintRow {
  readonly name: string;
  /** From the start of the process to the first whole nested answer, over an RPC that is far. */
  readonly startMs: number;
  /** Resident memory with that answer, and after some seconds of load or of repetition. */
  readonly rssMb: number;
  readonly rssUsedMb: number;
  readonly installMb: number;
  readonly packages: number;
}

const MB = 1e6;
const SDK_REPEATS = 5;

const sizes = ({ bytes, packages }: Installed) => ({ installMb: bytes / MB, packages });

async function ours(world: World): Promise<FootprintRow> {
  const database = await scratchDatabase();
  const env: Record<string, string> = database === null ? {} : { DATABASE_URL: database.url };
  const times: number[] = [];
  let [rssMb, rssUsedMb] = [0, 0];
  try {
    // The first start makes the tables, which happens once in the life of a deployment.
    for (let round = 0; round <= world.plan.coldRounds; round += 1) {
      const gateway = await startGateway(world.slow.url, env);
      try {
        await askGraph(gateway.url, nested('same', 0));
        if (round > 0) times.push(performance.now() - gateway.startedAt);
        if (round < world.plan.coldRounds) continue;
        rssMb = (await gateway.usage()).rssBytes / MB;
        const order = { url: gateway.url, connections: 16, seconds: world.plan.loadSeconds * 2 };
        await world.load.ask('load', { ...order, variation: 'documents' });
        rssUsedMb = (await gateway.usage()).rssBytes / MB;
      } finally {
        await gateway.stop();
      }
    }
  } finally {
    await database?.drop();
  }
  const install = await installed(join(ROOT, 'package-lock.json'));
  const name = database === null ? 'Sluice, without PostgreSQL' : 'Sluice, with PostgreSQL';
  return { name, startMs: median(times), rssMb, rssUsedMb, ...sizes(install) };
}

async function sdk(world: World): Promise<FootprintRow> {
  const times: number[] = [];
  let [rssMb, rssUsedMb] = [0, 0];
  const order: SdkNestedOrder = { url: world.slow.url, vaults: world.ours.vaults };
  for (let round = 1; round <= world.plan.coldRounds; round += 1) {
    const worker = new Worker('peers/sdk-worker');
    try {
      await worker.greeting;
      await worker.ask('nested', order);
      times.push(performance.now() - worker.startedAt);
      rssMb = (await worker.usage()).rssBytes / MB;
      if (round < world.plan.coldRounds) continue;
      for (let i = 0; i < SDK_REPEATS; i += 1) await worker.ask('nested', order);
      rssUsedMb = (await worker.usage()).rssBytes / MB;
    } finally {
      await worker.stop();
    }
  }
  const install = await installed(join(ROOT, 'test/oracle/package-lock.json'), [
    '@kamino-finance/klend-sdk',
    '@solana/kit',
  ]);
  return { name: 'official SDK', startMs: median(times), rssMb, rssUsedMb, ...sizes(install) };
}

/** What it takes to have the first answer, and to have it at all. */
export async function footprints(world: World): Promise<FootprintRow[]> {
  return [await ours(world), await sdk(world)];
}
