import { SluiceError } from '../../errors/sluice-error.ts';
import type { Alert, AlertDelivery } from '../generated/client.ts';

/** The state that the receiver of an alert was last notified of; PENDING before the first known figure. */
export type StoredState = 'PENDING' | 'CLEAR' | 'FIRING';

/** Choices of the owner of an alert. Decimals are text. */
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

/** The columns of a message that its owner sees. */
export const DELIVERY_FIELDS = {
  id: true,
  alertId: true,
  sequence: true,
  event: true,
  body: true,
  status: true,
  attempts: true,
  createdAt: true,
  nextAt: true,
  endedAt: true,
  lastError: true,
} as const satisfies { readonly [F in keyof DeliveryRow]: true };

export function alertOf(alert: Alert): AlertRow {
  const { minIntervalS, sequence: _, mark, markedAt, direction, state, ...same } = alert;
  return {
    ...same,
    direction: oneOf('direction', direction, ['ABOVE', 'BELOW']),
    minIntervalSeconds: minIntervalS,
    state: oneOf('state', state, ['PENDING', 'CLEAR', 'FIRING']),
    mark: mark === null || markedAt === null ? null : { shares: mark, at: markedAt },
  };
}

export function deliveryOf(delivery: Pick<AlertDelivery, keyof DeliveryRow>): DeliveryRow {
  return {
    ...delivery,
    event: oneOf('event', delivery.event, ['FIRED', 'CLEARED', 'TEST']),
    status: oneOf('status', delivery.status, ['PENDING', 'DELIVERED', 'DEAD']),
  };
}

function oneOf<T extends string>(column: string, value: string, words: readonly T[]): T {
  const word = words.find((each) => each === value);
  if (word !== undefined) return word;
  const cause = new TypeError(`column ${column} has the value ${value}`);
  throw new SluiceError('INTERNAL', {}, { cause });
}
