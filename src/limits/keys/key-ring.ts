import { pauseFor } from '../../node/pause-for.ts';
import { type ApiKey, isSecretOf, partsOf } from './api-key.ts';
import type { KeyStore } from './key-store.ts';

/** How soon a key that was made or revoked is known to a running gateway. */
const LOOK_EVERY_MS = 2_000;
/** A gateway that has just started reads its keys soon; where it cannot, nobody waits for long. */
const FIRST_LOOK_WAIT_MS = 2_000;

export type Found =
  | { readonly key: ApiKey }
  /** `unread`: nobody can tell yet. */
  | { readonly why: 'malformed' | 'unknown' | 'revoked' | 'unread' };

/**
 * The keys of the store in memory, looked at again every few seconds. While the store is away, the keys that are known
 * go on.
 */
export class KeyRing {
  readonly #store: KeyStore;
  readonly #onFailure: (failure: unknown) => void;
  #keys: ReadonlyMap<string, ApiKey> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  readonly #lookedAt = new AbortController();
  #waiting: Promise<void> | undefined;
  #stopped = false;

  constructor(store: KeyStore, onFailure: (failure: unknown) => void) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  /** Returns when the store was looked at for the first time, whether it could be read or not. */
  async start(everyMs: number = LOOK_EVERY_MS): Promise<void> {
    const look = async () => {
      await this.look();
      if (this.#stopped) return;
      this.#timer = setTimeout(() => {
        this.#looking = look();
      }, everyMs);
      this.#timer.unref();
    };
    this.#looking = look();
    await this.#looking;
  }

  async look(): Promise<void> {
    try {
      this.#keys = new Map((await this.#store.all()).map((key) => [key.id, key]));
    } catch (error) {
      if (!this.#stopped) this.#onFailure(error);
    }
    this.#lookedAt.abort();
  }

  /** Resolves after the first look, whether the store could be read or not. All who wait do so for two seconds together. */
  async firstLook(): Promise<void> {
    this.#waiting ??= pauseFor(FIRST_LOOK_WAIT_MS, this.#lookedAt.signal);
    await this.#waiting;
  }

  find(text: string): Found {
    const parts = partsOf(text);
    if (parts === undefined) return { why: 'malformed' };
    if (this.#keys === undefined) return { why: 'unread' };
    const key = this.#keys.get(parts.id);
    if (key === undefined || !isSecretOf(key, parts.secret)) return { why: 'unknown' };
    return key.revokedAt === null ? { key } : { why: 'revoked' };
  }

  /** The key of that id, for who has proven already that it is theirs. */
  named(id: string): Found {
    if (this.#keys === undefined) return { why: 'unread' };
    const key = this.#keys.get(id);
    if (key === undefined) return { why: 'unknown' };
    return key.revokedAt === null ? { key } : { why: 'revoked' };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#lookedAt.abort();
    await this.#looking;
    await this.#store.close();
  }
}
