import { parentPort, workerData } from 'node:worker_threads';
import type { ProgramIds } from '../programs/program-ids.ts';
import { openDatabase } from '../store/database.ts';
import type { Snapshot } from '../store/history/samples.ts';
import { writeHistory } from '../store/history/write-snapshot.ts';
import { pastSnapshots } from './past-snapshots.ts';
import type { SamplingPlan } from './sampling-plan.ts';

/** What a seeding thread is told. */
export interface SeedInput {
  readonly databaseUrl: string;
  readonly fence: bigint;
  readonly scale: number;
  readonly presentMs: number;
  readonly programs: ProgramIds;
  readonly plans: readonly SamplingPlan[];
}

/** How many of its snapshots a thread has written since it last said so. */
export type SeedProgress = number;

/** Whole hours of minutes and whole days of hours, so that each is rolled up once. */
const SNAPSHOTS_PER_WRITE = 120;
const STATEMENT_MS = 120_000;

async function seed({ databaseUrl, fence, plans, ...world }: SeedInput): Promise<void> {
  const db = await openDatabase({ url: databaseUrl, poolSize: 1, statementTimeoutMs: STATEMENT_MS });
  try {
    for (const { step, at } of plans) {
      let waiting: Snapshot[] = [];
      const write = async () => {
        await writeHistory(db, fence, step, waiting);
        parentPort?.postMessage(waiting.length satisfies SeedProgress);
        waiting = [];
      };
      for (const snapshot of pastSnapshots({ ...world, moments: at })) {
        waiting.push(snapshot);
        if (waiting.length === SNAPSHOTS_PER_WRITE) await write();
      }
      await write();
    }
  } finally {
    await db.close();
  }
}

await seed(workerData as SeedInput);
