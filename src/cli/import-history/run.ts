import { retentionOf } from '../../app/history/start-history.ts';
import type { Config } from '../../config/config.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { openDatabase } from '../../store/database.ts';
import type { Retention } from '../../store/history/retention.ts';
import { migrate } from '../../store/migrate.ts';
import type { Database } from '../../store/sql.ts';
import { Source } from '../deployment/source.ts';
import type { ImportCommand } from './arguments.ts';
import { importSubject } from './import-subject.ts';
import { listSubjects } from './listings.ts';
import { progressLine } from './progress.ts';
import { PageWriter } from './write-page.ts';

const POOL_SIZE = 2;
const STATEMENT_MS = 120_000;
const BACKOFF_BASE_MS = 500;

/**
 * Imports the history of another deployment. Progress lines are passed to `print`. Resolves to whether
 * everything was imported; the next run retries the rest.
 */
export async function runImport(
  config: Config,
  command: ImportCommand,
  print: (line: string) => void,
  stopped: AbortSignal,
  backoffBaseMs: number = BACKOFF_BASE_MS,
): Promise<boolean> {
  const url = config.DATABASE_URL;
  if (url === null) {
    const allowed = 'must be the URL of the PostgreSQL database to fill';
    throw new SluiceError('CONFIG_INVALID', { variable: 'DATABASE_URL', allowed });
  }
  for (const name of await migrate(url)) print(`applied migration ${name}`);
  const db = await openDatabase({ url, poolSize: POOL_SIZE, statementTimeoutMs: STATEMENT_MS });
  try {
    const { from, requestsPerSecond } = command;
    const source = new Source({ url: from, requestsPerSecond, signal: stopped, backoffBaseMs });
    return await importAll({ db, source, retention: retentionOf(config), print, stopped }, command);
  } finally {
    await db.close();
  }
}

interface ImportRun {
  readonly db: Database;
  readonly source: Source;
  readonly retention: Retention;
  readonly print: (line: string) => void;
  readonly stopped: AbortSignal;
}

async function importAll(
  { db, source, retention, print, stopped }: ImportRun,
  command: ImportCommand,
): Promise<boolean> {
  let problems = 0;
  const report = (problem: string) => {
    if (stopped.aborted) return;
    problems += 1;
    print(`not imported: ${problem}`);
  };
  const startedAt = performance.now();
  const subjects = await listSubjects(source, command, report);
  print(`${source.name} has ${subjects.length} histories`);
  const context = { command, retention, source, sql: db, writer: new PageWriter(db, source.name), report };
  const total = { minutes: 0, hours: 0, days: 0 };
  for (const [index, subject] of subjects.entries()) {
    if (stopped.aborted) break;
    const points = await importSubject(context, subject);
    total.minutes += points.minutes;
    total.hours += points.hours;
    total.days += points.days;
    const elapsedMs = performance.now() - startedAt;
    print(progressLine(subject, points, { done: index + 1, of: subjects.length, elapsedMs }));
  }
  const { minutes, hours, days } = total;
  print(
    `imported ${minutes} minutes, ${hours} hours and ${days} days in ${source.requests} requests, ${problems} not imported`,
  );
  if (stopped.aborted) print('stopped early: run the command again to continue');
  return problems === 0 && !stopped.aborted;
}
