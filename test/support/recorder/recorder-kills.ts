import { openDatabase } from '../../../src/store/database.ts';
import type { Database } from '../../../src/store/sql.ts';
import { faultsOf } from '../history/roll-up-check.ts';
import { RecorderProcess } from './recorder-process.ts';
import type { DriverInput } from './recorder-process-main.ts';

export interface KillsOutcome {
  readonly acknowledged: number;
  /** Minutes that were acknowledged but are not stored. */
  readonly lost: readonly string[];
  /** Number of repeated acknowledgements. */
  readonly doubled: number;
  /** Missing minutes between the first and the last. */
  readonly missing: number;
  readonly faults: readonly string[];
}

const FIRST_MINUTE = '2026-06-01T22:40:00.000Z';
const LONGEST_LIFE_MS = 400;

/** Kills a recorder repeatedly at moments derived from the seed, and checks the history it wrote. */
export async function killAgainAndAgain(
  where: Pick<DriverInput, 'url' | 'dataDir'>,
  openAfterwards: () => Promise<string>,
  kills: number,
  seed: number,
): Promise<KillsOutcome> {
  process.stdout.write(`kills with seed ${seed}\n`);
  const random = mulberry(seed);
  const acknowledged: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const recorder = new RecorderProcess({
      ...where,
      since: FIRST_MINUTE,
      clock: 'steps',
      // The next recorder waits for the lease of the killed one.
      leaseMs: 200,
    });
    try {
      await recorder.until(({ recorded }) => recorded.length > 0);
      await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_LIFE_MS));
    } finally {
      await recorder.end('SIGKILL');
    }
    acknowledged.push(...recorder.recorded);
  }
  const db = await openDatabase({ url: await openAfterwards(), poolSize: 1, statementTimeoutMs: 120_000 });
  try {
    return await outcomeOf(db, acknowledged);
  } finally {
    await db.close();
  }
}

async function outcomeOf(db: Database, acknowledged: readonly string[]): Promise<KillsOutcome> {
  const rows = await db.rows(`SELECT date_part('epoch', bucket) * 1000 AS at FROM snapshot ORDER BY bucket`);
  const there = rows.map(({ at }) => Number(at));
  const stored = new Set(there);
  const span = ((there.at(-1) ?? 0) - (there[0] ?? 0)) / 60_000 + 1;
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((minute) => !stored.has(Date.parse(minute))),
    doubled: acknowledged.length - new Set(acknowledged).size,
    missing: span - there.length,
    faults: await faultsOf(db),
  };
}

/** A small seeded generator: the same seed kills at the same moments. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
