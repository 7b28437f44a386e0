import type { Config } from '../../config/config.ts';
import type { ReadReplicas, ReadReplicasOptions } from '../../store/replicas/read-replicas.ts';
import type { ReplicaState } from '../../store/replicas/replica.ts';
import type { Database } from '../../store/sql.ts';
import type { Logger } from '../../telemetry/logger.ts';

interface OpenReplicasOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly db: Database;
  readonly url: string;
  readonly pool: ReadReplicasOptions['pool'];
}

/** The read replicas of DATABASE_READ_URLS; null without any. */
export async function openReplicas({
  config,
  logger,
  db,
  url,
  pool,
}: OpenReplicasOptions): Promise<ReadReplicas | null> {
  const { DATABASE_READ_URLS: urls, DATABASE_READ_MAX_LAG_MS: maxLagMs } = config;
  if (urls.length === 0) return null;
  // Loaded lazily: most deployments have no replicas.
  const { ReadReplicas } = await import('../../store/replicas/read-replicas.ts');
  return await ReadReplicas.open({
    primary: db,
    primaryUrl: url,
    urls,
    maxLagMs,
    pool,
    onChange: (state) => logChange(logger, state),
    onBlind: (reason) => logger.warn({ reason }, 'the primary cannot be measured: its read replicas age'),
  });
}

function logChange(logger: Logger, { name, status, reason, inUse, lagMs }: ReplicaState): void {
  if (status === 'refused') logger.error({ replica: name, reason }, 'a read replica is refused');
  else if (status === 'failing') logger.warn({ replica: name, reason }, 'a read replica does not answer');
  else if (inUse) logger.info({ replica: name }, 'histories are read from a replica');
  else logger.info({ replica: name, lagMs }, 'a read replica answers, and is not in use');
}
