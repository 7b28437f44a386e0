import { Counter, Gauge, type Registry } from 'prom-client';

export interface DriftSample {
  readonly kinds: Readonly<
    Record<string, { readonly compared: number; readonly relative: number; readonly alarms: number }>
  >;
  readonly deployedSlots: Readonly<Record<string, string | null>>;
  readonly upgrades: readonly { readonly program: string }[];
}

/** How our numbers stand beside those that the chain stores. */
export class DriftMetrics {
  readonly #failures: Counter;

  constructor(registry: Registry, read: () => DriftSample) {
    const registers = [registry];
    this.#failures = new Counter({
      name: 'sluice_drift_check_failures_total',
      help: 'Comparisons with the chain that could not be made.',
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
    perKind('relative', 'Greatest difference to what the chain stores, as a fraction of it.', 'relative');
    perKind('compared', 'Numbers that the last look compared.', 'compared');
    perKind('alarms', 'Numbers of the last look that differ by more than they may.', 'alarms');
    new Gauge({
      name: 'sluice_program_deployed_slot',
      help: 'Slot at which the code of a program was last deployed.',
      labelNames: ['program'],
      registers,
      collect() {
        for (const [program, slot] of Object.entries(read().deployedSlots)) {
          if (slot !== null) this.set({ program }, Number(slot));
        }
      },
    });
    new Gauge({
      name: 'sluice_program_upgrades_seen',
      help: 'How often a program was deployed anew since this process began.',
      labelNames: ['program'],
      registers,
      collect() {
        const { deployedSlots, upgrades } = read();
        for (const program of Object.keys(deployedSlots)) {
          this.set({ program }, upgrades.filter((upgrade) => upgrade.program === program).length);
        }
      },
    });
  }

  failed(): void {
    this.#failures.inc();
  }
}
