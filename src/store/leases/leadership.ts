import type { Database } from '../sql.ts';
import { LEASES, type LeaseName, takeFence } from './fencing-token.ts';

/** Elects the one process that may write to a part of a database. */
export interface Leadership {
  /**
   * The fencing token for every write, or null while another process leads. A leader that calls it again
   * renews its lease and gets the same token.
   */
  tryLead(): Promise<bigint | null>;
  /** Called when leadership is lost: another process leads, or may lead by now. */
  onLoss(listener: () => void): void;
  /** Gives up leadership. The token must not be used for writes afterwards. */
  resign(): Promise<void>;
}

export interface DatabaseLeaseOptions {
  readonly db: Database;
  /** Identifies the leader to people who inspect the database. */
  readonly holder: string;
  /** Task to lead. Defaults to recording. */
  readonly lease?: LeaseName;
  /** Silence of a leader after which another one takes over. */
  readonly leaseMs?: number;
  /**
   * Takes over a lease that has not expired, and need not renew its own. For the embedded database: the lock of its
   * directory excludes other processes, so the holder of that lease has ended.
   */
  readonly soleProcess?: boolean;
}

const LEASE_MS = 10_000;
const RENEWALS_PER_LEASE = 4;
/** Expired on every clock. */
const RELEASED = new Date(0);

/**
 * Leadership by a lease in the database, on the database's clock. The lease stops a second leader from starting; the
 * fencing token stops a former leader that has not noticed from writing. Needs no session of its own, so it works
 * through a pooler in transaction mode.
 */
export class DatabaseLease implements Leadership {
  readonly #options: DatabaseLeaseOptions;
  readonly #leaseMs: number;
  readonly #name: LeaseName;
  readonly #listeners: (() => void)[] = [];
  #fence: bigint | null = null;
  #attempt: Promise<bigint | null> | null = null;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #renewals: NodeJS.Timeout | undefined;

  constructor(options: DatabaseLeaseOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#name = options.lease ?? 'recorder';
  }

  tryLead(): Promise<bigint | null> {
    this.#attempt ??= this.#try().finally(() => {
      this.#attempt = null;
    });
    return this.#attempt;
  }

  onLoss(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async resign(): Promise<void> {
    await this.#attempt?.catch(() => null);
    clearInterval(this.#renewals);
    const fence = this.#fence;
    this.#fence = null;
    if (fence === null) return;
    // A lease that cannot be released expires.
    const { recorderHeartbeat } = this.#options.db.models;
    const mine = { id: this.#id, fence };
    await recorderHeartbeat.updateMany({ where: mine, data: { expiresAt: RELEASED } }).catch(() => {});
  }

  get #id(): number {
    return LEASES[this.#name];
  }

  async #try(): Promise<bigint | null> {
    if (this.#fence !== null) return await this.#renew(this.#fence);
    const startedAt = performance.now();
    this.#fence = await this.#acquire();
    if (this.#fence === null) return null;
    this.#renewedAt = startedAt;
    if (!this.#options.soleProcess) this.#keepRenewing();
    return this.#fence;
  }

  #acquire(): Promise<bigint | null> {
    const { db, holder, soleProcess = false } = this.#options;
    return db.transaction(async (sql) => {
      if ((await sql.run(CLAIM, [this.#leaseMs, soleProcess, this.#id])) === 0) return null;
      // Waits for writes in progress of the former leader.
      const fence = await takeFence(sql, holder, this.#name);
      await sql.run(START, [fence, this.#leaseMs, this.#id]);
      return fence;
    });
  }

  /** Extends the lease, also an expired one as long as nobody else has taken it. */
  async #renew(fence: bigint): Promise<bigint | null> {
    const startedAt = performance.now();
    try {
      if ((await this.#options.db.run(RENEW, [fence, this.#leaseMs, this.#id])) === 1) {
        this.#renewedAt = startedAt;
        return fence;
      }
    } catch (error) {
      if (performance.now() - this.#renewedAt >= this.#leaseMs) this.#lose();
      throw error;
    }
    this.#lose();
    return null;
  }

  #keepRenewing(): void {
    const renew = () => {
      // The next renewal, or the next write, reports the failure.
      if (this.#fence !== null) this.tryLead().catch(() => {});
    };
    this.#renewals = setInterval(renew, this.#leaseMs / RENEWALS_PER_LEASE);
    this.#renewals.unref();
  }

  #lose(): void {
    clearInterval(this.#renewals);
    this.#fence = null;
    for (const listener of this.#listeners) listener();
  }
}

const fromNow = (leaseMs: string) => `clock_timestamp() + ${leaseMs}::integer * interval '1 millisecond'`;

/** Affects one row, which stays locked until the transaction ends, or none while another process leads. */
const CLAIM = `INSERT INTO recorder_heartbeat (id, fence, expires_at) VALUES ($3::integer, 0, ${fromNow('$1')})
  ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at
  WHERE recorder_heartbeat.expires_at <= clock_timestamp() OR $2::boolean`;

const START = `UPDATE recorder_heartbeat SET fence = $1::bigint, expires_at = ${fromNow('$2')}
  WHERE id = $3::integer`;

/** Earlier versions take a fencing token without a heartbeat, so both rows must have ours. */
const RENEW = `UPDATE recorder_heartbeat SET expires_at = ${fromNow('$2')}
  WHERE id = $3::integer AND fence = $1::bigint
    AND EXISTS (SELECT FROM recorder_lease WHERE id = $3::integer AND fence = $1::bigint)`;
