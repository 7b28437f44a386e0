import type { Redis } from 'ioredis';
import { createRedis } from '../redis/create-redis.ts';
import { MemoryWindow } from './memory-window.ts';
import { RedisWindow } from './redis-window.ts';
import type { Decision, Payer, Window } from './window.ts';

export interface SharedWindowOptions {
  readonly url: string;
  /**
   * Called once when Redis becomes unavailable. The failure never contains the URL, which may hold a
   * password.
   */
  readonly onLost: (failure: unknown) => void;
  readonly onRecovered: () => void;
  readonly windowSeconds?: number;
}

/** A request waits at most half a second for Redis. */
const POLL_MS = 50;
const MAX_POLLS = 10;
const CONNECT_MS = 10_000;
const DEAD_AFTER_MS = 5_000;
const MAX_RETRY_MS = 1_000;
/** After a failure Redis is skipped for this time, so that not every request waits for it in vain. */
const COOLDOWN_MS = 1_000;

/**
 * Uses the window in Redis, and a local one while Redis is unavailable. The local window counts all the time,
 * so losing Redis does not reset anyone's spending.
 */
export class SharedWindow implements Window {
  readonly #options: SharedWindowOptions;
  readonly #redis: Redis;
  readonly #shared: RedisWindow;
  readonly #local: MemoryWindow;
  #skipUntil = 0;
  #lost = false;
  #stopped = false;
  #probe: NodeJS.Timeout | undefined;

  constructor(options: SharedWindowOptions) {
    const { windowSeconds } = options;
    this.#options = options;
    this.#local = new MemoryWindow(windowSeconds === undefined ? {} : { windowSeconds });
    this.#redis = createRedis(options.url, {
      connectTimeout: CONNECT_MS,
      socketTimeout: DEAD_AFTER_MS,
      // Commands must not queue while disconnected: the local window decides instead.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      enableAutoPipelining: true,
      retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RETRY_MS),
    });
    this.#redis.on('error', (failure: unknown) => this.#lose(failure));
    this.#redis.on('close', () => this.#lose(new Error('connection closed')));
    this.#redis.on('ready', () => this.#recover());
    this.#shared = new RedisWindow(this.#redis, windowSeconds);
  }

  /** Whether limits are currently shared. */
  get isShared(): boolean {
    return !this.#lost && this.#redis.status === 'ready';
  }

  spend(payer: Payer, cost: number, already = 0): Decision | Promise<Decision> {
    if (this.#redis.status !== 'ready' || performance.now() < this.#skipUntil) {
      return this.#local.spend(payer, cost, already);
    }
    return withTimeout(this.#shared.spend(payer, cost, already)).then(
      (decision) => {
        if (decision.admitted) this.#local.charge(payer, cost);
        this.#recover();
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
    if (this.#redis.status !== 'ready' || performance.now() < this.#skipUntil) return;
    this.#shared.charge(payer, cost).catch((failure: unknown) => this.#lose(failure));
  }

  spentBy(payer: Payer): number {
    return this.#local.spentBy(payer);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#probe);
    this.#redis.disconnect();
  }

  #lose(failure: unknown): void {
    if (this.#stopped) return;
    this.#skipUntil = performance.now() + COOLDOWN_MS;
    if (this.#lost) return;
    this.#lost = true;
    this.#probeLater();
    this.#options.onLost(failure);
  }

  /**
   * Pings Redis even without traffic: after a short hang the connection survives and no event signals
   * recovery.
   */
  #probeLater(): void {
    if (this.#stopped) return;
    this.#probe = setTimeout(() => {
      if (this.#redis.status !== 'ready') return this.#probeLater();
      withTimeout(this.#redis.ping()).then(
        () => this.#recover(),
        () => this.#probeLater(),
      );
    }, COOLDOWN_MS).unref();
  }

  #recover(): void {
    if (!this.#lost || this.#stopped) return;
    this.#lost = false;
    this.#skipUntil = 0;
    clearTimeout(this.#probe);
    this.#options.onRecovered();
  }
}

/**
 * Counts short timers instead of using one long one: if this process was too busy to run timers, the reply
 * may already be waiting.
 */
function withTimeout<T>(reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let polls = 0;
    let timer: NodeJS.Timeout | undefined;
    const poll = () => {
      polls += 1;
      if (polls > MAX_POLLS) reject(new Error('Redis did not reply in time'));
      else timer = setTimeout(poll, POLL_MS);
    };
    poll();
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
