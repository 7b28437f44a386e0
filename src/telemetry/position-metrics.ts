import { Gauge, type Registry } from 'prom-client';

/** The accounts of wallets in memory when metrics are collected. */
export interface PositionsSample {
  readonly kinds: readonly {
    readonly kind: string;
    readonly accounts: number;
    /** Those of them with a wrong owner, discriminator or length. */
    readonly unreadable: number;
  }[];
  readonly memoryBytes: number;
}

/** Collects the positions of the newest View on every scrape. Null: it has none, and the metrics have no value. */
export function watchPositions(registry: Registry, read: () => PositionsSample | null): void {
  const byKind = (name: string, help: string, key: 'accounts' | 'unreadable') => {
    new Gauge({
      name: `sluice_positions_${name}`,
      help,
      labelNames: ['kind'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { kind, ...numbers } of read()?.kinds ?? []) this.set({ kind }, numbers[key]);
      },
    });
  };
  byKind('accounts', 'Accounts of wallets in the newest View, by kind.', 'accounts');
  byKind(
    'unreadable',
    'Accounts of wallets in the newest View with a wrong owner, discriminator or length, by kind.',
    'unreadable',
  );
  new Gauge({
    name: 'sluice_positions_memory_bytes',
    help: 'Memory of the accounts of wallets; 0 while there are none.',
    registers: [registry],
    collect() {
      this.set(read()?.memoryBytes ?? 0);
    },
  });
}
