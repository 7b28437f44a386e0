import { bigintOf } from '../history/rows.ts';
import type { Database, Sql } from '../sql.ts';
import { ALERT_COLUMNS, type AlertRow, type AlertSpec, alertOf } from './alert-rows.ts';

/** How many alerts there are. */
export interface AlertCounts {
  readonly ofKey: number;
  readonly all: number;
}

/**
 * Runs a change that an owner makes. Changes run one after the other, so that a count stays true until the change is
 * written, and the leader notices each.
 */
export function changeAlerts<T>(db: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  return db.transaction(async (sql) => {
    await sql.run('UPDATE alert_registry SET version = version + 1 WHERE id = 1');
    return await work(sql);
  });
}

/** Grows with every change that an owner makes. */
export async function registryVersion(sql: Sql): Promise<bigint> {
  const [row] = await sql.rows('SELECT version::text AS version FROM alert_registry WHERE id = 1');
  return bigintOf(row ?? {}, 'version');
}

export async function countAlerts(sql: Sql, keyId: string): Promise<AlertCounts> {
  const [row] = await sql.rows(
    `SELECT (SELECT count(*) FROM alert WHERE key_id = $1)::text AS of_key, count(*)::text AS total FROM alert`,
    [keyId],
  );
  return { ofKey: Number(bigintOf(row ?? {}, 'of_key')), all: Number(bigintOf(row ?? {}, 'total')) };
}

export async function insertAlert(sql: Sql, id: string, keyId: string, spec: AlertSpec): Promise<AlertRow> {
  const [row] = await sql.rows(
    `INSERT INTO alert (id, key_id, label, url, host, metric, subject, direction, threshold, clear_at, min_interval_s,
       paused, revision, created_at, state, sequence)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::integer, $12::boolean, 1, now(), 'PENDING', 0)
     RETURNING ${ALERT_COLUMNS}`,
    [id, keyId, ...specValues(spec)],
  );
  return alertOf(row ?? {});
}

/** @param restarts whether the condition is another one, so that its state is not known yet */
export async function updateAlert(
  sql: Sql,
  id: string,
  spec: AlertSpec,
  restarts: boolean,
): Promise<AlertRow> {
  const [row] = await sql.rows(
    `UPDATE alert SET label = $2, url = $3, host = $4, metric = $5, subject = $6, direction = $7, threshold = $8,
       clear_at = $9, min_interval_s = $10::integer, paused = $11::boolean, revision = revision + 1,
       state = CASE WHEN $12::boolean THEN 'PENDING' ELSE state END,
       mark = CASE WHEN $12::boolean THEN NULL ELSE mark END,
       marked_at = CASE WHEN $12::boolean THEN NULL ELSE marked_at END
     WHERE id = $1 RETURNING ${ALERT_COLUMNS}`,
    [id, ...specValues(spec), restarts],
  );
  return alertOf(row ?? {});
}

/** Deletes an alert and its messages, also those that were not delivered. */
export async function deleteAlert(sql: Sql, id: string): Promise<void> {
  // First the alert: the leader, which locks it to add a message, waits and then finds none.
  await sql.run('DELETE FROM alert WHERE id = $1', [id]);
  await sql.run('DELETE FROM alert_delivery WHERE alert_id = $1', [id]);
}

export async function findAlert(sql: Sql, id: string): Promise<AlertRow | null> {
  const [row] = await sql.rows(`SELECT ${ALERT_COLUMNS} FROM alert WHERE id = $1`, [id]);
  return row === undefined ? null : alertOf(row);
}

/** Alerts of a key, or of all keys, oldest first. */
export async function readAlerts(sql: Sql, keyId: string | null): Promise<readonly AlertRow[]> {
  const where = keyId === null ? '' : 'WHERE key_id = $1';
  const rows = await sql.rows(
    `SELECT ${ALERT_COLUMNS} FROM alert ${where} ORDER BY created_at, id`,
    keyId === null ? [] : [keyId],
  );
  return rows.map(alertOf);
}

const specValues = (spec: AlertSpec) => [
  spec.label,
  spec.url,
  spec.host,
  spec.metric,
  spec.subject,
  spec.direction,
  spec.threshold,
  spec.clearAt,
  spec.minIntervalSeconds,
  spec.paused,
];
