import { FairSlots } from '../node/fair-slots.ts';
import { unlessAborted } from '../node/unless-aborted.ts';
import type { WorkBudget } from '../node/work-budget.ts';
import type { Models, RunOperation } from './models.ts';
import type { Database } from './sql.ts';

/**
 * Account of a request, from which its statements are drawn. An empty caller is the gateway itself, which is not limited.
 */
export type StatementCaller = Pick<WorkBudget, 'caller' | 'signal' | 'draw' | 'record' | 'map' | 'giveWay'>;

/**
 * Statements of one caller that run at the same time. A request for the histories of a hundred positions would otherwise
 * take every connection, and every core of a small database server, for as long as it lasts.
 */
const STATEMENTS_PER_CALLER = 2;

/** Divides a database among callers: further statements of a caller wait for its own earlier ones. */
export class CallerPool {
  readonly #db: Database;
  readonly #slots = new FairSlots({
    total: Number.POSITIVE_INFINITY,
    perLane: Number.POSITIVE_INFINITY,
    perCaller: STATEMENTS_PER_CALLER,
  });

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * The database as this caller may use it. A statement that still waits when the request ends is not run. A request does not
   * wait beyond its end for one that runs, but for transactions. A statement draws like a row, and its rows once they
   * are there: how many it has is not known before.
   *
   * @param db the same database with other reads
   */
  for(work: StatementCaller, db = this.#db): Database {
    const { caller, signal } = work;
    if (caller === '') return db;
    const whole = async <T>(run: () => Promise<T>) => {
      work.draw('rows', 1);
      const result = await this.#inTurn(caller, signal, run);
      if (Array.isArray(result)) work.record('rows', result.length);
      return result;
    };
    // A database that does not answer ends no statement. The connection is dropped by the time limit of the pool.
    const inTurn = <T>(run: () => Promise<T>) => unlessAborted(whole(run), signal);
    const modelsThrough = (run: RunOperation) =>
      db.modelsThrough((text, operation) => inTurn(() => run(text, operation)));
    let models: Models | undefined;
    return {
      get models() {
        models ??= modelsThrough((_, operation) => operation());
        return models;
      },
      modelsThrough,
      work,
      rows: (text, params) => inTurn(() => db.rows(text, params)),
      run: (text, params) => inTurn(() => db.run(text, params)),
      transaction: (statements) => whole(() => db.transaction(statements)),
      pool: () => db.pool(),
      close: () => db.close(),
    };
  }

  async #inTurn<T>(caller: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    const wait = this.#slots.acquire({ caller }, signal);
    if (wait !== null) await wait;
    try {
      return await run();
    } finally {
      this.#slots.release({ caller });
    }
  }
}
