import { join } from 'node:path';
import { startLocalnetProcess } from '../localnet-process.ts';
import { median } from '../statistics.ts';
import { askGraph } from './ask-graph.ts';
import { ROOT } from './built-code.ts';
import { type Installed, installed } from './installed-size.ts';
import { type GraphServer, startGateway, Worker } from './processes.ts';
import { nested } from './queries.ts';
import { scratchDatabase } from './scratch-database.ts';
import type { SdkNestedOrder } from './sdk-worker.ts';
import type { World } from './world.ts';

export interface FootprintRow {
  readonly name: string;
  /** From process start to the first complete nested answer, over the slow RPC. */
  readonly startMs: number;
  /** Resident memory after that answer. `rssUsedMb` is after load, or the peak during load where the name says so. */
  readonly rssMb: number;
  readonly rssUsedMb: number;
  readonly installMb: number;
  readonly packages: number;
}

const MB = 1e6;
const SDK_REPEATS = 5;
const SAMPLE_MS = 250;
/** Long enough for several View refreshes. */
const MOVING_FACTOR = 10;

const sizes = ({ bytes, packages }: Installed) => ({ installMb: bytes / MB, packages });

/** Starts the gateway, waits for its first answer, and runs `work` on it. */
async function started<T>(
  url: string,
  env: Readonly<Record<string, string>>,
  work: (gateway: GraphServer) => Promise<T>,
): Promise<T> {
  const gateway = await startGateway(url, env);
  try {
    await askGraph(gateway.url, nested('same', 0));
    return await work(gateway);
  } finally {
    await gateway.stop();
  }
}

const residentMb = async (gateway: GraphServer) => (await gateway.usage()).rssBytes / MB;

/** Distinct documents on 16 connections. */
const loaded = (world: World, { url }: GraphServer, seconds: number) =>
  world.load.ask('load', { url, connections: 16, seconds, variation: 'documents' });

/** Peak resident memory while `doing` runs. */
async function highestMb(gateway: GraphServer, doing: Promise<unknown>): Promise<number> {
  let over = false;
  const done = doing.finally(() => {
    over = true;
  });
  let highest = 0;
  while (!over) {
    highest = Math.max(highest, await residentMb(gateway));
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
  await done;
  return highest;
}

async function ours(world: World): Promise<FootprintRow[]> {
  const { coldRounds, loadSeconds, scale } = world.plan;
  const database = await scratchDatabase();
  const env: Record<string, string> = database === null ? {} : { DATABASE_URL: database.url };
  const times: number[] = [];
  let [rssMb, rssUsedMb] = [0, 0];
  const moving = await startLocalnetProcess(scale);
  try {
    // The first start creates the tables, once per deployment. It is not counted.
    for (let round = 0; round <= coldRounds; round += 1) {
      await started(world.chain.farUrl, env, async (gateway) => {
        if (round > 0) times.push(performance.now() - gateway.startedAt);
        if (round < coldRounds) return;
        rssMb = await residentMb(gateway);
        await loaded(world, gateway, loadSeconds * 2);
        rssUsedMb = await residentMb(gateway);
      });
    }
    const row = { ...sizes(await installed(join(ROOT, 'package-lock.json'))), startMs: median(times), rssMb };
    const name = database === null ? 'Sluice, without PostgreSQL' : 'Sluice, with PostgreSQL';
    const everyTwoSeconds = { ...env, VIEW_REFRESH_MS: '2000' };
    const movingMb = await started(moving.url, everyTwoSeconds, (gateway) =>
      highestMb(gateway, loaded(world, gateway, loadSeconds * MOVING_FACTOR)),
    );
    return [
      { ...row, name, rssUsedMb },
      { ...row, name: `${name}, peak while the chain moves`, rssUsedMb: movingMb },
    ];
  } finally {
    moving.stop();
    await database?.drop();
  }
}

async function sdk(world: World): Promise<FootprintRow> {
  const times: number[] = [];
  let [rssMb, rssUsedMb] = [0, 0];
  const order: SdkNestedOrder = { url: world.chain.farUrl, vaults: world.ours.vaults };
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

/** Time to the first answer, memory and installed size. */
export async function footprints(world: World): Promise<FootprintRow[]> {
  return [...(await ours(world)), await sdk(world)];
}
