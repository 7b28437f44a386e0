import { fenced } from '../leases/fencing-token.ts';
import { instantOf, integerOf, optionalInstantOf, type Row, textOf } from '../rows.ts';
import type { Database, Sql, Tables } from '../sql.ts';
import {
  DELIVERY_FIELDS,
  type DeliveryEvent,
  type DeliveryRow,
  type DeliveryStatus,
  deliveryOf,
} from './alert-rows.ts';

export interface NewDelivery {
  readonly id: string;
  readonly alertId: string;
  readonly sequence: number;
  readonly event: DeliveryEvent;
  readonly body: string;
  /** Time for which delivery is tried. */
  readonly retrySeconds: number;
}

export async function insertDeliveries(sql: Sql, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await sql.run(
    `INSERT INTO alert_delivery (id, alert_id, sequence, event, body, status, attempts, created_at, next_at, expires_at)
     SELECT n.id, n.alert_id, n.sequence, n.event, n.body, 'PENDING', 0, clock_timestamp(), clock_timestamp(),
       clock_timestamp() + n.retry_s * interval '1 second'
     FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::integer[])
       AS n(id, alert_id, sequence, event, body, retry_s)`,
    [
      deliveries.map(({ id }) => id),
      deliveries.map(({ alertId }) => alertId),
      deliveries.map(({ sequence }) => sequence),
      deliveries.map(({ event }) => event),
      deliveries.map(({ body }) => body),
      deliveries.map(({ retrySeconds }) => retrySeconds),
    ],
  );
}

/** The number of the next message of an alert, which this transaction takes. */
export async function takeSequence({ models }: Tables, id: string): Promise<number> {
  const data = { sequence: { increment: 1 } };
  const { sequence } = await models.alert.update({ where: { id }, data, select: { sequence: true } });
  return sequence;
}

/** Makes concurrent tests of the alerts of a key follow each other, until the transaction ends. */
export async function lockTestsOf(sql: Sql, keyId: string): Promise<void> {
  await sql.rows('SELECT 1 AS locked FROM pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `tests of ${keyId}`,
  ]);
}

/** The test messages of the last minute, and the age of the oldest of them in seconds. */
export interface RecentTests {
  readonly count: number;
  readonly oldestSeconds: number;
}

/** Recent tests of one alert, and of all alerts of the key that it belongs to. */
export async function recentTests(
  sql: Sql,
  alertId: string,
): Promise<{ readonly ofAlert: RecentTests; readonly ofKey: RecentTests }> {
  const [row] = await sql.rows(RECENT_TESTS, [alertId]);
  if (row === undefined) throw new RangeError('a count without a row');
  const tests = (whose: string): RecentTests => ({
    count: integerOf(row, `${whose}_count`),
    oldestSeconds: integerOf(row, `${whose}_oldest`),
  });
  return { ofAlert: tests('alert'), ofKey: tests('key') };
}

/** Looks at the newest messages of each alert only: no alert has more than that in a minute. */
const RECENT_TESTS = `SELECT
    count(*) FILTER (WHERE d.alert_id = $1)::integer AS alert_count, count(*)::integer AS key_count,
    coalesce(max(d.age) FILTER (WHERE d.alert_id = $1), 0)::integer AS alert_oldest,
    coalesce(max(d.age), 0)::integer AS key_oldest
  FROM alert t JOIN alert a ON a.key_id = t.key_id CROSS JOIN LATERAL (
    SELECT alert_id, event, floor(date_part('epoch', clock_timestamp() - created_at)) AS age
    FROM alert_delivery WHERE alert_id = a.id ORDER BY sequence DESC LIMIT 20) AS d
  WHERE t.id = $1 AND d.event = 'TEST' AND d.age < 60`;

export async function findDelivery({ models }: Tables, id: string): Promise<DeliveryRow | null> {
  const delivery = await models.alertDelivery.findFirst({ where: { id }, select: DELIVERY_FIELDS });
  return delivery && deliveryOf(delivery);
}

/** The newest messages of each alert, newest first. @param status null for any */
export async function recentDeliveries(
  sql: Sql,
  alertIds: readonly string[],
  limit: number,
  status: DeliveryStatus | null,
): Promise<readonly DeliveryRow[]> {
  const rows = await sql.rows(RECENT, [alertIds, limit, status]);
  return rows.map(recentOf);
}

/** SQL, because a model reads the newest messages of one alert per statement. */
const RECENT = `SELECT d.id, d.alert_id, d.sequence, d.event, d.body, d.status, d.attempts, d.last_error,
    date_part('epoch', d.created_at) * 1000 AS created_at, date_part('epoch', d.next_at) * 1000 AS next_at,
    date_part('epoch', d.ended_at) * 1000 AS ended_at
  FROM unnest($1::text[]) AS a(id) CROSS JOIN LATERAL (
    SELECT * FROM alert_delivery
    WHERE alert_id = a.id AND ($3::text IS NULL OR status = $3::text)
    ORDER BY sequence DESC LIMIT $2::integer) AS d`;

