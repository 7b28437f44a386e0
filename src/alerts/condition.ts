import { parseAddress } from '@sluice/protocol/layout/base58';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { ONE, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { SluiceError } from '../errors/sluice-error.ts';
import type { AlertRow, AlertSpec, StoredState } from '../store/alerts/alert-rows.ts';
import { ALERT_METRICS, type AlertMetric, isAlertMetric } from './metrics.ts';

/** When an alert fires and when it clears. */
export interface Condition {
  readonly metric: AlertMetric;
  /** Null for a metric of the whole platform. */
  readonly subject: Address | null;
  readonly direction: 'ABOVE' | 'BELOW';
  /** Fires at this figure and beyond it. */
  readonly threshold: Rational;
  /** Clears at this figure and beyond it in the other direction, unless that still fires. */
  readonly clearAt: Rational;
}

/** A condition as its owner states it. */
export interface ConditionInput {
  readonly metric: AlertMetric;
  readonly subject?: Address | null | undefined;
  readonly above?: Rational | null | undefined;
  readonly below?: Rational | null | undefined;
  readonly clearAt?: Rational | null | undefined;
}

/** A figure in a View. */
export type MetricReading =
  /** Nothing is known: neither fires nor clears. */
  | { readonly kind: 'unknown' }
  /** There is no such figure because nothing is at stake, such as the health of an obligation without debt: clears. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'value';
      readonly value: Rational;
      /** Whether a part is unknown that may be worse: fires, but does not clear. */
      readonly isPartial: boolean;
    };

/** @throws ALERT_INVALID */
export function conditionOf({ metric, subject, above, below, clearAt }: ConditionInput): Condition {
  const { subject: kind, hasThreshold } = ALERT_METRICS[metric];
  const address = subject ?? null;
  if (kind === 'platform' && address !== null) throw invalid(`${metric} has no \`subject\`: omit it`);
  if (kind !== 'platform' && address === null)
    throw invalid(`${metric} needs a \`subject\`: the address of a ${kind}`);
  const given = [above, below].filter((each) => each !== undefined && each !== null);
  if (!hasThreshold) {
    if (given.length > 0 || (clearAt ?? null) !== null)
      throw invalid(`${metric} has no thresholds: omit \`above\`, \`below\` and \`clearAt\``);
    return { metric, subject: address, direction: 'ABOVE', threshold: ONE, clearAt: ONE };
  }
  const [threshold] = given;
  if (threshold === undefined || given.length > 1)
    throw invalid(`${metric} needs exactly one of \`above\` and \`below\``);
  const direction = (above ?? null) === null ? 'BELOW' : 'ABOVE';
  const end = clearAt ?? threshold;
  const gap = direction === 'ABOVE' ? threshold.sub(end) : end.sub(threshold);
  if (gap.n < 0n)
    throw invalid(`\`clearAt\` must be ${direction === 'ABOVE' ? 'at most `above`' : 'at least `below`'}`);
  return { metric, subject: address, direction, threshold, clearAt: end };
}

/** The condition of a stored alert. @throws ALERT_INVALID for one of another version */
export function storedCondition(
  row: Pick<AlertRow, 'metric' | 'subject' | 'direction' | 'threshold' | 'clearAt'>,
): Condition {
  if (!isAlertMetric(row.metric)) throw invalid(`this version does not know the metric ${row.metric}`);
  return {
    metric: row.metric,
    subject: row.subject === null ? null : parseAddress(row.subject),
    direction: row.direction,
    threshold: parseDecimal(row.threshold),
    clearAt: parseDecimal(row.clearAt),
  };
}

export function conditionColumns({
  metric,
  subject,
  direction,
  threshold,
  clearAt,
}: Condition): Pick<AlertSpec, 'metric' | 'subject' | 'direction' | 'threshold' | 'clearAt'> {
  const [limit, end] = [toDecimalString(threshold), toDecimalString(clearAt)];
  return { metric, subject, direction, threshold: limit, clearAt: end };
}

/** Whether a figure is at the threshold or beyond it. */
export function fires({ direction, threshold }: Condition, value: Rational): boolean {
  const side = value.compare(threshold);
  return direction === 'ABOVE' ? side >= 0 : side <= 0;
}

/** Whether a figure is at the second threshold or beyond it, and does not fire. */
export function clears(condition: Condition, value: Rational): boolean {
  const side = value.compare(condition.clearAt);
  return (condition.direction === 'ABOVE' ? side <= 0 : side >= 0) && !fires(condition, value);
}

/** The state after a reading; null when the reading says nothing about it. Between the thresholds it stays as it is. */
export function nextState(
  condition: Condition,
  state: StoredState,
  reading: MetricReading,
): StoredState | null {
  if (reading.kind === 'unknown') return null;
  if (reading.kind === 'none') return 'CLEAR';
  if (fires(condition, reading.value)) return 'FIRING';
  if (reading.isPartial) return null;
  return state === 'FIRING' && !clears(condition, reading.value) ? 'FIRING' : 'CLEAR';
}

const invalid = (reason: string) => new SluiceError('ALERT_INVALID', { reason });
