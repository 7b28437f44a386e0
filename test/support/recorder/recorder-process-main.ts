import type { View } from '../../../src/chain/view/view.ts';
import { isCodedError } from '../../../src/errors/sluice-error.ts';
import { Recorder } from '../../../src/recorder/recorder.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { DatabaseLease } from '../../../src/store/leases/leadership.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { startTestPglite } from '../databases/test-databases.ts';
import { recordedMinutes } from '../history/read-points.ts';
import { recorderWorld } from './recorder-world.ts';

/** Settings of the test recorder process. */
export interface DriverInput {
  /** A PostgreSQL, or the directory of an embedded database. */
  readonly url?: string;
  readonly dataDir?: string;
  /** The first minute of an empty database. */
  readonly since: string;
  /**
   * `steps`: each look sees the minute after the last one, from the newest recorded minute on. `races`: the cluster's
   * time runs 2400 times as fast as ours, for everybody alike.
   */
  readonly clock: 'steps' | 'races';
  readonly leaseMs: number;
}

const RACE = 2_400;
const MINUTE_MS = 60_000;

const input = JSON.parse(process.argv[2] ?? '') as DriverInput;
const say = (line: string) => process.stdout.write(`${line}\n`);
const url = input.url ?? (await startTestPglite(input.dataDir ?? '')).url;
await migrate(url);
const db = await openDatabase({ url, poolSize: 2, statementTimeoutMs: 20_000 });
const { catalogue, viewAt } = recorderWorld();
// Starts with the newest recorded minute again: it may have been written without an acknowledgement.
let next = (await recordedMinutes(db))?.last.getTime() ?? Date.parse(input.since);
const clock = {
  steps: () => {
    next += MINUTE_MS;
    return next - MINUTE_MS;
  },
  races: () => Date.parse(input.since) + (Date.now() % 10_000_000) * RACE,
}[input.clock];
const views = {
  get newest(): View {
    return viewAt(new Date(clock()));
  },
};
const recorder = new Recorder({
  db,
  leadership: new DatabaseLease({
    db,
    holder: `driver ${process.pid}`,
    leaseMs: input.leaseMs,
    soleProcess: input.url === undefined,
  }),
  chain: { views, scanObligations: async () => [], countHolders: async () => 7 },
  catalogue,
  retention: { minuteDays: 36_500, hourDays: 36_500, dayDays: null },
  onFailure: (what, error) => say(`failed ${what}: ${isCodedError(error) ? error.code : error}`),
  onRecorded: ({ bucket }) => say(`recorded ${bucket.toISOString()}`),
  intervals: { poll: 1, afterFailure: 100, afterFailedScan: 100 },
});
recorder.start();
let leading: boolean | null = null;
setInterval(() => {
  if (recorder.state().leading === leading) return;
  leading = recorder.state().leading;
  say(leading ? 'leads' : 'waits');
}, 5);
process.once('SIGTERM', async () => {
  await recorder.stop();
  await db.close();
  process.exit(0);
});
