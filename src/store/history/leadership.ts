import { Client } from 'pg';
import { connectionOf } from '../connection.ts';
import { databaseError } from '../database-error.ts';
import type { Database } from '../sql.ts';
import { TAKE_FENCE, takeFence } from './fence.ts';
import { bigintOf } from './rows.ts';

/** Who among the recorders of one database writes. */
export interface Leadership {
  /**
   * The fence to show in every write, or null while another leads. Asked again by the one that leads it makes sure
   * that this is still so, and gives the same fence.
   */
  tryLead(): Promise<bigint | null>;
  /** Called when a leadership ends by itself: the connection that held it is gone. */
  onLoss(listener: () => void): void;
  /** Lets another lead. Nothing may be written with the fence afterwards. */
  resign(): Promise<void>;
}

export interface LeadershipOptions {
  /** Of PostgreSQL itself or of a pooler that keeps sessions: the lock belongs to the session. */
  readonly url: string;
  /** Who leads, for people who look into the database. */
  readonly holder: string;
  /** For how long a leader may be silent before the server ends its leadership. */
  readonly silenceMs?: number;
}

/** Names the lock among the advisory locks of the database. */
const LOCK = 5_154_832_071;
/** A lease that an old leader's transaction still holds is waited for so long; then another attempt is made. */
const STATEMENT_MS = 10_000;
const LOST_AFTER_MS = 15_000;
/** Of a process that was paused or a machine that fell off the network: the lock is given back so soon. */
const SILENCE_MS = 20_000;
const BEATS_PER_SILENCE = 4;
const sessionOf = (silenceMs: number) => `SET idle_session_timeout = ${Math.round(silenceMs)};
  SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4`;

/**
 * Leadership by a lock that a session of its own holds, so that it ends with the session however that ends; the server
 * ends one that says nothing. The lock keeps a second leader from starting; the fence keeps one that does not know of its
 * end yet from writing.
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
      // With the session goes the lock, also when only the fence could not be had.
      await this.#close();
      this.#lose();
      throw databaseError(error);
    }
  }

  /** The fence, when the session lives and nobody has taken a newer one. */
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
    const beat = setInterval(() => client.query('SELECT 1').catch(() => {}), silenceMs / BEATS_PER_SILENCE);
    beat.unref();
    client.on('end', () => clearInterval(beat));
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
 * Leadership of the only process there can be: the embedded database is one session for everybody, in which an
 * advisory lock keeps nobody out, and the lock file of its directory already keeps a second process away. A new fence
 * is taken all the same, so that what an earlier run left behind cannot write.
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

  /** Nothing can take it away. */
  onLoss(): void {}

  async resign(): Promise<void> {
    this.#fence = null;
  }
}
