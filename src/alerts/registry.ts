import { SluiceError } from '../errors/sluice-error.ts';
import type { Database } from '../store/sql.ts';
import { type AlertLimits, OwnedAlerts, type Owner } from './owned-alerts.ts';

export interface RegistryOptions extends AlertLimits {
  /** The operator's secret; null when this deployment has no alerts. */
  readonly secret: string | null;
}

/** Gives owners access to their alerts, and announces what they change. */
export class AlertRegistry {
  readonly #options: RegistryOptions;
  readonly #listeners = new Set<() => void>();

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** Registers a listener for alerts that owners add, change or remove here; returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @throws ALERTS_DISABLED when this deployment has no alerts */
  requireEnabled(): void {
    this.#secret();
  }

  /**
   * The alerts of an owner.
   *
   * @param source opens the database
   * @param caller the request that asks; absent for a command
   * @throws ALERTS_DISABLED, and HISTORY_STARTING or HISTORY_UNAVAILABLE while the database is not open
   */
  ownedBy(owner: Owner, source: { database(what: string): Database }): OwnedAlerts {
    const options = { ...this.#options, secret: this.#secret() };
    const onChange = () => {
      for (const listener of this.#listeners) listener();
    };
    return new OwnedAlerts({ ...options, owner, db: source.database('An alert'), onChange });
  }

  #secret(): string {
    const { secret } = this.#options;
    if (secret === null) throw new SluiceError('ALERTS_DISABLED', {});
    return secret;
  }
}
