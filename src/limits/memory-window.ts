import type { LRUCache } from 'lru-cache';
import { growingLru } from '../node/growing-lru.ts';
import { type Decision, type Payer, WINDOW_SECONDS, type Window } from './window.ts';

/** The cost spent in one second. */
interface Spent {
  readonly second: number;
  cost: number;
}

interface Account {
  /** Oldest first. Contains only seconds with spending, which for most clients are few. */
  readonly spent: Spent[];
  total: number;
}

/** With more clients than this in a minute, the least recently seen are dropped. */
const MAX_ACCOUNTS = 50_000;
/** Expired accounts that one request may remove. */
const SWEPT_PER_REQUEST = 2;

export interface MemoryWindowOptions {
  /** Seconds by a monotonic clock; the wall clock may be set back. */
  readonly now?: () => number;
  readonly windowSeconds?: number;
  readonly maxAccounts?: number;
}

/** The rate-limit window of a single process. Decides synchronously. */
export class MemoryWindow implements Window {
  readonly #accounts: LRUCache<string, Account>;
  readonly #now: () => number;
  readonly #windowSeconds: number;

  constructor({ now, windowSeconds, maxAccounts }: MemoryWindowOptions = {}) {
    this.#now = now ?? (() => performance.now() / 1000);
    this.#windowSeconds = windowSeconds ?? WINDOW_SECONDS;
    this.#accounts = growingLru(maxAccounts ?? MAX_ACCOUNTS);
  }

  /** The number of tracked clients. */
  get size(): number {
    return this.#accounts.size;
  }

  spend(payer: Payer, cost: number, already = 0): Decision {
    const now = this.#now();
    const account = this.#account(payer.id, Math.floor(now));
    const admitted = account.total + cost <= payer.limit;
    if (admitted) add(account, Math.floor(now), cost);
    return {
      admitted,
      remaining: Math.max(0, payer.limit - account.total),
      retryAfter: admitted ? 0 : this.#retryAfter(account, payer.limit - cost - already, now),
      resetAfter: this.#freeAt(account.spent.at(-1), now),
    };
  }

  charge({ id }: Payer, cost: number): void {
    const second = Math.floor(this.#now());
    add(this.#account(id, second), second, cost);
  }

  spentBy({ id }: Payer): number {
    const account = this.#accounts.peek(id);
    if (account === undefined) return 0;
    this.#expire(account, Math.floor(this.#now()));
    return account.total;
  }

  #account(id: string, second: number): Account {
    this.#sweep(second);
    let account = this.#accounts.get(id);
    if (account === undefined) {
      account = { spent: [], total: 0 };
      this.#accounts.set(id, account);
    }
    this.#expire(account, second);
    return account;
  }

  #expire(account: Account, second: number): void {
    for (let [oldest] = account.spent; oldest !== undefined; [oldest] = account.spent) {
      if (oldest.second >= second - this.#windowSeconds) return;
      account.total -= oldest.cost;
      account.spent.shift();
    }
  }

  /** Removes the least recently used accounts once all their spending has expired. */
  #sweep(second: number): void {
    for (let swept = 0; swept < SWEPT_PER_REQUEST; swept += 1) {
      const [oldest] = this.#accounts.rvalues();
      if (oldest === undefined || (oldest.spent.at(-1)?.second ?? 0) >= second - this.#windowSeconds) return;
      this.#accounts.pop();
    }
  }

  /** Seconds until at most `most` of the spending still counts. */
  #retryAfter({ spent, total }: Account, most: number, now: number): number {
    let left = total;
    for (const each of spent) {
      left -= each.cost;
      if (left <= most) return this.#freeAt(each, now);
    }
    return this.#freeAt(spent.at(-1), now);
  }

  /** Whole seconds until the spending of that second has expired. */
  #freeAt(spent: Spent | undefined, now: number): number {
    return spent === undefined ? 0 : Math.ceil(spent.second + this.#windowSeconds + 1 - now);
  }
}

function add(account: Account, second: number, cost: number): void {
  const newest = account.spent.at(-1);
  if (newest?.second === second) newest.cost += cost;
  else if (cost > 0) account.spent.push({ second, cost });
  account.total += cost;
}
