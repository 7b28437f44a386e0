import { Counter, Gauge, type Registry } from 'prom-client';

const ROLES = ['reader', 'follower', 'standalone'] as const;

/** Reasons of refusals that a feed without faults and strangers never has. */
export const SUSPICIOUS_REFUSALS = ['ALTERED', 'UNAUTHENTIC', 'IMPLAUSIBLE', 'EMPTIED'] as const;

/** Metrics of Views shared between gateways. */
export class FeedMetrics {
  readonly #roleChanges: Counter<'role'>;
  readonly #bytes: Counter<'direction'>;
  readonly #snapshots: Counter;
  readonly #positionLoads: Counter;
  readonly #refused: Counter<'reason'>;
  readonly #failures: Counter;

  /** @param role read on every scrape */
  constructor(registry: Registry, role: () => (typeof ROLES)[number]) {
    const registers = [registry];
    new Gauge({
      name: 'sluice_feed_role',
      help: 'Role of this gateway: 1 for the present one.',
      labelNames: ['role'],
      registers,
      collect() {
        for (const each of ROLES) this.set({ role: each }, Number(each === role()));
      },
    });
    this.#roleChanges = new Counter({
      name: 'sluice_feed_role_changes_total',
      help: 'Number of times that this gateway took on a role.',
      labelNames: ['role'],
      registers,
    });
    // Present from the start, so that the first change is an increase.
    for (const each of ROLES) this.#roleChanges.inc({ role: each }, 0);
    this.#bytes = new Counter({
      name: 'sluice_feed_bytes_total',
      help: 'Bytes of Views and accounts of wallets sent to Redis or received from it.',
      labelNames: ['direction'],
      registers,
    });
    this.#snapshots = new Counter({
      name: 'sluice_feed_snapshots_total',
      help: 'Whole Views taken from Redis: at the start, after a change of reader, after a gap.',
      registers,
    });
    this.#positionLoads = new Counter({
      name: 'sluice_feed_position_loads_total',
      help: 'Times that accounts of wallets were loaded whole from Redis: at the start, after a gap, after the reader read anew.',
      registers,
    });
    this.#refused = new Counter({
      name: 'sluice_feed_refused_total',
      help: 'Views that were not used.',
      labelNames: ['reason'],
      registers,
    });
    // Present from the start, so that the first one is an increase.
    for (const reason of SUSPICIOUS_REFUSALS) this.#refused.inc({ reason }, 0);
    this.#failures = new Counter({
      name: 'sluice_feed_failures_total',
      help: 'Failed commands to Redis.',
      registers,
    });
  }

  roleChanged(role: (typeof ROLES)[number]): void {
    this.#roleChanges.inc({ role });
  }

  sent(bytes: number): void {
    this.#bytes.inc({ direction: 'sent' }, bytes);
  }

  received(bytes: number): void {
    this.#bytes.inc({ direction: 'received' }, bytes);
  }

  snapshotTaken(): void {
    this.#snapshots.inc();
  }

  positionsLoaded(): void {
    this.#positionLoads.inc();
  }

  refused(reason: string): void {
    this.#refused.inc({ reason });
  }

  failed(): void {
    this.#failures.inc();
  }
}
