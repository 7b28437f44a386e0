import { retentionOf } from '../../app/history/start-history.ts';
import type { Config } from '../../config/config.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { openDatabase } from '../../store/database.ts';
import type { Retention } from '../../store/history/retention.ts';
import { migrate } from '../../store/migrate.ts';
import type { Database } from '../../store/sql.ts';
import type { ImportCommand } from './arguments.ts';
import { importSubject } from './import-subject.ts';
import { listSubjects } from './listings.ts';
import { progressLine } from './progress.ts';
import { Source } from './source.ts';
import { PageWriter } from './write-page.ts';

const POOL_SIZE = 2;
const STATEMENT_MS = 120_000;
const BACK_OFF_BASE_MS = 500;

/**
 * Imports what another deployment tells of the past. Lines for people go to `print`. Resolves to whether everything
 * could be had; what could not is asked for again by the next run.
 */
export async function runImport(
  config: Config,
  command: ImportCommand,
  print: (line: string) => void,
  stopped: AbortSignal,
  backOffBaseMs: number = BACK_OFF_BASE_MS,
): Promise<boolean> {
  const url = config.DATABASE_URL;
  if (url === null) {
    const allowed = 'must name the PostgreSQL database that is to be filled';
    throw new SluiceError('CONFIG_INVALID', { variable: 'DATABASE_URL', allowed });
  }
  for (const name of await migrate(url)) print(`applied migration ${name}`);
  const db = await openDatabase({ url, poolSize: POOL_SIZE, statementTimeoutMs: STATEMENT_MS });
  try {
    const { from, requestsPerSecond } = command;
    const source = new Source({ url: from, requestsPerSecond, signal: stopped, backOffBaseMs });
    return await importAll(db, source, command, retentionOf(config), print, stopped);
  } finally {
    await db.close();
  }
}

async function importAll(
  db: Database,
  source: Source,
  command: ImportCommand,
  retention: Retention,
  print: (line: string) => void,
  stopped: AbortSignal,
): Promise<boolean> {
  let problems = 0;
  const report = (problem: string) => {
    if (stopped.aborted) return;
    problems += 1;
    print(`not imported: ${problem}`);
  };
  const startedAt = performance.now();
  const subjects = await listSubjects(source, command.kinds, report);
  print(`${source.name} has ${subjects.length} histories to import from`);
  const importing = { command, retention, source, sql: db, writer: new PageWriter(db, source.name), report };
  const total = { minutes: 0, hours: 0, days: 0 };
  for (const [index, subject] of subjects.entries()) {
    if (stopped.aborted) break;
    const points = await importSubject(importing, subject);
    total.minutes += points.minutes;
    total.hours += points.hours;
    total.days += points.days;
    const elapsedMs = performance.now() - startedAt;
    print(progressLine(subject, points, { done: index + 1, of: subjects.length, elapsedMs }));
  }
  const { minutes, hours, days } = total;
  print(
    `${minutes} minutes, ${hours} hours and ${days} days in ${source.requests} requests, ${problems} not imported`,
  );
  if (stopped.aborted) print('stopped before its end: run it again to go on');
  return problems === 0 && !stopped.aborted;
}
