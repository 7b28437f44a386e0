import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

/** Metrics of alerts. Those of evaluation and delivery are about the process that leads. */
export class AlertMetrics {
  readonly #leading: Gauge;
  readonly #alerts: Gauge<'known'>;
  readonly #evaluation: Histogram;
  readonly #crossings: Counter;
  readonly #attempts: Counter<'outcome'>;
  readonly #pending: Gauge;
  readonly #failures: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#leading = new Gauge({
      name: 'sluice_alerts_leading',
      help: 'Whether this process evaluates and delivers alerts.',
      registers,
    });
    this.#alerts = new Gauge({
      name: 'sluice_alerts',
      help: 'Alerts that the last evaluation covered, by whether their figure is known.',
      labelNames: ['known'],
      registers,
    });
    this.#evaluation = new Histogram({
      name: 'sluice_alert_evaluation_seconds',
      help: 'Time to read and compare the figures of all alerts in a View.',
      buckets: SECONDS,
      registers,
    });
    this.#crossings = new Counter({
      name: 'sluice_alert_crossings_total',
      help: 'Conditions that fired or cleared.',
      registers,
    });
    this.#attempts = new Counter({
      name: 'sluice_alert_attempts_total',
      help: 'Attempts to deliver a message, by outcome: delivered, failed, or dead after the last attempt.',
      labelNames: ['outcome'],
      registers,
    });
    this.#pending = new Gauge({
      name: 'sluice_alert_messages_pending',
      help: 'Messages that wait to be delivered.',
      registers,
    });
    this.#failures = new Counter({
      name: 'sluice_alert_failures_total',
      help: 'Evaluations, deliveries and renewals of the lead that failed in the gateway itself.',
      registers,
    });
  }

  led(isLeading: boolean): void {
    this.#leading.set(isLeading ? 1 : 0);
  }

  evaluated({ total, unknown }: { readonly total: number; readonly unknown: number }, ms: number): void {
    this.#alerts.set({ known: 'yes' }, total - unknown);
    this.#alerts.set({ known: 'no' }, unknown);
    this.#evaluation.observe(ms / 1_000);
  }

  crossed(events: number): void {
    this.#crossings.inc(events);
  }

  attempted(outcome: string): void {
    this.#attempts.inc({ outcome });
  }

  pending(messages: number): void {
    this.#pending.set(messages);
  }

  failed(): void {
    this.#failures.inc();
  }
}
