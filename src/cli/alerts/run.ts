import type { Owner } from '../../alerts/owned-alerts.ts';
import type { AlertRegistry } from '../../alerts/registry.ts';
import { alertRegistry } from '../../app/alerts.ts';
import type { Config } from '../../config/config.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { AlertRow, DeliveryRow } from '../../store/alerts/alert-rows.ts';
import { openDatabase } from '../../store/database.ts';
import { readKeys } from '../../store/keys/key-table.ts';
import { migrate } from '../../store/migrate.ts';
import type { Database } from '../../store/sql.ts';
import type { AlertsCommand } from './arguments.ts';

const STATEMENT_MS = 10_000;
const DELIVERIES = 20;

/** Runs the command as the operator, on alerts of any key. Output lines are passed to `print`. */
export async function runAlerts(
  config: Config,
  command: AlertsCommand,
  print: (line: string) => void,
): Promise<void> {
  const { DATABASE_URL: url, ALERT_SECRET: secret } = config;
  if (url === null || secret === '') throw new SluiceError('ALERTS_DISABLED', {});
  await migrate(url);
  const db = await openDatabase({ url, poolSize: 1, statementTimeoutMs: STATEMENT_MS });
  try {
    await runOn(db, alertRegistry(config, secret), command, print);
  } finally {
    await db.close();
  }
}

async function runOn(
  db: Database,
  registry: AlertRegistry,
  command: AlertsCommand,
  print: (line: string) => void,
): Promise<void> {
  const alertsOf = (owner: Owner) => registry.ownedBy(owner, { database: () => db });
  switch (command.kind) {
    case 'create': {
      await requireKey(db, command.keyId);
      const { alert, secret } = await alertsOf(command.keyId).create(command.input);
      print(secret);
      print(`Save this secret now: it is not shown again. ${describe(alert)}`);
      return;
    }
    case 'list': {
      const alerts = await alertsOf(command.keyId ?? 'OPERATOR').list();
      for (const alert of alerts) print(describe(alert));
      if (alerts.length === 0) print('There are no alerts.');
      return;
    }
    case 'deliveries': {
      const found = await alertsOf('OPERATOR').deliveries([command.id], DELIVERIES, null);
      const deliveries = found.get(command.id) ?? [];
      for (const delivery of deliveries) print(describeDelivery(delivery));
      if (deliveries.length === 0) print('There are no messages.');
      return;
    }
    case 'pause':
    case 'resume': {
      const changes = { paused: command.kind === 'pause' };
      print(describe(await alertsOf('OPERATOR').update(command.id, changes)));
      return;
    }
    case 'delete': {
      await alertsOf('OPERATOR').remove(command.id);
      print(`Deleted ${command.id}.`);
      return;
    }
    case 'test': {
      print(describeDelivery(await alertsOf('OPERATOR').test(command.id)));
      return;
    }
    case 'retry':
      print(describeDelivery(await alertsOf('OPERATOR').retry(command.id)));
  }
}

async function requireKey(db: Database, keyId: string): Promise<void> {
  const key = (await readKeys(db)).find(({ id, revokedAt }) => id === keyId && revokedAt === null);
  if (key !== undefined) return;
  throw new SluiceError('ALERT_INVALID', { reason: `there is no active key with the id ${keyId}` });
}

function describe(alert: AlertRow): string {
  const { id, keyId, label, metric, subject, direction, threshold, clearAt, url } = alert;
  const state = alert.unknownSince === null ? alert.state : `UNKNOWN (was ${alert.state})`;
  const paused = alert.paused ? ', paused' : '';
  const name = label === '' ? '' : ` "${label}"`;
  const condition = `${metric} ${subject ?? ''} ${direction.toLowerCase()} ${threshold}, clears at ${clearAt}`;
  return `${id}${name} of key ${keyId}: ${condition}, ${state}${paused}, to ${url}`;
}

function describeDelivery(delivery: DeliveryRow): string {
  const { id, sequence, event, status, attempts, createdAt, lastError } = delivery;
  const error = lastError === null ? '' : `, ${lastError}`;
  return `${id}  ${sequence} ${event} ${createdAt.toISOString()}: ${status} after ${attempts} attempts${error}`;
}
