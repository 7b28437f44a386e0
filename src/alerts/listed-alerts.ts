import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { SluiceError } from '../errors/sluice-error.ts';
import type { AlertRow, DeliveryRow, DeliveryStatus } from '../store/alerts/alert-rows.ts';
import { storedCondition } from './condition.ts';
import { ALERT_METRICS, type AlertMetric } from './metrics.ts';
import type { OwnedAlerts } from './owned-alerts.ts';

export type ListedDelivery = DeliveryRow;

/** An alert as its owner sees it. */
export interface ListedAlert
  extends Omit<
    AlertRow,
    'metric' | 'subject' | 'direction' | 'threshold' | 'clearAt' | 'state' | 'value' | 'mark'
  > {
  readonly metric: AlertMetric;
  readonly subject: Address | null;
  readonly above: Rational | null;
  readonly below: Rational | null;
  readonly clearAt: Rational | null;
  readonly state: AlertRow['state'] | 'UNKNOWN';
  readonly value: Rational | null;
  /** The newest messages, newest first. @param status null for any */
  deliveries(first: number, status: DeliveryStatus | null): Promise<readonly ListedDelivery[]>;
}

const MAX_DELIVERIES = 100;

/** Messages of all alerts in a list are read in one statement. */
export function listedAlerts(owned: OwnedAlerts, rows: readonly AlertRow[]): readonly ListedAlert[] {
  const loaders = new Map<string, DataLoader<string, readonly DeliveryRow[]>>();
  const deliveriesOf = (id: string, first: number, status: DeliveryStatus | null) => {
    checkFirst(first);
    const key = `${first} ${status}`;
    const loader =
      loaders.get(key) ??
      new DataLoader<string, readonly DeliveryRow[]>(async (ids) => {
        const found = await owned.deliveries(ids, first, status);
        return ids.map((each) => found.get(each) ?? []);
      });
    loaders.set(key, loader);
    return loader.load(id);
  };
  return rows.map((row) => alertWith(row, deliveriesOf));
}

export const listedAlert = (owned: OwnedAlerts, row: AlertRow): ListedAlert =>
  alertWith(row, async (id, first, status) => {
    checkFirst(first);
    return (await owned.deliveries([id], first, status)).get(id) ?? [];
  });

function alertWith(
  row: AlertRow,
  deliveriesOf: (
    id: string,
    first: number,
    status: DeliveryStatus | null,
  ) => Promise<readonly ListedDelivery[]>,
): ListedAlert {
  const { metric, subject, direction, threshold, clearAt } = storedCondition(row);
  const { hasThreshold } = ALERT_METRICS[metric];
  return {
    ...row,
    metric,
    subject,
    above: hasThreshold && direction === 'ABOVE' ? threshold : null,
    below: hasThreshold && direction === 'BELOW' ? threshold : null,
    clearAt: hasThreshold ? clearAt : null,
    state: row.unknownSince === null ? row.state : 'UNKNOWN',
    value: row.value === null ? null : parseDecimal(row.value),
    deliveries: (first, status) => deliveriesOf(row.id, first, status),
  };
}

function checkFirst(first: number): void {
  if (first >= 1 && first <= MAX_DELIVERIES) return;
  throw new SluiceError('NUMBER_OUT_OF_RANGE', {
    what: 'first',
    value: String(first),
    min: '1',
    max: String(MAX_DELIVERIES),
  });
}
