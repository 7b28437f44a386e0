import { Counter, Gauge, type Registry } from 'prom-client';

export interface DriftSample {
  readonly kinds: Readonly<
    Record<string, { readonly compared: number; readonly relative: number; readonly alarms: number }>
  >;
}

/** Metrics of the drift between our numbers and those stored on chain. */
export class DriftMetrics {
  readonly #failures: Counter;

  constructor(registry: Registry, read: () => DriftSample) {
    const registers = [registry];
    this.#failures = new Counter({
      name: 'sluice_drift_check_failures_total',
      help: 'Failed drift checks.',
      registers,
    });
    const perKind = (name: string, help: string, field: 'compared' | 'relative' | 'alarms') => {
      new Gauge({
        name: `sluice_drift_${name}`,
        help,
        labelNames: ['kind'],
        registers,
        collect() {
          for (const [kind, state] of Object.entries(read().kinds)) this.set({ kind }, state[field]);
        },
      });
    };
    perKind('relative', 'Largest relative difference from the number on chain.', 'relative');
    perKind('compared', 'Numbers compared by the last check.', 'compared');
    perKind('alarms', 'Numbers of the last check beyond their tolerance.', 'alarms');
  }

  failed(): void {
    this.#failures.inc();
  }
}
