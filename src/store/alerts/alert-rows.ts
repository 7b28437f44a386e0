import { SluiceError } from '../../errors/sluice-error.ts';
import { type Row, textOf } from '../history/rows.ts';

/** The state that the receiver of an alert was last notified of; PENDING before the first known figure. */
export type StoredState = 'PENDING' | 'CLEAR' | 'FIRING';

/** What an owner decides about an alert. Decimals are text. */
export interface AlertSpec {
  readonly label: string;
  readonly url: string;
  /** Host and port of the URL. */
  readonly host: string;
  readonly metric: string;
  /** Address; null for a condition of the whole platform. */
  readonly subject: string | null;
  readonly direction: 'ABOVE' | 'BELOW';
  readonly threshold: string;
  readonly clearAt: string;
  readonly minIntervalSeconds: number;
  readonly paused: boolean;
}

/** The supply of shares that an outflow is measured from, and since when. */
export interface Mark {
  readonly shares: string;
  readonly at: Date;
}

export interface AlertRow extends AlertSpec {
  readonly id: string;
  readonly keyId: string;
  readonly revision: number;
  readonly createdAt: Date;
  readonly state: StoredState;
  /** Since when the figure has been unknown; null while it is known. */
  readonly unknownSince: Date | null;
  /** Figure, slot and time of the last crossing; null before the first. */
  readonly value: string | null;
  readonly slot: bigint | null;
  readonly crossedAt: Date | null;
  readonly mark: Mark | null;
}

export type DeliveryEvent = 'FIRED' | 'CLEARED' | 'TEST';
export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'DEAD';

export interface DeliveryRow {
  readonly id: string;
  readonly alertId: string;
  readonly sequence: number;
  readonly event: DeliveryEvent;
  /** The exact text that is signed and sent. */
  readonly body: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly nextAt: Date;
  /** When it was delivered or given up; null while it is pending. */
  readonly endedAt: Date | null;
  readonly lastError: string | null;
}

export const ALERT_COLUMNS = `id, key_id, label, url, host, metric, subject, direction, threshold, clear_at, min_interval_s,
  paused, revision, created_at, state, unknown_since, value, slot::text AS slot, crossed_at, mark, marked_at`;

export const DELIVERY_COLUMNS =
  'id, alert_id, sequence, event, body, status, attempts, created_at, next_at, ended_at, last_error';

export function alertOf(row: Row): AlertRow {
  const mark = optionalText(row, 'mark');
  const slot = optionalText(row, 'slot');
  return {
    id: textOf(row, 'id'),
    keyId: textOf(row, 'key_id'),
    label: textOf(row, 'label'),
    url: textOf(row, 'url'),
    host: textOf(row, 'host'),
    metric: textOf(row, 'metric'),
    subject: optionalText(row, 'subject'),
    direction: oneOf(row, 'direction', ['ABOVE', 'BELOW']),
    threshold: textOf(row, 'threshold'),
    clearAt: textOf(row, 'clear_at'),
    minIntervalSeconds: numberOf(row, 'min_interval_s'),
    paused: row.paused === true,
    revision: numberOf(row, 'revision'),
    createdAt: dateOf(row, 'created_at'),
    state: oneOf(row, 'state', ['PENDING', 'CLEAR', 'FIRING']),
    unknownSince: optionalDate(row, 'unknown_since'),
    value: optionalText(row, 'value'),
    slot: slot === null ? null : BigInt(slot),
    crossedAt: optionalDate(row, 'crossed_at'),
    mark: mark === null ? null : { shares: mark, at: dateOf(row, 'marked_at') },
  };
}

export function deliveryOf(row: Row): DeliveryRow {
  return {
    id: textOf(row, 'id'),
    alertId: textOf(row, 'alert_id'),
    sequence: numberOf(row, 'sequence'),
    event: oneOf(row, 'event', ['FIRED', 'CLEARED', 'TEST']),
    body: textOf(row, 'body'),
    status: oneOf(row, 'status', ['PENDING', 'DELIVERED', 'DEAD']),
    attempts: numberOf(row, 'attempts'),
    createdAt: dateOf(row, 'created_at'),
    nextAt: dateOf(row, 'next_at'),
    endedAt: optionalDate(row, 'ended_at'),
    lastError: optionalText(row, 'last_error'),
  };
}

const optionalText = (row: Row, column: string) => (row[column] === null ? null : textOf(row, column));

function numberOf(row: Row, column: string): number {
  const value = row[column];
  return typeof value === 'number' ? value : unexpected(row, column);
}

const optionalDate = (row: Row, column: string) => (row[column] === null ? null : dateOf(row, column));

function dateOf(row: Row, column: string): Date {
  const value = row[column];
  return value instanceof Date ? value : unexpected(row, column);
}

function oneOf<T extends string>(row: Row, column: string, words: readonly T[]): T {
  return words.find((word) => word === row[column]) ?? unexpected(row, column);
}

function unexpected(row: Row, column: string): never {
  const cause = new TypeError(`column ${column} has the value ${String(row[column])}`);
  throw new SluiceError('INTERNAL', {}, { cause });
}
