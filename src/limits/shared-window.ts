import { Redis } from 'ioredis';
import { MemoryWindow } from './memory-window.ts';
import { RedisWindow } from './redis-window.ts';
import type { Decision, Payer, Window } from './window.ts';

export interface SharedWindowOptions {
  readonly url: string;
  /** Told once when the shared limits are lost; never with the URL, which may hold a password. */
  readonly onLost: (failure: unknown) => void;
  readonly onFound: () => void;
  readonly windowSeconds?: number;
}

/** A request does not wait longer for Redis than half a second. */
const LOOK_MS = 50;
const LOOKS = 10;
const CONNECT_MS = 10_000;
const DEAD_AFTER_MS = 5_000;
const MAX_RETRY_MS = 1_000;
/** After a failure: for how long Redis is not asked, so that not every request waits for it in vain. */
const REST_MS = 1_000;

/**
 * The window in Redis, and the one of this process while Redis is away. The own one counts along all the time: when Redis
 * is lost, nobody starts anew.
 */
export class SharedWindow implements Window {
  readonly #options: SharedWindowOptions;
  readonly #redis: Redis;
  readonly #shared: RedisWindow;
  readonly #local: MemoryWindow;
  #restUntil = 0;
  #lost = false;
  #stopped = false;
  #probe: NodeJS.Timeout | undefined;

  constructor(options: SharedWindowOptions) {
    const { windowSeconds } = options;
    this.#options = options;
    this.#local = new MemoryWindow(windowSeconds === undefined ? {} : { windowSeconds });
    this.#redis = new Redis(options.url, {
      connectTimeout: CONNECT_MS,
      socketTimeout: DEAD_AFTER_MS,
      // What cannot be asked now is decided here and now.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      enableAutoPipelining: true,
      retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RETRY_MS),
    });
    this.#redis.on('error', (failure: unknown) => this.#lose(failure));
    this.#redis.on('close', () => this.#lose(new Error('the connection was closed')));
    this.#redis.on('ready', () => this.#find());
    this.#shared = new RedisWindow(this.#redis, windowSeconds);
  }

  /** Whether limits are shared at the moment. */
  get isShared(): boolean {
    return !this.#lost && this.#redis.status === 'ready';
  }

  spend(payer: Payer, cost: number, already = 0): Decision | Promise<Decision> {
    if (this.#redis.status !== 'ready' || performance.now() < this.#restUntil) {
      return this.#local.spend(payer, cost, already);
    }
    return inTime(this.#shared.spend(payer, cost, already)).then(
      (decision) => {
        if (decision.admitted) this.#local.charge(payer, cost);
        this.#find();
        return decision;
      },
      (failure: unknown) => {
        this.#lose(failure);
        return this.#local.spend(payer, cost, already);
      },
    );
  }

  charge(payer: Payer, cost: number): void {
    this.#local.charge(payer, cost);
    if (this.#redis.status !== 'ready' || performance.now() < this.#restUntil) return;
    this.#shared.charge(payer, cost).catch((failure: unknown) => this.#lose(failure));
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#probe);
    this.#redis.disconnect();
  }

  #lose(failure: unknown): void {
    if (this.#stopped) return;
    this.#restUntil = performance.now() + REST_MS;
    if (this.#lost) return;
    this.#lost = true;
    this.#probeLater();
    this.#options.onLost(failure);
  }

  /** A Redis that hung for less than its connection lasts gives no sign when it is back: it is asked, traffic or none. */
  #probeLater(): void {
    if (this.#stopped) return;
    this.#probe = setTimeout(() => {
      if (this.#redis.status !== 'ready') return this.#probeLater();
      inTime(this.#redis.ping()).then(
        () => this.#find(),
        () => this.#probeLater(),
      );
    }, REST_MS).unref();
  }

  #find(): void {
    if (!this.#lost || this.#stopped) return;
    this.#lost = false;
    this.#restUntil = 0;
    clearTimeout(this.#probe);
    this.#options.onFound();
  }
}

/** Looked at so often and not timed as a whole: a process that was too busy to look has the answer waiting. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let looks = 0;
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      looks += 1;
      if (looks > LOOKS) reject(new Error('Redis has not answered in time'));
      else timer = setTimeout(look, LOOK_MS);
    };
    look();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
