import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { replicaFault } from '../../store/replicas/replica.ts';
import { probeFailure, ServerProbe, type ServerReading } from '../../store/replicas/server-probe.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

type ReplicaSettings = Pick<
  Config,
  'DATABASE_URL' | 'DATABASE_READ_URLS' | 'DATABASE_READ_MAX_LAG_MS' | 'RPC_TIMEOUT_MS'
>;

const POLL_MS = 20;
/** SQLSTATE of a database without our tables. */
const NO_TABLES = 'SQLSTATE 42P01';

/** Whether each read replica is one of the primary, has its schema, and replays fast enough. */
export async function checkReplicas(settings: ReplicaSettings): Promise<Finding[]> {
  const { DATABASE_URL: url, DATABASE_READ_URLS: urls, RPC_TIMEOUT_MS: timeoutMs } = settings;
  if (url === null || urls.length === 0) return [];
  const primary = new ServerProbe(url, timeoutMs);
  try {
    const reading = await primary.read();
    if (reading.isReplica) {
      return [fault('database', 'is a primary', 'DATABASE_URL names a replica. Name the primary.')];
    }
    return await Promise.all(
      urls.map((each, i) => checkReplica(`replica-${i + 1}`, each, reading, settings)),
    );
  } catch (error) {
    const reason = probeFailure(error);
    const says =
      reason === NO_TABLES
        ? 'DATABASE_URL has no tables yet, so its replicas were not checked. Start a gateway once.'
        : `DATABASE_URL cannot be measured (${reason}), so its replicas were not checked and will not be used.`;
    return [fault('database', 'is a primary', says)];
  } finally {
    await primary.close();
  }
}

async function checkReplica(
  name: string,
  url: string,
  primary: ServerReading,
  settings: ReplicaSettings,
): Promise<Finding> {
  const { DATABASE_READ_MAX_LAG_MS: maxLagMs, RPC_TIMEOUT_MS: timeoutMs } = settings;
  const probe = new ServerProbe(url, timeoutMs);
  const startedAt = performance.now();
  const passedMs = () => Math.round(performance.now() - startedAt);
  try {
    let reading = await probe.read();
    while (isBehind(reading, primary) && passedMs() < maxLagMs) {
      await sleep(POLL_MS);
      reading = await probe.read();
    }
    const reason = replicaFault(reading, primary);
    if (reason !== null) {
      return fault(name, 'replicates', `It will not be used: ${reason}. Check DATABASE_READ_URLS.`);
    }
    const bytes = Number(primary.lsn - reading.lsn);
    if (bytes > 0) {
      const says = `After ${maxLagMs} ms it lacked ${bytes} bytes of the log, so it is too old to be used. Check its load and its connection to the primary.`;
      return warning(name, 'replicates', says, { lagBytes: bytes });
    }
    const lagMs = passedMs();
    return ok(name, 'replicates', `It had everything of the primary within ${lagMs} ms.`, { lagMs });
  } catch (error) {
    const reason = probeFailure(error);
    const says =
      reason === NO_TABLES
        ? 'It lacks the tables of the primary: it is no replica of it, names another database, or is far behind.'
        : `It does not answer (${reason}), so it is not used. Check DATABASE_READ_URLS.`;
    return fault(name, 'replicates', says);
  } finally {
    await probe.close();
  }
}

/** Whether it is a replica that may only have to replay more. */
function isBehind(reading: ServerReading, primary: ServerReading): boolean {
  const isOurs = replicaFault({ ...reading, schema: primary.schema }, primary) === null;
  return isOurs && (reading.lsn < primary.lsn || reading.schema !== primary.schema);
}
