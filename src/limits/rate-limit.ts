import { SluiceError } from '../errors/sluice-error.ts';
import type { Admission, Allowance, Refusal, StreamBudget, StreamToken } from '../http/allowance.ts';
import type { LimitMetrics } from '../telemetry/limit-metrics.ts';
import { clientOf, type ProxyTrust } from './client-network.ts';
import {
  type Credentials,
  credentialsOf,
  KEY_MISSING,
  KEYS_NOT_LOADED,
  originsOf,
  type Rejection,
  streamTokenIn,
  tokenCredentials,
} from './credentials.ts';
import type { ApiKey } from './keys/api-key.ts';
import type { KeyRing } from './keys/key-ring.ts';
import { streamBudget } from './stream-budget.ts';
import { type Decision, type Payer, WINDOW_SECONDS, type Window } from './window.ts';

export interface RateLimitOptions {
  readonly window: Window;
  readonly keys: KeyRing;
  readonly trust: ProxyTrust;
  /** Cost per window for callers without a key; 0 for no limit. */
  readonly limit: number;
  readonly requireKey: boolean;
  /** Origin that clients know this gateway by; null: the host of each request. */
  readonly publicOrigin: string | null;
  readonly tokens: KeyTokens;
  readonly metrics: LimitMetrics;
}

/** Stream tokens that stand for a key, identified by its id. */
export interface KeyTokens {
  issue(keyId: string, origin: string | null): StreamToken;
  /** The id of the key; null when the token is invalid, expired or for none of these origins. */
  verify(token: string, origins: readonly (string | null)[]): string | null;
}

/** Work that was begun within the limit may exceed it: a limit below the cost of a first step would admit none. */
const OVERDRAFT = 2;

const KEY_PREFIX = 'key:';

/** Requests with an invalid key that an address may send per window. */
const INVALID_KEYS = 30;

/** Charges requests to their key or client network and enforces the limits. */
export class RateLimit implements Admission {
  readonly #options: RateLimitOptions;

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  allowanceOf(headers: Pick<Headers, 'get'>, peer: string | undefined, target: string): Allowance {
    const credentials = this.#credentialsOf(headers, target);
    const account = this.#accountOf(credentials, headers, peer);
    if (credentials.kind !== 'notLoaded') return account;
    const retry = () => this.#accountOf(this.#credentialsOf(headers, target), headers, peer);
    return new PendingAllowance(this.#options.keys, account, retry);
  }

  /**
   * Charges a caller, identified as `Allowance.client`, for work that goes on after its requests, even beyond its limit.
   */
  charge(caller: string, cost: number): void {
    const { window, metrics } = this.#options;
    const { key, limit } = this.#callerNamed(caller);
    metrics.spent(key, cost);
    if (limit !== 0) window.charge({ id: caller, limit }, cost);
  }

  /** Whether a caller has spent its limit and was charged as much again. True for a revoked key. */
  isOverdrawn(caller: string): boolean {
    const { limit, isRevoked } = this.#callerNamed(caller);
    if (isRevoked || limit === 0) return isRevoked;
    return this.#options.window.spentBy({ id: caller, limit }) >= OVERDRAFT * limit;
  }

  #callerNamed(caller: string): {
    readonly key: ApiKey | null;
    readonly limit: number;
    readonly isRevoked: boolean;
  } {
    const { keys, limit } = this.#options;
    // Work of the gateway itself.
    if (caller === '') return { key: null, limit: 0, isRevoked: false };
    if (!caller.startsWith(KEY_PREFIX)) return { key: null, limit, isRevoked: false };
    const found = keys.byId(caller.slice(KEY_PREFIX.length));
    return 'key' in found
      ? { key: found.key, limit: found.key.limit, isRevoked: false }
      : { key: null, limit, isRevoked: true };
  }

  #credentialsOf(headers: Pick<Headers, 'get'>, target: string): Credentials {
    const { keys, tokens, publicOrigin } = this.#options;
    const token = streamTokenIn(headers, target);
    if (token === null) return credentialsOf(headers, keys);
    return tokenCredentials(tokens.verify(token, originsOf(headers, publicOrigin)), keys);
  }

  #accountOf(credentials: Credentials, headers: Pick<Headers, 'get'>, peer: string | undefined): Account {
    const { trust, limit, requireKey, metrics } = this.#options;
    if (credentials.kind === 'key' || credentials.kind === 'token') {
      const { key, kind } = credentials;
      metrics.requestOf(key);
      const id = `${KEY_PREFIX}${key.id}`;
      return new Account(this.#options, {
        payer: { id, limit: key.limit },
        key,
        isForStreams: kind === 'token',
        origin: headers.get('origin'),
        rejection: null,
        client: () => id,
      });
    }
    const rejection = rejectionOf(credentials, requireKey);
    const network = () => `net:${clientOf(headers, peer, trust)}`;
    // Guesses have an account of their own, so that they use up neither the budget of others behind the same address nor
    // that of a valid key. Each key is compared all the same: a digest costs less than the answer.
    const payer = rejection?.isGuess
      ? { id: `guess:${network()}`, limit: limit === 0 ? INVALID_KEYS : Math.min(limit, INVALID_KEYS) }
      : { id: limit === 0 ? '' : network(), limit };
    return new Account(this.#options, {
      payer,
      key: null,
      isForStreams: false,
      origin: null,
      rejection,
      client: network,
    });
  }
}

