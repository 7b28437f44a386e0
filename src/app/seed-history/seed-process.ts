import { setImmediate } from 'node:timers/promises';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Snapshot } from '../../store/history/samples.ts';
import { encodeNewPoints, type NewPoints, writeNewPoints } from '../../store/history/write-snapshot.ts';
import { openPgConnection } from '../../store/pg-connection.ts';
import { pastSnapshots } from './past-snapshots.ts';
import type { SamplingPlan } from './sampling-plan.ts';

/** Input of the generation. */
export interface SeedInput {
  readonly scale: number;
  readonly presentMs: number;
  readonly programs: ProgramIds;
  readonly plans: readonly SamplingPlan[];
}

/** Where to write. Sent when the database is open and empty. */
export interface SeedTarget {
  readonly databaseUrl: string;
  readonly fence: bigint;
}

/** Messages to the process: first its input, then, once the database is open, the target. */
export type SeedMessage = { readonly input: SeedInput } | { readonly target: SeedTarget };

/** Number of snapshots written since the last message. */
export type SeedProgress = number;

/** Whole hours of minutes and whole days of hours, so that each is rolled up once. */
const SNAPSHOTS_PER_WRITE = 120;
/** Most snapshots that are held in memory until the database is open. */
const MAX_PREFETCHED = 300;
const STATEMENT_MS = 120_000;

async function seed({ plans, ...world }: SeedInput, target: Promise<SeedTarget>): Promise<void> {
  // The past is generated once for all plans: each begins where the previous one ends.
  const past = pastSnapshots({ ...world, moments: plans.flatMap(({ at }) => at) });
  const snapshots = await prefetch(past, target);
  const { databaseUrl, fence } = await target;
  const open = () => openPgConnection({ url: databaseUrl, statementTimeoutMs: STATEMENT_MS });
  // Ids are looked up while points are written. In the writer's transaction a rollback would remove them.
  const [ids, writer] = [await open(), await open()];
  const write = async (points: NewPoints) => {
    await writeNewPoints(writer, fence, points);
    process.send?.(points.moments.length satisfies SeedProgress);
  };
  try {
    let written = Promise.resolve();
    for (const { step, at } of plans) {
      for (let done = 0; done < at.length; done += SNAPSHOTS_PER_WRITE) {
        const count = Math.min(SNAPSHOTS_PER_WRITE, at.length - done);
        const points = await encodeNewPoints(ids, step, take(snapshots, count));
        await written;
        written = write(points);
        // A failure is reported by the next await of `written`.
        written.catch(() => {});
      }
    }
    await written;
  } finally {
    await Promise.all([ids.close(), writer.close()]);
  }
}

/** Generates items while the target is not known yet. Returns an iterator over all items. */
async function prefetch<T>(all: Iterator<T>, known: Promise<unknown>): Promise<Iterator<T>> {
  let isKnown = false;
  void known.then(() => {
    isKnown = true;
  });
  const made: T[] = [];
  while (!isKnown && made.length < MAX_PREFETCHED) {
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

/** Yields to the event loop before each snapshot, so that earlier ones are written meanwhile. */
async function* take(snapshots: Iterator<Snapshot>, count: number): AsyncGenerator<Snapshot> {
  for (let taken = 0; taken < count; taken += 1) {
    await setImmediate();
    const next = snapshots.next();
    if (next.done) throw new RangeError('Fewer snapshots than planned');
    yield next.value;
  }
}

// A terminal interrupts the whole process group; the gateway ends this process when it stops.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

/** The gateway has ended, or was killed. */
const onDisconnect = () => process.exit(1);
process.once('disconnect', onDisconnect);

const input = new Promise<SeedInput>((resolveInput) => {
  process.on('message', (message: SeedMessage) => {
    if ('input' in message) resolveInput(message.input);
  });
});
const target = new Promise<SeedTarget>((resolveTarget) => {
  process.on('message', (message: SeedMessage) => {
    if ('target' in message) resolveTarget(message.target);
  });
});
await seed(await input, target);
process.off('disconnect', onDisconnect);
process.disconnect();
