import { integer, oneOf, text } from './setting-kinds.ts';

/** Settings of alerts. */
export const ALERTS = {
  ALERT_SECRET: text(
    '',
    /^(?:.{32,})?$/s,
    'at least 32 characters',
    'Enables alerts (docs/alerts.md) and signs their messages. Use the same secret on all gateways. Changing it changes the secrets of all alerts. Unset: no alerts, except on the localnet, where it is random.',
  ),
  ALERTS_PER_KEY: integer(100, 1, 100_000, 'Most alerts of one API key.'),
  ALERTS_TOTAL: integer(10_000, 1, 1_000_000, 'Most alerts of all keys together.'),
  ALERT_MIN_INTERVAL_SECONDS: integer(
    60,
    0,
    86_400,
    'Shortest minimum interval between two messages of an alert, and the default.',
  ),
  ALERT_RETRY_SECONDS: integer(
    86_400,
    1,
    604_800,
    'Time for which delivery of a message is retried before it becomes a dead letter.',
  ),
  ALERT_KEEP_DAYS: integer(14, 1, 3_650, 'Days to retain messages after they were delivered or given up.'),
  ALERT_PRIVATE_RECEIVERS: oneOf(
    'off',
    ['on', 'off'],
    'Allow receivers in private networks, over http and on any port. For tests, and for deployments whose key owners may reach that network.',
  ),
} as const;