function rejectionOf(credentials: Credentials, requireKey: boolean): Rejection | null {
  if (credentials.kind === 'rejected') return credentials.rejection;
  if (credentials.kind === 'notLoaded') return KEYS_NOT_LOADED;
  return requireKey ? KEY_MISSING : null;
}

/** The allowance of a request that arrived before the keys were loaded. Spending waits for them. */
class PendingAllowance implements Allowance {
  readonly #keys: KeyRing;
  readonly #retry: () => Account;
  #account: Account;
  #loading: Promise<void> | undefined;

  constructor(keys: KeyRing, account: Account, retry: () => Account) {
    this.#keys = keys;
    this.#account = account;
    this.#retry = retry;
  }

  get client(): string {
    return this.#account.client;
  }

  get isForStreams(): boolean {
    return this.#account.isForStreams;
  }

  get keyId(): string | null {
    return this.#account.keyId;
  }

  streamToken(): StreamToken | null {
    return this.#account.streamToken();
  }

  streamBudget(): StreamBudget {
    return this.#account.streamBudget();
  }

  async spend(cost: number): Promise<Refusal> {
    this.#loading ??= this.#keys.firstLoad().then(() => {
      this.#account = this.#retry();
    });
    await this.#loading;
    return await this.#account.spend(cost);
  }

  charge(cost: number): void {
    this.#account.charge(cost);
  }

  headers(): Record<string, string> {
    return this.#account.headers();
  }
}

interface Caller {
  readonly payer: Payer;
  readonly key: ApiKey | null;
  readonly isForStreams: boolean;
  /** Origin of a request with a key; null without one. */
  readonly origin: string | null;
  readonly rejection: Rejection | null;
  readonly client: () => string;
}

class Account implements Allowance {
  readonly #options: RateLimitOptions;
  readonly #caller: Caller;
  #spent = 0;
  #last: Decision | null = null;

  constructor(options: RateLimitOptions, caller: Caller) {
    this.#options = options;
    this.#caller = caller;
  }

  get client(): string {
    return this.#caller.client();
  }

  get isForStreams(): boolean {
    return this.#caller.isForStreams;
  }

  get keyId(): string | null {
    const { key, isForStreams } = this.#caller;
    return isForStreams ? null : (key?.id ?? null);
  }

  /** A token creates no further tokens: it would never expire. */
  streamToken(): StreamToken | null {
    const { key, isForStreams, origin } = this.#caller;
    return key === null || isForStreams ? null : this.#options.tokens.issue(key.id, origin);
  }

  streamBudget(): StreamBudget {
    const { payer, key } = this.#caller;
    return streamBudget(this.#options, this.client, payer.limit, key);
  }

  spend(cost: number): Refusal | Promise<Refusal> {
    const { limit } = this.#caller.payer;
    if (limit === 0) return this.#taken(cost);
    // Capped at the limit, so that even the most expensive request is admitted for a client that has
    // spent nothing.
    const capped = Math.max(0, Math.min(cost, limit - this.#spent));
    const decision = this.#options.window.spend(this.#caller.payer, capped, this.#spent);
    return decision instanceof Promise
      ? decision.then((decided) => this.#decided(decided, capped))
      : this.#decided(decision, capped);
  }

  charge(cost: number): void {
    const { window, metrics } = this.#options;
    metrics.spent(this.#caller.key, cost);
    if (this.#caller.payer.limit === 0) return;
    window.charge(this.#caller.payer, cost);
    if (this.#last !== null)
      this.#last = { ...this.#last, remaining: Math.max(0, this.#last.remaining - cost) };
  }

  headers(): Record<string, string> {
    const { limit } = this.#caller.payer;
    const all: Record<string, string> = {};
    if (this.#caller.rejection?.error.code === 'UNAUTHENTICATED' && this.#last?.admitted !== false)
      all['www-authenticate'] = CHALLENGE;
    if (this.#last === null) return all;
    const { admitted, remaining, resetAfter, retryAfter } = this.#last;
    const policy = this.#isGuess ? 'invalid-key' : this.#caller.key === null ? 'default' : 'key';
    all['ratelimit-policy'] = `"${policy}";q=${limit};w=${WINDOW_SECONDS}`;
    all.ratelimit = `"${policy}";r=${remaining};t=${resetAfter}`;
    if (!admitted) all['retry-after'] = String(retryAfter);
    return all;
  }

  #decided(decision: Decision, cost: number): Refusal {
    this.#last = decision;
    if (decision.admitted) return this.#taken(cost);
    this.#options.metrics.limited(this.#caller.key);
    const { limit } = this.#caller.payer;
    const { retryAfter } = decision;
    return new SluiceError('RATE_LIMITED', {
      retryAfter,
      limit,
      ...(this.#isGuess && { invalidKeys: true }),
    });
  }

  get #isGuess(): boolean {
    return this.#caller.rejection?.isGuess ?? false;
  }

  #taken(cost: number): Refusal {
    const { metrics } = this.#options;
    this.#spent += cost;
    metrics.spent(this.#caller.key, cost);
    if (this.#caller.rejection === null) return null;
    metrics.unauthenticated(this.#caller.rejection.reason);
    return this.#caller.rejection.error;
  }
}

const CHALLENGE = 'Bearer realm="sluice"';
