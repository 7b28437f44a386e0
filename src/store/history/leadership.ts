import { Client } from 'pg';
import { connectionOf } from '../connection.ts';
import { databaseError } from '../database-error.ts';
import type { Database } from '../sql.ts';
import { TAKE_FENCE, takeFence } from './fence.ts';
import { bigintOf } from './rows.ts';

/** Elects the one recorder that may write to a database. */
export interface Leadership {
  /**
   * The fencing token for every write, or null while another process leads. A leader that calls it again
   * verifies its lease and gets the same token.
   */
  tryLead(): Promise<bigint | null>;
  /** Called when leadership is lost because the session that held it ended. */
  onLoss(listener: () => void): void;
  /** Gives up leadership. The token must not be used for writes afterwards. */
  resign(): Promise<void>;
}

export interface LeadershipOptions {
  /** Must reach PostgreSQL directly or through a pooler in session mode: the lock belongs to the session. */
  readonly url: string;
  /** Identifies the leader to people who inspect the database. */
  readonly holder: string;
  /** How long a leader may be silent before the server ends its session. */
  readonly silenceMs?: number;
}

/** Key of the advisory lock. */
const LOCK = 5_154_832_071;
/**
 * How long to wait for a lease row that a former leader's transaction still locks, before the attempt fails.
 */
const STATEMENT_MS = 10_000;
const LOST_AFTER_MS = 15_000;
/** When a process is paused or a machine loses its network, the server releases the lock after this time. */
const SILENCE_MS = 20_000;
const HEARTBEATS_PER_SILENCE = 4;
const sessionOf = (silenceMs: number) => `SET idle_session_timeout = ${Math.round(silenceMs)};
  SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4`;

/**
 * Leadership by an advisory lock held in a dedicated session, so it ends with the session, and the server
 * ends silent sessions. The lock stops a second leader from starting; the fencing token stops a former leader
 * that has not noticed from writing.
 */
export class PostgresLeadership implements Leadership {
  readonly #options: LeadershipOptions;
  readonly #listeners: (() => void)[] = [];
  #client: Client | null = null;
  #fence: bigint | null = null;
  #attempt: Promise<bigint | null> | null = null;

  constructor(options: LeadershipOptions) {
    this.#options = options;
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
    this.#fence = null;
    await this.#close();
  }

  async #try(): Promise<bigint | null> {
    try {
      if (this.#fence !== null) return await this.#confirm(this.#fence);
      this.#client ??= await this.#connect();
      const { rows } = await this.#client.query<{ led: boolean }>('SELECT pg_try_advisory_lock($1) AS led', [
        LOCK,
      ]);
      if (rows[0]?.led !== true) return null;
      const taken = await this.#client.query(TAKE_FENCE, [this.#options.holder]);
      this.#fence = bigintOf(taken.rows[0] ?? {}, 'fence');
      return this.#fence;
    } catch (error) {
      // Closing the session releases the lock, also when only the fencing token could not be taken.
      await this.#close();
      this.#lose();
      throw databaseError(error);
    }
  }

  /** The token, if the session is alive and no newer token was issued. */
  async #confirm(fence: bigint): Promise<bigint | null> {
    const answer = await this.#client?.query('SELECT fence::text AS fence FROM recorder_lease WHERE id = 1');
    if (answer !== undefined && bigintOf(answer.rows[0] ?? {}, 'fence') === fence) return fence;
    await this.#close();
    this.#lose();
    return null;
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      ...connectionOf(this.#options.url),
      statement_timeout: STATEMENT_MS,
      query_timeout: LOST_AFTER_MS,
    });
    const dropped = () => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#lose();
    };
    client.on('error', dropped);
    client.on('end', dropped);
    await client.connect();
    const silenceMs = this.#options.silenceMs ?? SILENCE_MS;
    await client.query(sessionOf(silenceMs)).catch(async (error: unknown) => {
      await client.end().catch(() => {});
      throw error;
    });
    const heartbeat = setInterval(
      () => client.query('SELECT 1').catch(() => {}),
      silenceMs / HEARTBEATS_PER_SILENCE,
    );
    heartbeat.unref();
    client.on('end', () => clearInterval(heartbeat));
    return client;
  }

  async #close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }

  #lose(): void {
    if (this.#fence === null) return;
    this.#fence = null;
    for (const listener of this.#listeners) listener();
  }
}

/**
 * Leadership on the embedded database. All its clients share one session, so an advisory lock would exclude
 * no one; the lock file of its directory already excludes a second process. It still takes a new fencing
 * token, so leftovers of an earlier run cannot write.
 */
export class SoleLeadership implements Leadership {
  readonly #db: Database;
  readonly #holder: string;
  #fence: bigint | null = null;

  constructor(db: Database, holder: string) {
    this.#db = db;
    this.#holder = holder;
  }

  async tryLead(): Promise<bigint> {
    this.#fence ??= await takeFence(this.#db, this.#holder);
    return this.#fence;
  }

  /** Never called: nothing can take this leadership away. */
  onLoss(): void {}

  async resign(): Promise<void> {
    this.#fence = null;
  }
}
