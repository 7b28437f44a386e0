import { randomBytes, randomUUID } from 'node:crypto';
import { SluiceError } from '../errors/sluice-error.ts';
import type { Rational } from '../numeric/rational.ts';
import type { AlertRow, AlertSpec, DeliveryRow, DeliveryStatus } from '../store/alerts/alert-rows.ts';
import {
  changeAlerts,
  countAlerts,
  deleteAlert,
  findAlert,
  insertAlert,
  readAlerts,
  updateAlert,
} from '../store/alerts/alert-table.ts';
import {
  findDelivery,
  insertDeliveries,
  recentDeliveries,
  reviveDelivery,
  takeSequence,
} from '../store/alerts/deliveries.ts';
import type { Database, Sql } from '../store/sql.ts';
import { type ConditionInput, conditionColumns, conditionOf, storedCondition } from './condition.ts';
import { type ReceiverRules, receiverUrl } from './delivery/receiver-url.ts';
import { signingSecret } from './delivery/signature.ts';
import { messageBody } from './message.ts';

export interface RegistryOptions {
  /** The operator's secret; null when this deployment has no alerts. */
  readonly secret: string | null;
  readonly perKey: number;
  readonly total: number;
  readonly minIntervalSeconds: number;
  readonly retrySeconds: number;
  readonly rules: ReceiverRules;
}

export interface NewAlert extends ConditionInput {
  readonly url: string;
  readonly label?: string | null | undefined;
  readonly minIntervalSeconds?: number | null | undefined;
}

/** What an owner may change. Absent fields stay. */
export interface AlertChanges {
  readonly url?: string | null | undefined;
  readonly label?: string | null | undefined;
  readonly above?: Rational | null | undefined;
  readonly below?: Rational | null | undefined;
  readonly clearAt?: Rational | null | undefined;
  readonly minIntervalSeconds?: number | null | undefined;
  readonly paused?: boolean | null | undefined;
}

/** A new alert and the secret that signs its messages, which is shown once. */
export interface CreatedAlert {
  readonly alert: AlertRow;
  readonly secret: string;
}

/** The owner of alerts: the id of an API key, or the operator, who may change all. */
export type Owner = string | 'OPERATOR';

const MAX_LABEL = 100;
const MAX_INTERVAL_SECONDS = 604_800;

/** Registers alerts for the owners of API keys. */
export class AlertRegistry {
  readonly #options: RegistryOptions;
  readonly #listeners = new Set<() => void>();

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** Registers a listener for alerts that owners add, change or remove here; returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @throws ALERTS_DISABLED when this deployment has no alerts */
  requireEnabled(): void {
    this.#secret();
  }

