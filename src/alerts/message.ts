import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import type { Address } from '@solana/kit';
import type { AlertRow, DeliveryEvent } from '../store/alerts/alert-rows.ts';
import type { Condition } from './condition.ts';
import { ALERT_METRICS } from './metrics.ts';
import type { SuggestedRepayment } from './suggested-repayment.ts';

/** Where the figures of a message come from. */
export interface MessageMoment {
  readonly slot: bigint;
  readonly view: string;
  readonly time: Date;
}

/** Content of a message. */
export interface MessageFacts {
  readonly id: string;
  readonly sequence: number;
  readonly event: DeliveryEvent;
  readonly alert: Pick<AlertRow, 'id' | 'label'>;
  readonly condition: Condition;
  /** Null for a test, and when the alert cleared because there is no such figure any more. */
  readonly value: string | null;
  readonly detail: string | null;
  readonly obligation: Address | null;
  /** Null for a test. */
  readonly moment: MessageMoment | null;
  readonly link: string | null;
  readonly cure: SuggestedRepayment | null;
}

/** The body of a message. Its text is stored, signed and sent as it is. */
export function messageBody(facts: MessageFacts): string {
  const { alert, condition, moment, ...rest } = facts;
  const { direction, threshold, clearAt, metric, subject } = condition;
  const [limit, end] = [toDecimalString(threshold), toDecimalString(clearAt)];
  const { hasThreshold } = ALERT_METRICS[metric];
  return JSON.stringify({
    id: rest.id,
    alert: alert.id,
    label: alert.label,
    sequence: rest.sequence,
    event: rest.event,
    condition: {
      metric,
      subject,
      above: hasThreshold && direction === 'ABOVE' ? limit : null,
      below: hasThreshold && direction === 'BELOW' ? limit : null,
      clearAt: hasThreshold ? end : null,
    },
    value: rest.value,
    threshold: rest.event === 'CLEARED' ? end : limit,
    detail: rest.detail,
    obligation: rest.obligation,
    slot: moment === null ? null : String(moment.slot),
    view: moment?.view ?? null,
    time: (moment?.time ?? new Date()).toISOString(),
    link: rest.link,
    cure: rest.cure,
  });
}

/** Where people look at the subject; null when the gateway does not know its own URL. */
export function linkTo(
  { publicUrl, hasExplorer }: { readonly publicUrl: string | null; readonly hasExplorer: boolean },
  { metric, subject }: Condition,
  owner: Address | null,
): string | null {
  if (publicUrl === null) return null;
  const base = publicUrl.replace(/\/+$/, '');
  if (!hasExplorer) return `${base}/graphql`;
  const pages = {
    obligation: owner && `wallet/${owner}`,
    wallet: `wallet/${subject}`,
    vault: `vaults/${subject}`,
    reserve: `reserves/${subject}`,
    platform: null,
  };
  return `${base}/#/${pages[ALERT_METRICS[metric].subject] ?? 'vaults'}`;
}
