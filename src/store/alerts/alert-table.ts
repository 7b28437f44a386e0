import type { Database, Tables } from '../sql.ts';
import { type AlertRow, type AlertSpec, alertOf } from './alert-rows.ts';

/** Numbers of alerts. */
export interface AlertCounts {
  readonly ofKey: number;
  readonly all: number;
}

const REGISTRY = { id: 1 };

/**
 * Runs a change that an owner makes. Changes run one after the other, so that a count stays true until the change is
 * written, and the leader notices each.
 */
export function changeAlerts<T>(db: Database, work: (tables: Tables) => Promise<T>): Promise<T> {
  return db.transaction(async (tables) => {
    // Locks the row until the transaction ends.
    await tables.models.alertRegistry.update({ where: REGISTRY, data: { version: { increment: 1 } } });
    return await work(tables);
  });
}

/** Grows with every change that an owner makes. */
export async function registryVersion({ models }: Tables): Promise<bigint> {
  const { version } = await models.alertRegistry.findUniqueOrThrow({ where: REGISTRY });
  return version;
}

export async function countAlerts({ models }: Tables, keyId: string): Promise<AlertCounts> {
  return { ofKey: await models.alert.count({ where: { keyId } }), all: await models.alert.count() };
}

export async function insertAlert(
  { models }: Tables,
  id: string,
  keyId: string,
  spec: AlertSpec,
): Promise<AlertRow> {
  const started = { revision: 1, createdAt: new Date(), state: 'PENDING', sequence: 0 };
  return alertOf(await models.alert.create({ data: { id, keyId, ...columnsOf(spec), ...started } }));
}

/** @param restarts whether the condition is another one, so that its state is not known yet */
export async function updateAlert(
  { models }: Tables,
  id: string,
  spec: AlertSpec,
  restarts: boolean,
): Promise<AlertRow> {
  const restarted = restarts ? { state: 'PENDING', mark: null, markedAt: null } : {};
  const data = { ...columnsOf(spec), revision: { increment: 1 }, ...restarted };
  return alertOf(await models.alert.update({ where: { id }, data }));
}

/** Deletes an alert and its messages, also those that were not delivered. */
export async function deleteAlert({ models }: Tables, id: string): Promise<void> {
  // First the alert: the leader, which locks it to add a message, waits and then finds none.
  await models.alert.deleteMany({ where: { id } });
  await models.alertDelivery.deleteMany({ where: { alertId: id } });
}

export async function findAlert({ models }: Tables, id: string): Promise<AlertRow | null> {
  const alert = await models.alert.findUnique({ where: { id } });
  return alert && alertOf(alert);
}

/** Alerts of a key, or of all keys, oldest first. */
export async function readAlerts({ models }: Tables, keyId: string | null): Promise<readonly AlertRow[]> {
  const alerts = await models.alert.findMany({
    where: keyId === null ? {} : { keyId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return alerts.map(alertOf);
}

function columnsOf(spec: AlertSpec) {
  const { label, url, host, metric, subject, direction, threshold, clearAt, paused } = spec;
  const minIntervalS = spec.minIntervalSeconds;
  return { label, url, host, metric, subject, direction, threshold, clearAt, minIntervalS, paused };
}
