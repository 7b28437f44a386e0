import { catalogueFor, startChain } from '../../app/chain.ts';
import { chainFailureLog, endpointLog } from '../../app/chain-failure-log.ts';
import { holderName, retentionOf } from '../../app/history/start-history.ts';
import { streamFollowerFor } from '../../app/history/transaction-stream.ts';
import { openProgramLog } from '../../app/program-log.ts';
import type { Config } from '../../config/config.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { PlatformIngestion } from '../../ingest/platform-ingestion.ts';
import { TransactionFollower } from '../../ingest/transaction-follower.ts';
import { Recorder } from '../../recorder/recorder.ts';
import { openDatabase } from '../../store/database.ts';
import { findGaps, repair } from '../../store/history/gaps.ts';
import { DatabaseLease } from '../../store/leases/leadership.ts';
import { migrate } from '../../store/migrate.ts';
import type { Database } from '../../store/sql.ts';
import {
  gapsIn,
  readCoverage,
  type SlotCoverage,
  scopeOf,
  summaryOf,
} from '../../store/transactions/slot-ranges.ts';
import { failureLog } from '../../telemetry/logger.ts';
import { Metrics } from '../../telemetry/metrics.ts';
import type { RecorderCommand } from './arguments.ts';

const POOL_SIZE = 5;
const STATEMENT_MS = 120_000;
const FAILURE_LOG_MS = 30_000;

/** Runs the command; `record` runs until it is stopped. Output lines are passed to `print`. */
export async function runRecorder(
  config: Config,
  command: RecorderCommand,
  print: (line: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  const url = config.DATABASE_URL;
  if (url === null) {
    const allowed = 'must be the URL of a PostgreSQL database (the localnet records without this command)';
    throw new SluiceError('CONFIG_INVALID', { variable: 'DATABASE_URL', allowed });
  }
  for (const name of await migrate(url)) print(`applied migration ${name}`);
  const db = await openDatabase({ url, poolSize: POOL_SIZE, statementTimeoutMs: STATEMENT_MS });
  try {
    if (command.kind === 'record') await record(config, db, print, stopped);
    else if (command.kind === 'gaps') {
      printGaps(await findGaps(db, command), print);
      printCoverage(await readCoverage(db, scopeOf(config.programs)), print);
    } else await repairRange(db, command, print);
  } finally {
    await db.close();
  }
}

async function record(
  config: Config,
  db: Database,
  print: (line: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  if (config.embedded) {
    const allowed = 'must be set: a separate recorder cannot read the localnet of a gateway';
    throw new SluiceError('CONFIG_INVALID', { variable: 'SOLANA_RPC_URLS', allowed });
  }
  const log = await openProgramLog(config.LOG_LEVEL);
  const { logger } = log;
  const catalogue = await catalogueFor(config, null);
  const chain = startChain(config, catalogue, null, new Metrics(), {
    logger,
    onRefreshFailure: chainFailureLog(logger, false),
    ...endpointLog(logger),
  });
  const leadership = new DatabaseLease({ db, holder: holderName() });
  const recorder = new Recorder({
    db,
    leadership,
    chain,
    catalogue,
    retention: retentionOf(config),
    onFailure: (what, error) => logger.warn({ err: error, what }, 'recording failed'),
    onRecorded: ({ bucket, slot, durationMs }) =>
      logger.info({ bucket, slot: String(slot), durationMs: Math.round(durationMs) }, 'recorded'),
  });
  const onIngestFailure = failureLog(logger, 'reading transactions failed', FAILURE_LOG_MS);
  const platform = new PlatformIngestion({
    chain,
    db,
    wholeChain: false,
    requestsPerSecond: config.INGEST_REQUESTS_PER_SECOND,
    onFailure: (_what, error) => onIngestFailure(error),
  });
  const onFailure = (_what: string, error: unknown) => onIngestFailure(error);
  const stream = streamFollowerFor(config, chain, platform.ingestion, onFailure);
  const follower = new TransactionFollower({
    ingestion: platform.ingestion,
    chain,
    leadership,
    stream,
    onFailure,
  });
  recorder.start();
  follower.start();
  print('recording');
  if (!stopped.aborted) await new Promise((resolve) => stopped.addEventListener('abort', resolve));
  await platform.stop();
  await follower.stop();
  await recorder.stop();
  await chain.stop();
  log.end();
}

type Range = Extract<RecorderCommand, { readonly start: Date }>;

function printGaps(
  gaps: readonly { readonly start: Date; readonly end: Date }[],
  print: (line: string) => void,
): void {
  for (const { start, end } of gaps) {
    const minutes = Math.round((end.getTime() - start.getTime()) / 60_000);
    print(`${start.toISOString()} to ${end.toISOString()}: ${minutes} minutes`);
  }
  print(gaps.length === 0 ? 'no minutes missing' : `${gaps.length} gaps`);
}

/** Whether transactions are missing between the first and the last slot that a stream has delivered. */
function printCoverage(coverage: SlotCoverage, print: (line: string) => void): void {
  const summary = summaryOf(coverage);
  if (summary === null) return;
  const { from, to, gaps } = summary;
  print(`transactions: complete from slot ${from} to slot ${to}, ${gaps === 1 ? '1 gap' : `${gaps} gaps`}`);
  for (const gap of gapsIn(coverage.ranges))
    print(`slots ${gap.from} to ${gap.to}: may be missing transactions`);
}

async function repairRange(db: Database, range: Range, print: (line: string) => void): Promise<void> {
  const leadership = new DatabaseLease({ db, holder: `${holderName()} repair` });
  const fence = await leadership.tryLead();
  try {
    if (fence === null) {
      throw new SluiceError('BAD_REQUEST', {
        reason: 'A recorder is running on this database. Stop it, repair, then start it again.',
      });
    }
    const { changed, missing } = await repair(db, fence, range, ({ done, days, changed: soFar }) =>
      print(`${done} of ${days} days, ${soFar} points recomputed`),
    );
    print(`${changed} points recomputed`);
    printGaps(missing, print);
  } finally {
    await leadership.resign();
  }
}