  /** @throws ALERTS_DISABLED, ALERT_INVALID, ALERT_URL_REFUSED, TOO_MANY_ALERTS */
  async create(db: Database, keyId: string, input: NewAlert): Promise<CreatedAlert> {
    const master = this.#secret();
    const { perKey, total, minIntervalSeconds: least } = this.#options;
    const spec: AlertSpec = {
      ...conditionColumns(conditionOf(input)),
      ...this.#receiver(input.url),
      label: labelOf(input.label ?? ''),
      minIntervalSeconds: this.#interval(input.minIntervalSeconds ?? least),
      paused: false,
    };
    const id = randomBytes(8).toString('hex');
    const alert = await this.#change(db, async (sql) => {
      const { ofKey, all } = await countAlerts(sql, keyId);
      if (ofKey >= perKey) throw new SluiceError('TOO_MANY_ALERTS', { whose: 'key', ceiling: perKey });
      if (all >= total) throw new SluiceError('TOO_MANY_ALERTS', { whose: 'gateway', ceiling: total });
      return await insertAlert(sql, id, keyId, spec);
    });
    return { alert, secret: signingSecret(master, id) };
  }

  /** @throws ALERTS_DISABLED, ALERT_NOT_FOUND, ALERT_INVALID, ALERT_URL_REFUSED */
  async update(db: Database, owner: Owner, id: string, changes: AlertChanges): Promise<AlertRow> {
    this.#secret();
    return await this.#change(db, async (sql) => {
      const row = await this.#owned(sql, owner, id);
      const condition = changedCondition(row, changes);
      const receiver = changes.url === undefined || changes.url === null ? row : this.#receiver(changes.url);
      const spec: AlertSpec = {
        ...condition,
        url: receiver.url,
        host: receiver.host,
        label: labelOf(changes.label ?? row.label),
        minIntervalSeconds: this.#interval(changes.minIntervalSeconds ?? row.minIntervalSeconds),
        paused: changes.paused ?? row.paused,
      };
      const restarts =
        condition.direction !== row.direction ||
        condition.threshold !== row.threshold ||
        condition.clearAt !== row.clearAt;
      return await updateAlert(sql, id, spec, restarts);
    });
  }

  /** @throws ALERTS_DISABLED, ALERT_NOT_FOUND */
  async remove(db: Database, owner: Owner, id: string): Promise<void> {
    this.#secret();
    await this.#change(db, async (sql) => {
      await this.#owned(sql, owner, id);
      await deleteAlert(sql, id);
    });
  }

  /** Oldest first. @throws ALERTS_DISABLED */
  async list(db: Database, owner: Owner): Promise<readonly AlertRow[]> {
    this.#secret();
    return await readAlerts(db, owner === 'OPERATOR' ? null : owner);
  }

  /** The newest messages of each alert. */
  async deliveries(
    db: Database,
    alertIds: readonly string[],
    limit: number,
    status: DeliveryStatus | null,
  ): Promise<ReadonlyMap<string, readonly DeliveryRow[]>> {
    const found = new Map<string, DeliveryRow[]>(alertIds.map((id) => [id, []]));
    for (const delivery of await recentDeliveries(db, alertIds, limit, status))
      found.get(delivery.alertId)?.push(delivery);
    return found;
  }

  /** Queues a message of the event TEST. @throws ALERTS_DISABLED, ALERT_NOT_FOUND */
  async test(db: Database, owner: Owner, id: string): Promise<DeliveryRow> {
    this.#secret();
    return await db.transaction(async (sql) => {
      const alert = await this.#owned(sql, owner, id);
      const sequence = await takeSequence(sql, id);
      const delivery = randomUUID();
      const body = messageBody({
        id: delivery,
        sequence,
        event: 'TEST',
        alert,
        condition: storedCondition(alert),
        value: null,
        detail: null,
        obligation: null,
        moment: null,
        link: null,
        cure: null,
      });
      const { retrySeconds } = this.#options;
      await insertDeliveries(sql, [
        { id: delivery, alertId: id, sequence, event: 'TEST', body, retrySeconds },
      ]);
      return await this.#delivery(sql, owner, delivery);
    });
  }

  /** Sends a dead message again; no effect on any other. @throws ALERTS_DISABLED, DELIVERY_NOT_FOUND */
  async retry(db: Database, owner: Owner, deliveryId: string): Promise<DeliveryRow> {
    this.#secret();
    return await db.transaction(async (sql) => {
      await this.#delivery(sql, owner, deliveryId);
      await reviveDelivery(sql, deliveryId, this.#options.retrySeconds);
      return await this.#delivery(sql, owner, deliveryId);
    });
  }

  async #change<T>(db: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
    const changed = await changeAlerts(db, work);
    for (const listener of this.#listeners) listener();
    return changed;
  }

  #secret(): string {
    const { secret } = this.#options;
    if (secret === null) throw new SluiceError('ALERTS_DISABLED', {});
    return secret;
  }

  /** To the caller, an alert of another key does not exist. */
  async #owned(sql: Sql, owner: Owner, id: string): Promise<AlertRow> {
    const alert = await findAlert(sql, id);
    if (alert === null || (owner !== 'OPERATOR' && alert.keyId !== owner))
      throw new SluiceError('ALERT_NOT_FOUND', { alert: id.slice(0, 80) });
    return alert;
  }

  async #delivery(sql: Sql, owner: Owner, id: string): Promise<DeliveryRow> {
    const delivery = await findDelivery(sql, id);
    const alert = delivery && (await findAlert(sql, delivery.alertId));
    if (delivery === null || alert === null || (owner !== 'OPERATOR' && alert.keyId !== owner))
      throw new SluiceError('DELIVERY_NOT_FOUND', { delivery: id.slice(0, 80) });
    return delivery;
  }

  #receiver(text: string): Pick<AlertSpec, 'url' | 'host'> {
    const url = receiverUrl(text, this.#options.rules);
    return { url: url.href, host: url.host };
  }

  #interval(seconds: number): number {
    const { minIntervalSeconds: least } = this.#options;
    if (Number.isInteger(seconds) && seconds >= least && seconds <= MAX_INTERVAL_SECONDS) return seconds;
    const reason = `\`minIntervalSeconds\` must be a whole number from ${least} to ${MAX_INTERVAL_SECONDS}`;
    throw new SluiceError('ALERT_INVALID', { reason });
  }
}

function labelOf(label: string): string {
  if (label.length <= MAX_LABEL) return label;
  throw new SluiceError('ALERT_INVALID', { reason: `\`label\` has more than ${MAX_LABEL} characters` });
}

/** New thresholds replace all of the old ones. */
function changedCondition(row: AlertRow, { above, below, clearAt }: AlertChanges) {
  const condition = storedCondition(row);
  const isGiven = [above, below, clearAt].some((each) => each !== undefined && each !== null);
  if (!isGiven) return conditionColumns(condition);
  const { metric, subject, direction, threshold } = condition;
  const stays = (above ?? below ?? null) === null;
  const old = {
    above: direction === 'ABOVE' ? threshold : null,
    below: direction === 'BELOW' ? threshold : null,
  };
  return conditionColumns(conditionOf({ metric, subject, clearAt, ...(stays ? old : { above, below }) }));
}
