import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ProgramIds } from '../../programs/program-ids.ts';
import type { Snapshot } from '../../store/history/samples.ts';
import { encodeNewPoints, type NewPoints, writeNewPoints } from '../../store/history/write-snapshot.ts';
import { openSession } from '../../store/session.ts';
import { pastSnapshots } from './past-snapshots.ts';
import type { SamplingPlan } from './sampling-plan.ts';

/** What a seeding thread is told. */
export interface SeedInput {
  readonly scale: number;
  readonly presentMs: number;
  readonly programs: ProgramIds;
  readonly plans: readonly SamplingPlan[];
}

/** Where to write, told when the database is open and empty. */
export interface SeedTarget {
  readonly databaseUrl: string;
  readonly fence: bigint;
}

/** How many of its snapshots a thread has written since it last said so. */
export type SeedProgress = number;

/** Whole hours of minutes and whole days of hours, so that each is rolled up once. */
const SNAPSHOTS_PER_WRITE = 120;
const STATEMENT_MS = 120_000;

async function seed({ plans, ...world }: SeedInput, target: Promise<SeedTarget>): Promise<void> {
  // One telling for all of them: each plan begins where the one before it ends.
  const past = pastSnapshots({ ...world, moments: plans.flatMap(({ at }) => at) });
  const snapshots = await madeMeanwhile(past, target);
  const { databaseUrl, fence } = await target;
  const open = () => openSession({ url: databaseUrl, statementTimeoutMs: STATEMENT_MS });
  // Names are asked for while points are written; amid that transaction they would be lost with it.
  const [names, writer] = [await open(), await open()];
  const write = async (points: NewPoints) => {
    await writeNewPoints(writer, fence, points);
    parentPort?.postMessage(points.moments.length satisfies SeedProgress);
  };
  try {
    let written = Promise.resolve();
    for (const { step, at } of plans) {
      for (let done = 0; done < at.length; done += SNAPSHOTS_PER_WRITE) {
        const count = Math.min(SNAPSHOTS_PER_WRITE, at.length - done);
        const points = await encodeNewPoints(names, step, take(snapshots, count));
        await written;
        written = write(points);
        // What fails meanwhile is told by the next to wait for it.
        written.catch(() => {});
      }
    }
    await written;
  } finally {
    await Promise.all([names.close(), writer.close()]);
  }
}

/** The same. As many as one write takes are made while it is not known where to. */
async function madeMeanwhile<T>(all: Iterator<T>, known: Promise<unknown>): Promise<Iterator<T>> {
  let isKnown = false;
  void known.then(() => {
    isKnown = true;
  });
  const made: T[] = [];
  while (!isKnown && made.length < SNAPSHOTS_PER_WRITE) {
    const next = all.next();
    if (next.done) break;
    made.push(next.value);
    await setImmediate();
  }
  return {
    next() {
      const value = made.shift();
      return value === undefined ? all.next() : { value };
    },
  };
}

/** With a turn of the loop for each, in which those before them are written. */
async function* take(snapshots: Iterator<Snapshot>, count: number): AsyncGenerator<Snapshot> {
  for (let taken = 0; taken < count; taken += 1) {
    await setImmediate();
    const next = snapshots.next();
    if (next.done) throw new RangeError('every moment that was asked for is told');
    yield next.value;
  }
}

const target = new Promise<SeedTarget>((resolve) => {
  parentPort?.once('message', resolve);
});
await seed(workerData as SeedInput, target);