const recentOf = (row: Row): DeliveryRow =>
  deliveryOf({
    id: textOf(row, 'id'),
    alertId: textOf(row, 'alert_id'),
    sequence: integerOf(row, 'sequence'),
    event: textOf(row, 'event'),
    body: textOf(row, 'body'),
    status: textOf(row, 'status'),
    attempts: integerOf(row, 'attempts'),
    createdAt: instantOf(row, 'created_at'),
    nextAt: instantOf(row, 'next_at'),
    endedAt: optionalInstantOf(row, 'ended_at'),
    lastError: row.last_error === null ? null : textOf(row, 'last_error'),
  });

/** Makes a dead message pending again. False when it is not dead. */
export async function reviveDelivery(sql: Sql, id: string, retrySeconds: number): Promise<boolean> {
  const revived = await sql.run(
    `UPDATE alert_delivery SET status = 'PENDING', attempts = 0, ended_at = NULL, next_at = clock_timestamp(),
       expires_at = clock_timestamp() + $2::integer * interval '1 second'
     WHERE id = $1 AND status = 'DEAD'`,
    [id, retrySeconds],
  );
  return revived === 1;
}

/** A message to send now, with the receiver that its alert names now. */
export interface DueDelivery {
  readonly id: string;
  readonly alertId: string;
  readonly sequence: number;
  readonly keyId: string;
  readonly url: string;
  readonly host: string;
  readonly body: string;
  readonly attempts: number;
}

/** Alerts, hosts and keys that have to wait. */
export interface Excluded {
  readonly alerts: readonly string[];
  readonly hosts: readonly string[];
  readonly keys: readonly string[];
}

/** The oldest pending message of each alert, if it is due, longest due first. */
export async function dueDeliveries(
  sql: Sql,
  limit: number,
  { alerts, hosts, keys }: Excluded,
): Promise<readonly DueDelivery[]> {
  const rows = await sql.rows(DUE, [limit, alerts, hosts, keys]);
  return rows.map((row) => ({
    id: textOf(row, 'id'),
    alertId: textOf(row, 'alert_id'),
    sequence: integerOf(row, 'sequence'),
    keyId: textOf(row, 'key_id'),
    url: textOf(row, 'url'),
    host: textOf(row, 'host'),
    body: textOf(row, 'body'),
    attempts: integerOf(row, 'attempts'),
  }));
}

const DUE = `SELECT d.id, d.alert_id, d.sequence, a.key_id, a.url, a.host, d.body, d.attempts
  FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
  WHERE d.status = 'PENDING' AND d.next_at <= clock_timestamp()
    AND d.alert_id <> ALL ($2::text[]) AND a.host <> ALL ($3::text[]) AND a.key_id <> ALL ($4::text[])
    AND NOT EXISTS (SELECT FROM alert_delivery e
      WHERE e.alert_id = d.alert_id AND e.sequence < d.sequence AND e.status = 'PENDING')
  ORDER BY d.next_at, d.alert_id LIMIT $1::integer`;

/** Outcome of an attempt. */
export interface Attempt {
  /** Null when the receiver accepted the message. */
  readonly error: string | null;
  /** Until the next attempt, if there is one. */
  readonly delayMs: number;
}

/** Records an attempt. A message that has failed for too long is dead. @throws NOT_LEADER */
export async function writeAttempt(
  db: Database,
  fence: bigint,
  { alertId, sequence }: Pick<DueDelivery, 'alertId' | 'sequence'>,
  { error, delayMs }: Attempt,
): Promise<DeliveryStatus | null> {
  const [row] = await fenced(
    db,
    fence,
    (sql) => sql.rows(ATTEMPT, [alertId, sequence, error, Math.round(delayMs)]),
    'alerts',
  );
  if (row === undefined) return null;
  const status = textOf(row, 'status');
  return status === 'DELIVERED' || status === 'DEAD' ? status : 'PENDING';
}

const ATTEMPT = `UPDATE alert_delivery SET attempts = attempts + 1, last_error = $3::text,
    status = CASE WHEN $3::text IS NULL THEN 'DELIVERED' WHEN expires_at <= clock_timestamp() THEN 'DEAD'
      ELSE 'PENDING' END,
    ended_at = CASE WHEN $3::text IS NULL OR expires_at <= clock_timestamp() THEN clock_timestamp() END,
    next_at = least(clock_timestamp() + $4::integer * interval '1 millisecond',
      greatest(expires_at, clock_timestamp()))
  WHERE alert_id = $1 AND sequence = $2::integer AND status = 'PENDING'
  RETURNING status`;

/** Deletes messages that ended longer ago. Resolves to their number. @throws NOT_LEADER */
export function removeOldDeliveries(db: Database, fence: bigint, keepDays: number): Promise<number> {
  return fenced(
    db,
    fence,
    (sql) =>
      sql.run(
        `DELETE FROM alert_delivery WHERE status <> 'PENDING' AND ended_at < now() - $1::integer * interval '1 day'`,
        [keepDays],
      ),
    'alerts',
  );
}

export function countPending({ models }: Tables): Promise<number> {
  return models.alertDelivery.count({ where: { status: 'PENDING' } });
}
