import { pauseFor } from '../../node/pause-for.ts';
import { type ApiKey, isSecretOf, parseKey } from './api-key.ts';
import type { KeyStore } from './key-store.ts';

/** Interval at which a running gateway looks for keys that were created or revoked. */
const RELOAD_MS = 2_000;
/** Longest wait of requests for the first load after a start. */
const FIRST_LOAD_WAIT_MS = 2_000;

export type KeyLookup =
  | { readonly key: ApiKey }
  /** `notLoaded`: the store has not been read yet. */
  | { readonly why: 'malformed' | 'unknown' | 'revoked' | 'notLoaded' };

/**
 * Holds the store's keys in memory and reloads them every few seconds. While the store is unavailable, the
 * last known keys stay valid.
 */
export class KeyRing {
  readonly #store: KeyStore;
  readonly #onFailure: (failure: unknown) => void;
  readonly #readListeners = new Set<() => void>();
  #keys: ReadonlyMap<string, ApiKey> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #loading: Promise<void> = Promise.resolve();
  readonly #firstLoadDone = new AbortController();
  #waiting: Promise<void> | undefined;
  #stopped = false;

  constructor(store: KeyStore, onFailure: (failure: unknown) => void) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  /** Resolves after the first attempt to read the store, whether it succeeded or not. */
  async start(everyMs: number = RELOAD_MS): Promise<void> {
    const reload = async () => {
      await this.load();
      if (this.#stopped) return;
      this.#timer = setTimeout(() => {
        this.#loading = reload();
      }, everyMs);
      this.#timer.unref();
    };
    this.#loading = reload();
    await this.#loading;
  }

  async load(): Promise<void> {
    try {
      this.#keys = new Map((await this.#store.all()).map((key) => [key.id, key]));
      for (const listener of this.#readListeners) listener();
    } catch (error) {
      if (!this.#stopped) this.#onFailure(error);
    }
    this.#firstLoadDone.abort();
  }

  /** Calls a listener each time the keys have been read; returns a function that removes it. */
  onRead(listener: () => void): () => void {
    this.#readListeners.add(listener);
    return () => this.#readListeners.delete(listener);
  }

  /** Resolves after the first attempt to read the store, or after two seconds. All callers share one wait. */
  async firstLoad(): Promise<void> {
    this.#waiting ??= pauseFor(FIRST_LOAD_WAIT_MS, this.#firstLoadDone.signal);
    await this.#waiting;
  }

  find(text: string): KeyLookup {
    const parts = parseKey(text);
    if (parts === undefined) return { why: 'malformed' };
    if (this.#keys === undefined) return { why: 'notLoaded' };
    const key = this.#keys.get(parts.id);
    if (key === undefined || !isSecretOf(key, parts.secret)) return { why: 'unknown' };
    return key.revokedAt === null ? { key } : { why: 'revoked' };
  }

  /** Looks a key up without its secret, for a caller that has already proven it. */
  byId(id: string): KeyLookup {
    if (this.#keys === undefined) return { why: 'notLoaded' };
    const key = this.#keys.get(id);
    if (key === undefined) return { why: 'unknown' };
    return key.revokedAt === null ? { key } : { why: 'revoked' };
  }

  /** Ids of the keys that were revoked. */
  revoked(): readonly string[] {
    const keys = [...(this.#keys?.values() ?? [])];
    return keys.filter(({ revokedAt }) => revokedAt !== null).map(({ id }) => id);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#firstLoadDone.abort();
    await this.#loading;
    await this.#store.close();
  }
}
