/** Receives the events of alerts, for metrics and logs. */
export interface AlertObserver {
  /** Whether this process evaluates and delivers. */
  led(isLeading: boolean): void;
  /** @param alerts how many were evaluated, and how many of their figures are unknown */
  evaluated(alerts: { readonly total: number; readonly unknown: number }, durationMs: number): void;
  crossed(events: number): void;
  attempted(outcome: 'delivered' | 'failed' | 'dead'): void;
  /** Messages that wait to be delivered. */
  pending(messages: number): void;
  /** Called on failures of the gateway itself; it recovers on its own. */
  failed(error: unknown): void;
}
