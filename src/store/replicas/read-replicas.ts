import { pauseFor } from '../../node/pause-for.ts';
import { type DatabaseOptions, openDatabase } from '../database.ts';
import type { Database } from '../sql.ts';
import { ReadLane } from './read-lane.ts';
import { Replica, type ReplicaState } from './replica.ts';
import { probeFailure, ServerProbe, type ServerReading } from './server-probe.ts';
import { WalClock } from './wal-clock.ts';

export interface ReadReplicasOptions {
  /** The primary, and its URL for measurements. */
  readonly primary: Database;
  readonly primaryUrl: string;
  readonly urls: readonly string[];
  /** Longest lag of a replica that answers. */
  readonly maxLagMs: number;
  /** Of the pool of each replica. */
  readonly pool: Pick<DatabaseOptions, 'poolSize' | 'statementTimeoutMs' | 'onStatement'>;
  /** Called when the condition of a replica changes, and when reads move. */
  readonly onChange: (state: ReplicaState) => void;
  /** Called when the primary cannot be measured, once until it can be again. */
  readonly onBlind: (reason: string) => void;
}

const EVERY_MS = 1_000;
/** Longest wait for a measurement. */
const PROBE_MS = 2_000;
/** Pause after a replica did not take over in time, so that reads are not held every second. */
const RETRY_MS = 15_000;

/** The read replicas of a primary: measures them once a second and decides which of them answers. */
export class ReadReplicas {
  /** For reads that need `recorded` data. Everything but `rows` goes to the primary. */
  readonly recorded: Database;
  readonly #primary: ServerProbe;
  readonly #lane: ReadLane;
  readonly #clock: WalClock;
  readonly #replicas: readonly Replica[];
  readonly #onChange: (state: ReplicaState) => void;
  readonly #onBlind: (reason: string) => void;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  readonly #measuring = new Map<Replica, Promise<void>>();
  /** The last reported condition of each replica. */
  readonly #reported = new Map<Replica, string>();
  #reading: ServerReading | null = null;
  #isBlind = false;
  #isMoving = false;
  #retryMs = Number.NEGATIVE_INFINITY;

  static async open(options: ReadReplicasOptions): Promise<ReadReplicas> {
    const { urls, pool } = options;
    const databases = await Promise.all(urls.map((url) => openDatabase({ ...pool, url, readOnly: true })));
    return new ReadReplicas(options, databases);
  }

  private constructor(options: ReadReplicasOptions, databases: readonly Database[]) {
    const { primary, primaryUrl, urls, maxLagMs } = options;
    this.#onChange = options.onChange;
    this.#onBlind = options.onBlind;
    this.#primary = new ServerProbe(primaryUrl, PROBE_MS);
    this.#lane = new ReadLane({ db: primary, lsn: () => this.#primary.lsn() });
    this.#clock = new WalClock(maxLagMs + 60_000);
    this.recorded = { ...primary, rows: (...statement) => this.#lane.rows(...statement) };
    this.#replicas = databases.map((db, i) => {
      const onLost = () => this.#lost(replica);
      const probe = new ServerProbe(urls[i] ?? '', PROBE_MS, onLost);
      const replica = new Replica({ name: `replica-${i + 1}`, db, probe, maxLagMs });
      return replica;
    });
    this.#running = this.#run();
  }

  state(): { readonly replicas: readonly ReplicaState[]; readonly primaryReads: number } {
    return {
      replicas: this.#replicas.map((replica) => this.#stateOf(replica)),
      primaryReads: this.#lane.primaryReads,
    };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await Promise.all(this.#measuring.values());
    await this.#primary.close();
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#readPrimary();
      // Each on its own: one that does not answer must not delay the others.
      for (const replica of this.#replicas) {
        if (this.#measuring.has(replica) || signal.aborted) continue;
        const done = this.#measure(replica).finally(() => this.#measuring.delete(replica));
        this.#measuring.set(replica, done);
      }
      await pauseFor(EVERY_MS, signal);
    }
  }

  async #readPrimary(): Promise<void> {
    const sentMs = performance.now();
    try {
      const reading = await this.#primary.read();
      if (reading.isReplica) return this.#blind('DATABASE_URL names a replica');
      this.#reading = reading;
      this.#isBlind = false;
      this.#clock.note(sentMs, reading.lsn);
      for (const replica of this.#replicas) replica.compareWith(reading, sentMs);
    } catch (error) {
      this.#blind(probeFailure(error));
    }
  }

  /** Without new positions of the primary all replicas age, until none is fresh. */
  #blind(reason: string): void {
    if (!this.#isBlind && !this.#stop.signal.aborted) this.#onBlind(reason);
    this.#isBlind = true;
  }

  async #measure(replica: Replica): Promise<void> {
    if (this.#reading === null) return;
    const wentBack = await replica.measure(this.#reading, this.#clock);
    if (!replica.isGood || wentBack) this.#lane.lose(replica);
    else if (!replica.isFresh(performance.now())) this.#lane.leave(replica);
    this.#report(replica);
    await this.#moveToBest();
  }

  #lost(replica: Replica): void {
    replica.lost();
    this.#lane.lose(replica);
    this.#report(replica);
  }

  /** Sends reads to the replica that is behind least, if they go to the primary now. */
  async #moveToBest(): Promise<void> {
    const nowMs = performance.now();
    if (this.#lane.current !== null || this.#isMoving) return;
    const [best] = this.#replicas
      .filter((replica) => replica.isFresh(nowMs))
      .sort((a, b) => a.lagMs(nowMs) - b.lagMs(nowMs));
    if (best === undefined) return;
    if (!this.#lane.take(best)) {
      if (nowMs < this.#retryMs) return;
      this.#isMoving = true;
      if (!(await this.#lane.move(best))) this.#retryMs = performance.now() + RETRY_MS;
      this.#isMoving = false;
    }
    this.#report(best);
  }

  #stateOf(replica: Replica): ReplicaState {
    return replica.state(performance.now(), this.#lane.current === replica);
  }

  #report(replica: Replica): void {
    const state = this.#stateOf(replica);
    const condition = `${state.status} ${state.reason} ${state.inUse}`;
    if (this.#stop.signal.aborted || this.#reported.get(replica) === condition) return;
    this.#reported.set(replica, condition);
    this.#onChange(state);
  }
}
