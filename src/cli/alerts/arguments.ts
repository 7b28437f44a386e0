import { parseAddress } from '@sluice/protocol/layout/base58';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { type AlertMetric, isAlertMetric } from '../../alerts/metrics.ts';
import type { NewAlert } from '../../alerts/owned-alerts.ts';
import { defineCommand } from '../define-command.ts';

/** The parsed command line. */
export type AlertsCommand =
  | { readonly kind: 'create'; readonly keyId: string; readonly input: NewAlert }
  | { readonly kind: 'list'; readonly keyId: string | null }
  | {
      readonly kind: 'deliveries' | 'pause' | 'resume' | 'delete' | 'test' | 'retry';
      readonly id: string;
    };

const OF_ONE = ['deliveries', 'pause', 'resume', 'delete', 'test', 'retry'] as const;
const OPTION = { type: 'string' } as const;

/** Its `read` throws ADDRESS_INVALID and DECIMAL_INVALID. */
export const ALERTS = defineCommand({
  usage: `npm run alerts -- list [--key KEY_ID]      lists alerts with their state
npm run alerts -- create --key KEY_ID --url https://... --metric METRIC [--subject ADDRESS]
        [--above FIGURE | --below FIGURE] [--clear-at FIGURE] [--min-interval SECONDS] [--label TEXT]
                                           registers an alert for a key and prints its signing secret once
npm run alerts -- deliveries ID            lists the newest messages of an alert
npm run alerts -- pause ID | resume ID     stops or continues the evaluation of an alert
npm run alerts -- delete ID                deletes an alert with its messages
npm run alerts -- test ID                  sends a test message
npm run alerts -- retry DELIVERY_ID        sends a dead letter again
The metrics are described in docs/alerts.md.
`,
  allowPositionals: true,
  options: {
    key: OPTION,
    url: OPTION,
    label: OPTION,
    metric: OPTION,
    subject: OPTION,
    above: OPTION,
    below: OPTION,
    'clear-at': OPTION,
    'min-interval': OPTION,
  },
  accept({ values, positionals }): AlertsCommand | null {
    const [kind, id, ...rest] = positionals;
    if (rest.length > 0) return null;
    const ofOne = OF_ONE.find((each) => each === kind);
    if (ofOne !== undefined) return id === undefined ? null : { kind: ofOne, id };
    if (id !== undefined) return null;
    if (kind === 'list') return { kind, keyId: values.key ?? null };
    const { key: keyId, url, metric } = values;
    if (kind !== 'create' || keyId === undefined || url === undefined || metric === undefined) return null;
    return isAlertMetric(metric) ? { kind, keyId, input: newAlert(values, url, metric) } : null;
  },
});

interface Values {
  readonly label?: string;
  readonly subject?: string;
  readonly above?: string;
  readonly below?: string;
  readonly 'clear-at'?: string;
  readonly 'min-interval'?: string;
}

function newAlert(values: Values, url: string, metric: AlertMetric): NewAlert {
  const figure = (text: string | undefined) => (text === undefined ? undefined : parseDecimal(text));
  const seconds = values['min-interval'];
  return {
    url,
    metric,
    label: values.label,
    subject: values.subject === undefined ? undefined : parseAddress(values.subject),
    above: figure(values.above),
    below: figure(values.below),
    clearAt: figure(values['clear-at']),
    minIntervalSeconds: seconds === undefined ? undefined : Number(seconds),
  };
}
