import { setTimeout as sleep } from 'node:timers/promises';
import { isCodedError } from '../../errors/sluice-error.ts';
import { unlessAborted } from '../../node/unless-aborted.ts';
import type { Sql } from '../sql.ts';

/** Longest time for which reads wait until a replica has replayed what the primary has committed. */
const HOLD_MS = 500;
const POLL_MS = 2;
/** A statement that took all of its time gets no second one. */
const TIMED_OUT = '57014';

/** A replica, as far as this file uses it. */
export interface LaneReplica {
  readonly db: Pick<Sql, 'rows'>;
  isFresh(nowMs: number): boolean;
  hasReplayed(ms: number): boolean;
  lsn(): Promise<bigint>;
  answered(): void;
  failed(error: unknown): void;
}

/** The primary, as far as this file uses it. */
interface LanePrimary {
  readonly db: Pick<Sql, 'rows'>;
  /** Everything that is committed is at or before this position. */
  lsn(): Promise<bigint>;
}

type Rows = Awaited<ReturnType<Sql['rows']>>;

/**
 * Reads that need `recorded` data. All of a process go to one server at a time, so that answers never go back in time:
 *
 * - The primary has everything that a replica could have shown, so reads move to it at any moment: when the replica fails, and
 *   when it is no longer fresh.
 * - A replica takes over from the primary once it has replayed everything that was committed when the primary answered last.
 *   Where reads follow each other too closely to know that, new ones wait for the few milliseconds that it takes.
 * - A read that began before the move and ends on another server is held until the server in use has what it has shown.
 */
export class ReadLane {
  readonly #primary: LanePrimary;
  #current: LaneReplica | null = null;
  /** Aborted when the replica in use answers no more. */
  #lost = new AbortController();
  #moving: Promise<void> | null = null;
  /** When the primary, or a replica that was left, last answered; by `performance.now()`. */
  #shownMs = Number.NEGATIVE_INFINITY;
  #primaryReads = 0;

  constructor(primary: LanePrimary) {
    this.#primary = primary;
  }

  /** The replica that reads go to; null for the primary. */
  get current(): LaneReplica | null {
    return this.#current;
  }

  /** Statements that the primary answered. */
  get primaryReads(): number {
    return this.#primaryReads;
  }

  async rows(...statement: Parameters<Sql['rows']>): Promise<Rows> {
    await this.#settled();
    const replica = this.#current;
    if (replica !== null) {
      const found = replica.isFresh(performance.now()) ? await this.#readFrom(replica, statement) : null;
      if (found !== null) return found;
      this.leave(replica);
    }
    const rows = await this.#primary.db.rows(...statement);
    this.#primaryReads += 1;
    await this.#show(null);
    return rows;
  }

  /** Sends later reads to the primary. No effect on a replica that is not in use. */
  leave(replica: LaneReplica): void {
    if (this.#current !== replica) return;
    this.#current = null;
    this.#shownMs = performance.now();
  }

  /** The same, and sends the reads that wait for an answer to the primary too. */
  lose(replica: LaneReplica): void {
    if (this.#current !== replica) return;
    this.leave(replica);
    this.#lost.abort();
  }

  /** Sends reads to the replica if it is known to have what was shown. Returns whether it is in use. */
  take(replica: LaneReplica): boolean {
    if (this.#current === null && this.#moving === null && replica.hasReplayed(this.#shownMs))
      this.#use(replica);
    return this.#current === replica;
  }

  /** The same while reads follow each other closely, which wait meanwhile. Not for concurrent use. */
  async move(replica: LaneReplica): Promise<boolean> {
    // Reads are not held for a replica that is always this far behind.
    if (!(await this.#catchesUp(replica))) return false;
    this.#moving = this.#catchesUp(replica).then((isThere) => {
      if (isThere) this.#use(replica);
      this.#moving = null;
    });
    await this.#settled();
    return this.#current === replica;
  }

  #use(replica: LaneReplica): void {
    this.#current = replica;
    if (this.#lost.signal.aborted) this.#lost = new AbortController();
  }

  /** Null when it failed and the primary is to be asked. */
  async #readFrom(replica: LaneReplica, statement: Parameters<Sql['rows']>): Promise<Rows | null> {
    const { signal } = this.#lost;
    try {
      // A server that has vanished would answer only when the connection times out.
      const rows = await unlessAborted(replica.db.rows(...statement), signal);
      replica.answered();
      await this.#show(replica);
      return rows;
    } catch (error) {
      if (isCodedError(error, 'HISTORY_UNAVAILABLE') && error.context.reason === TIMED_OUT) throw error;
      if (!signal.aborted) replica.failed(error);
      return null;
    }
  }

  /** Before a result of a server is shown: waits until reads that begin later cannot return less. */
  async #show(from: LaneReplica | null): Promise<void> {
    await this.#settled();
    const current = this.#current;
    if (current !== null && current !== from && !(await this.#catchesUp(current))) this.leave(current);
    if (this.#current === null) this.#shownMs = performance.now();
  }

  async #settled(): Promise<void> {
    while (this.#moving !== null) await this.#moving;
  }

  /** Whether the replica replays, in time, everything that is committed now. */
  async #catchesUp(replica: LaneReplica): Promise<boolean> {
    const signal = AbortSignal.timeout(HOLD_MS);
    try {
      const wanted = await unlessAborted(this.#primary.lsn(), signal);
      while ((await unlessAborted(replica.lsn(), signal)) < wanted)
        await sleep(POLL_MS, undefined, { signal });
      return true;
    } catch {
      // Too slow or unreachable; measured and reported every second.
      return false;
    }
  }
}
