import { randomBytes, randomUUID } from 'node:crypto';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { SluiceError } from '../errors/sluice-error.ts';
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
  lockTestsOf,
  recentDeliveries,
  recentTests,
  reviveDelivery,
  takeSequence,
} from '../store/alerts/deliveries.ts';
import type { Database, Tables } from '../store/sql.ts';
import { type ConditionInput, conditionColumns, conditionOf, storedCondition } from './condition.ts';
import { type ReceiverRules, receiverUrl } from './delivery/receiver-url.ts';
import { signingSecret } from './delivery/signature.ts';
import { messageBody } from './message.ts';

export interface NewAlert extends ConditionInput {
  readonly url: string;
  readonly label?: string | null | undefined;
  readonly minIntervalSeconds?: number | null | undefined;
}

/** Fields that an owner may change. Absent ones stay. */
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

/** Limits that the operator sets, and the time for which delivery of a message is tried. */
export interface AlertLimits {
  readonly perKey: number;
  readonly total: number;
  readonly minIntervalSeconds: number;
  readonly retrySeconds: number;
  readonly rules: ReceiverRules;
}

export interface OwnedAlertsOptions extends AlertLimits {
  /** The operator's secret, from which those of the alerts are derived. */
  readonly secret: string;
  readonly owner: Owner;
  readonly db: Database;
  /** Called after an alert was added, changed or removed. */
  readonly onChange: () => void;
}

const MAX_LABEL = 100;
const MAX_INTERVAL_SECONDS = 604_800;
/** Enough to set up a receiver; the messages go to a server that somebody else may run. */
const TESTS_PER_MINUTE = { alert: 5, key: 30 } as const;

/** The alerts of one owner. */
export class OwnedAlerts {
  readonly #options: OwnedAlertsOptions;

  constructor(options: OwnedAlertsOptions) {
    this.#options = options;
  }

  /** @throws ALERT_INVALID, ALERT_URL_REFUSED, TOO_MANY_ALERTS */
  async create(input: NewAlert): Promise<CreatedAlert> {
    const { owner: keyId, perKey, total, secret, minIntervalSeconds: least } = this.#options;
    const spec: AlertSpec = {
      ...conditionColumns(conditionOf(input)),
      ...this.#receiver(input.url),
      label: labelOf(input.label ?? ''),
      minIntervalSeconds: this.#interval(input.minIntervalSeconds ?? least),
      paused: false,
    };
    const id = randomBytes(8).toString('hex');
    const alert = await this.#change(async (tables) => {
      const { ofKey, all } = await countAlerts(tables, keyId);
      if (ofKey >= perKey) throw new SluiceError('TOO_MANY_ALERTS', { whose: 'key', ceiling: perKey });
      if (all >= total) throw new SluiceError('TOO_MANY_ALERTS', { whose: 'gateway', ceiling: total });
      return await insertAlert(tables, id, keyId, spec);
    });
    return { alert, secret: signingSecret(secret, id) };
  }

  /** @throws ALERT_NOT_FOUND, ALERT_INVALID, ALERT_URL_REFUSED */
  async update(id: string, changes: AlertChanges): Promise<AlertRow> {
    return await this.#change(async (tables) => {
      const row = await this.#owned(tables, id);
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
      return await updateAlert(tables, id, spec, restarts);
    });
  }

  /** @throws ALERT_NOT_FOUND */
  async remove(id: string): Promise<void> {
    await this.#change(async (tables) => {
      await this.#owned(tables, id);
      await deleteAlert(tables, id);
    });
  }

  /** Oldest first. */
  async list(): Promise<readonly AlertRow[]> {
    const { db, owner } = this.#options;
    return await readAlerts(db, owner === 'OPERATOR' ? null : owner);
  }

  /** The newest messages of each alert. */
  async deliveries(
    alertIds: readonly string[],
    limit: number,
    status: DeliveryStatus | null,
  ): Promise<ReadonlyMap<string, readonly DeliveryRow[]>> {
    const found = new Map<string, DeliveryRow[]>(alertIds.map((id) => [id, []]));
    for (const delivery of await recentDeliveries(this.#options.db, alertIds, limit, status))
      found.get(delivery.alertId)?.push(delivery);
    return found;
  }

  /** Queues a message of the event TEST. @throws ALERT_NOT_FOUND, TOO_MANY_TESTS */
  async test(id: string): Promise<DeliveryRow> {
    return await this.#options.db.transaction(async (tables) => {
      const alert = await this.#owned(tables, id);
      if (this.#options.owner !== 'OPERATOR') await requireFewTests(tables, alert);
      const sequence = await takeSequence(tables, id);
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
      await insertDeliveries(tables, [
        { id: delivery, alertId: id, sequence, event: 'TEST', body, retrySeconds },
      ]);
      return await this.#delivery(tables, delivery);
    });
  }

  /** Sends a dead message again; no effect on any other. @throws DELIVERY_NOT_FOUND */
  async retry(deliveryId: string): Promise<DeliveryRow> {
    return await this.#options.db.transaction(async (tables) => {
      await this.#delivery(tables, deliveryId);
      await reviveDelivery(tables, deliveryId, this.#options.retrySeconds);
      return await this.#delivery(tables, deliveryId);
    });
  }

  async #change<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    const { db, onChange } = this.#options;
    const changed = await changeAlerts(db, work);
    onChange();
    return changed;
  }

  /** To the caller, an alert of another key does not exist. */
  async #owned(tables: Tables, id: string): Promise<AlertRow> {
    const alert = await findAlert(tables, id);
    if (alert === null || !this.#owns(alert))
      throw new SluiceError('ALERT_NOT_FOUND', { alert: id.slice(0, 80) });
    return alert;
  }

  async #delivery(tables: Tables, id: string): Promise<DeliveryRow> {
    const delivery = await findDelivery(tables, id);
    const alert = delivery && (await findAlert(tables, delivery.alertId));
    if (delivery === null || alert === null || !this.#owns(alert))
      throw new SluiceError('DELIVERY_NOT_FOUND', { delivery: id.slice(0, 80) });
    return delivery;
  }

  #owns({ keyId }: AlertRow): boolean {
    const { owner } = this.#options;
    return owner === 'OPERATOR' || owner === keyId;
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

/** Concurrent tests are counted one after the other. @throws TOO_MANY_TESTS */
async function requireFewTests(tables: Tables, { id, keyId }: AlertRow): Promise<void> {
  await lockTestsOf(tables, keyId);
  const { ofAlert, ofKey } = await recentTests(tables, id);
  for (const [whose, { count, oldestSeconds }] of [
    ['alert', ofAlert],
    ['key', ofKey],
  ] as const) {
    const ceiling = TESTS_PER_MINUTE[whose];
    if (count >= ceiling)
      throw new SluiceError('TOO_MANY_TESTS', { whose, ceiling, retryAfter: 60 - oldestSeconds });
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
