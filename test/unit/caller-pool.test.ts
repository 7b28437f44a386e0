import { describe, expect, it } from 'vitest';
import { WorkBudget } from '../../src/node/work-budget.ts';
import { CallerPool } from '../../src/store/caller-pool.ts';
import type { Models } from '../../src/store/models.ts';
import type { Database } from '../../src/store/sql.ts';

/** For tests that run SQL alone. */
const NO_MODELS = {} as unknown as Models;

/** A database whose statements end when the test says so. */
class ManualDatabase implements Database {
  readonly started: string[] = [];
  readonly models = NO_MODELS;
  readonly #ends = new Map<string, () => void>();

  rows(text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    this.started.push(text);
    return new Promise((resolve) => this.#ends.set(text, () => resolve([{ text }])));
  }

  async run(text: string): Promise<number> {
    return (await this.rows(text)).length;
  }

  async transaction<T>(): Promise<T> {
    throw new Error('not used');
  }

  modelsThrough() {
    return this.models;
  }

  pool() {
    return { open: 0, idle: 0, waiting: 0, max: 8 };
  }

  async close(): Promise<void> {}

  /** Ends a statement and lets what waited for it start. */
  async end(text: string): Promise<void> {
    this.#ends.get(text)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function setUp() {
  const db = new ManualDatabase();
  const pool = new CallerPool(db);
  const caller = (name: string, signal = new AbortController().signal) =>
    pool.for(new WorkBudget({ caller: name, signal }));
  return { db, caller };
}

describe('A database divided among callers', () => {
  it('runs two statements of a caller at once and the others after them, in order', async () => {
    const { db, caller } = setUp();
    const greedy = caller('greedy');
    const all = ['a', 'b', 'c', 'd'].map((text) => greedy.rows(text));
    expect(db.started).toEqual(['a', 'b']);
    await db.end('b');
    expect(db.started).toEqual(['a', 'b', 'c']);
    await db.end('a');
    await db.end('c');
    await db.end('d');
    expect(await Promise.all(all)).toEqual([
      [{ text: 'a' }],
      [{ text: 'b' }],
      [{ text: 'c' }],
      [{ text: 'd' }],
    ]);
  });

  it('does not make a caller wait for another', async () => {
    const { db, caller } = setUp();
    for (const text of ['a', 'b', 'c']) void caller('greedy').rows(text);
    void caller('other').rows('mine');
    expect(db.started).toEqual(['a', 'b', 'mine']);
  });

  it('does not run what still waits when the request ends', async () => {
    const { db, caller } = setUp();
    const request = new AbortController();
    void caller('greedy').rows('a');
    void caller('greedy').rows('b');
    const waiting = caller('greedy', request.signal).rows('c');
    const next = caller('greedy').rows('d');
    request.abort(new Error('too late'));
    await expect(waiting).rejects.toThrow('too late');
    await expect(caller('greedy', request.signal).rows('e')).rejects.toThrow('too late');
    await db.end('a');
    expect(db.started).toEqual(['a', 'b', 'd']);
    await db.end('d');
    expect(await next).toEqual([{ text: 'd' }]);
  });

  it('draws each statement before it runs and its rows afterwards, whichever way it is made', async () => {
    const db = new ManualDatabase();
    const work = new WorkBudget({ caller: 'greedy', ceiling: 0.5 });
    const sql = new CallerPool(db).for(work);
    expect(sql.work).toBe(work);
    const read = sql.rows('a');
    expect(work.drawn('rows')).toBe(1);
    await db.end('a');
    await read;
    expect(work.drawn('rows')).toBe(2);
    const written = sql.run('b');
    expect(work.drawn('rows')).toBe(3);
    await db.end('b');
    await written;
    await expect(sql.transaction(async () => undefined)).rejects.toThrow('not used');
    expect(work.drawn('rows')).toBe(4);
    const last = expect(sql.rows('c')).rejects.toMatchObject({ code: 'NODE_BUDGET_EXCEEDED' });
    await db.end('c');
    await last;
    await expect(sql.rows('d')).rejects.toMatchObject({ code: 'NODE_BUDGET_EXCEEDED' });
    expect(db.started).toEqual(['a', 'b', 'c']);
  });

  it('passes the place on when a statement fails', async () => {
    const failing: Database = {
      models: NO_MODELS,
      modelsThrough: () => NO_MODELS,
      rows: () => Promise.reject(new Error('broken')),
      run: () => Promise.resolve(1),
      transaction: () => Promise.reject(new Error('broken')),
      pool: () => ({ open: 0, idle: 0, waiting: 0, max: 8 }),
      close: () => Promise.resolve(),
    };
    const db = new CallerPool(failing).for(new WorkBudget({ caller: 'greedy' }));
    const failed = await Promise.allSettled(['a', 'b', 'c'].map((text) => db.rows(text)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await db.run('d')).toBe(1);
  });

  it('does not limit the work of the gateway itself', () => {
    const { db, caller } = setUp();
    for (const text of ['a', 'b', 'c']) void caller('').rows(text);
    expect(db.started).toEqual(['a', 'b', 'c']);
  });

  it('does not hold up a request beyond its end, and counts the statement until that ends', async () => {
    const { db, caller } = setUp();
    const request = new AbortController();
    const mine = caller('greedy', request.signal);
    const waiting = [mine.rows('a'), mine.rows('b')].map((rows) => rows.catch((error: unknown) => error));
    const reason = new Error('the deadline');
    request.abort(reason);
    expect(await Promise.all(waiting)).toEqual([reason, reason]);
    const next = caller('greedy').rows('c');
    expect(db.started).toEqual(['a', 'b']);
    await db.end('a');
    expect(db.started).toEqual(['a', 'b', 'c']);
    await db.end('c');
    expect(await next).toEqual([{ text: 'c' }]);
  });
});
