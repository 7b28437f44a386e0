/** The account that a condition is about; `platform` is about none. */
export type SubjectKind = 'obligation' | 'wallet' | 'vault' | 'reserve' | 'platform';

interface MetricKind {
  readonly subject: SubjectKind;
  /** False for a figure that is 0 or 1, or that fires from 1 on: its owner sets no threshold. */
  readonly hasThreshold: boolean;
}

/** Figures that an alert can watch. Rates and shares are fractions, amounts are whole tokens. */
export const ALERT_METRICS = {
  OBLIGATION_HEALTH: { subject: 'obligation', hasThreshold: true },
  OBLIGATION_LTV: { subject: 'obligation', hasThreshold: true },
  OBLIGATION_LIQUIDATION_DISTANCE: { subject: 'obligation', hasThreshold: true },
  WALLET_HEALTH: { subject: 'wallet', hasThreshold: true },
  WALLET_LTV: { subject: 'wallet', hasThreshold: true },
  WALLET_LIQUIDATION_DISTANCE: { subject: 'wallet', hasThreshold: true },
  VAULT_APY: { subject: 'vault', hasThreshold: true },
  VAULT_OUTFLOW: { subject: 'vault', hasThreshold: true },
  RESERVE_UTILIZATION: { subject: 'reserve', hasThreshold: true },
  RESERVE_DEPOSIT_REMAINING: { subject: 'reserve', hasThreshold: true },
  RESERVE_BORROW_REMAINING: { subject: 'reserve', hasThreshold: true },
  RESERVE_PRICE_STATUS: { subject: 'reserve', hasThreshold: false },
  DRIFT: { subject: 'platform', hasThreshold: false },
} as const satisfies Record<string, MetricKind>;

export type AlertMetric = keyof typeof ALERT_METRICS;

export const isAlertMetric = (text: string): text is AlertMetric => Object.hasOwn(ALERT_METRICS, text);

/** The figure of an obligation that a metric of an obligation or a wallet watches. */
export type ObligationFigure = 'HEALTH' | 'LTV' | 'LIQUIDATION_DISTANCE';

/** Null for a metric of another subject. */
export function obligationFigure(metric: AlertMetric): ObligationFigure | null {
  const [, figure] = /^(?:OBLIGATION|WALLET)_(.+)$/.exec(metric) ?? [];
  return figure === 'HEALTH' || figure === 'LTV' || figure === 'LIQUIDATION_DISTANCE' ? figure : null;
}
