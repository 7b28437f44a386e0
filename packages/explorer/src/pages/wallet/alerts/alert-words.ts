import { Decimal } from '@sluice/client';
import { shortAddress } from '../../../format/address.ts';
import { dateTime } from '../../../format/dates.ts';
import { health, part, price, rate } from '../../../format/numbers.ts';
import type { AlertState } from './alerts-documents.ts';

type Metric = AlertState['metric'];

const FIGURES: Readonly<Record<Metric, string>> = {
  DRIFT: 'Numbers that differ from those on chain',
  OBLIGATION_HEALTH: 'Health of',
  OBLIGATION_LIQUIDATION_DISTANCE: 'Distance to liquidation of',
  OBLIGATION_LTV: 'Loan to value of',
  RESERVE_BORROW_REMAINING: 'What can still be borrowed from',
  RESERVE_DEPOSIT_REMAINING: 'What can still be deposited to',
  RESERVE_PRICE_STATUS: 'Price not accepted in',
  RESERVE_UTILIZATION: 'Use of',
  VAULT_APY: 'APY of',
  VAULT_OUTFLOW: 'Withdrawals within an hour from',
  WALLET_HEALTH: 'Lowest health of',
  WALLET_LIQUIDATION_DISTANCE: 'Nearest liquidation of',
  WALLET_LTV: 'Highest loan to value of',
};

function thresholdText(metric: Metric, threshold: string): string {
  const value = Decimal.of(threshold);
  if (metric.endsWith('HEALTH')) return health(value).text;
  if (metric === 'VAULT_APY') return rate(value).text;
  if (metric.startsWith('RESERVE') && metric.endsWith('REMAINING')) return price(value).text.replace('$', '');
  return part(value).text;
}

/** "APY of Harbor USDC Prime at or below 8.00%". @param nameOf name of a subject that the page knows */
export function alertTitle(alert: AlertState, nameOf: (address: string) => string | null): string {
  const { metric, subject, above, below } = alert;
  const figure =
    subject === null ? FIGURES[metric] : `${FIGURES[metric]} ${nameOf(subject) ?? shortAddress(subject)}`;
  if (below !== null) return `${figure} at or below ${thresholdText(metric, below)}`;
  if (above !== null) return `${figure} at or above ${thresholdText(metric, above)}`;
  return figure;
}

export const STATE_WORDS: Readonly<Record<AlertState['state'], string>> = {
  CLEAR: 'Waiting',
  FIRING: 'It holds now',
  PENDING: 'Not read yet',
  UNKNOWN: 'Cannot be computed now',
};

type Delivery = AlertState['deliveries'][number];

const EVENT_WORDS: Readonly<Record<Delivery['event'], string>> = {
  CLEARED: 'Over again',
  FIRED: 'Fired',
  TEST: 'Test',
};

/** "Test, 12 Nov, 15:36: delivered" */
export function deliveryText(delivery: Delivery, now: Date): string {
  const { event, status, createdAt, lastError, attempts } = delivery;
  const outcome =
    status === 'DELIVERED'
      ? 'delivered'
      : status === 'DEAD'
        ? `given up after ${attempts} attempts${lastError === null ? '' : `: ${lastError}`}`
        : attempts === 0
          ? 'on its way'
          : `tried ${attempts} times${lastError === null ? '' : `: ${lastError}`}`;
  return `${EVENT_WORDS[event]}, ${dateTime(new Date(createdAt), now)}: ${outcome}`;
}

/** "3 of 3 delivered", "1 of 4 failed". */
export function deliveriesText(deliveries: readonly Delivery[]): string {
  if (deliveries.length === 0) return 'No messages yet';
  const failed = deliveries.filter(({ status }) => status === 'DEAD').length;
  if (failed > 0) return `${failed} of ${deliveries.length} failed`;
  const delivered = deliveries.filter(({ status }) => status === 'DELIVERED').length;
  return `${delivered} of ${deliveries.length} delivered`;
}

/** The receiver without its scheme. */
export const receiverOf = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');
