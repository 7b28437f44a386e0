import { Gauge, type Registry } from 'prom-client';

export interface ProgramSample {
  readonly program: string;
  readonly state: 'CHECKED' | 'NEWER' | 'OLDER' | 'UNKNOWN';
  readonly deployedSlot: bigint | null;
  readonly checkedSlot: bigint | null;
}

export interface PaddingSample {
  readonly kind: string;
  readonly field: string;
  readonly offset: number;
  readonly accounts: number;
}

export interface ProgramSources {
  readonly deployments: () => readonly ProgramSample[];
  readonly padding: () => readonly PaddingSample[];
}

/** Metrics of the programs on chain: whether this release knows what they run and what they store. */
export function watchPrograms(registry: Registry, { deployments, padding }: ProgramSources): void {
  const registers = [registry];
  /** A program has no sample while its value is unknown. */
  const perProgram = (name: string, help: string, value: (sample: ProgramSample) => number | null) => {
    new Gauge({
      name: `sluice_program_${name}`,
      help,
      labelNames: ['program'],
      registers,
      collect() {
        this.reset();
        for (const sample of deployments()) {
          const known = value(sample);
          if (known !== null) this.set({ program: sample.program }, known);
        }
      },
    });
  };
  const slot = (known: bigint | null) => (known === null ? null : Number(known));
  perProgram('deployed_slot', 'Slot of the last deployment of a program.', (each) => slot(each.deployedSlot));
  perProgram('checked_slot', 'Slot of the newest deployment that this release was checked against.', (each) =>
    slot(each.checkedSlot),
  );
  perProgram('outdated', 'Whether a program was deployed after the newest checked deployment.', (each) =>
    each.state === 'UNKNOWN' ? null : Number(each.state === 'NEWER'),
  );
  new Gauge({
    name: 'sluice_padding_accounts',
    help: 'Accounts read since the start with bytes in a field that this release takes for unused, at most 10,000.',
    labelNames: ['kind', 'field', 'offset'],
    registers,
    collect() {
      this.reset();
      for (const { kind, field, offset, accounts } of padding()) this.set({ kind, field, offset }, accounts);
    },
  });
}
