import { abandonOn } from '../node/abandon-on.ts';
import type { Database } from './sql.ts';

/** Whose statement it is: the payer of a request, and when the request ends. */
export interface StatementCaller {
  /** Empty for work of the gateway itself, which is not limited. */
  readonly caller: string;
  readonly signal: AbortSignal;
}

/**
 * Statements of one caller that run at the same time. A request for the histories of a hundred positions would otherwise
 * take every connection, and every core of a small database server, for as long as it lasts.
 */
const STATEMENTS_PER_CALLER = 2;

interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Divides a database among callers: further statements of a caller wait for its own earlier ones. */
export class CallerPool {
  readonly #db: Database;
  /** Callers with statements in progress. */
  readonly #lanes = new Map<string, Lane>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** The database as this caller may use it. A statement that still waits when the request ends is not run. */
  for({ caller, signal }: StatementCaller): Database {
    if (caller === '') return this.#db;
    const db = this.#db;
    const inTurn = <T>(run: () => Promise<T>) => this.#inTurn(caller, signal, run);
    return {
      rows: (text, params) => inTurn(() => db.rows(text, params)),
      run: (text, params) => inTurn(() => db.run(text, params)),
      transaction: (work) => inTurn(() => db.transaction(work)),
      pool: () => db.pool(),
      close: () => db.close(),
    };
  }

  async #inTurn<T>(caller: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const lane = this.#lanes.get(caller) ?? { running: 0, waiting: new Set() };
    this.#lanes.set(caller, lane);
    if (lane.running === STATEMENTS_PER_CALLER) await untilNext(lane, signal);
    else lane.running += 1;
    try {
      return await run();
    } finally {
      const [next] = lane.waiting;
      if (next !== undefined) next();
      else lane.running -= 1;
      if (lane.running === 0) this.#lanes.delete(caller);
    }
  }
}

/** Waits until an earlier statement of the lane passes its place on. */
function untilNext({ waiting }: Lane, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const proceed = () => {
      waiting.delete(proceed);
      unlink();
      resolve();
    };
    waiting.add(proceed);
    const unlink = abandonOn(signal, (reason) => {
      waiting.delete(proceed);
      reject(reason);
    });
  });
}
