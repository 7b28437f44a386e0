import type { Blockhash, Commitment, GetBlockHeightApi, IsBlockhashValidApi, Rpc } from '@solana/kit';
import { growingLru } from '../../node/growing-lru.ts';

/**
 * An answer this young is not asked for again. Slightly shorter than the pause of two seconds before a sender asks again:
 * timers may fire early, and then it would get its first answer twice.
 */
const FRESH_MS = 1_900;
/** Blockhashes live for 150 blocks, so far fewer are in use at once. */
const MAX_KNOWN = 2_000;

interface Known<T> {
  readonly value: Promise<T>;
  /** Infinity while it is being read. */
  readonly freshUntilMs: number;
}

/** Whether blockhashes are still valid. All transactions with the same one share a call. */
export class BlockhashValidity {
  readonly #rpc: Rpc<GetBlockHeightApi & IsBlockhashValidApi>;
  readonly #commitment: Commitment;
  readonly #signal: AbortSignal;
  readonly #known = growingLru<string, Known<boolean>>(MAX_KNOWN);
  #height: Known<bigint> | undefined;

  /** @param signal aborted when the chain stops */
  constructor(
    rpc: Rpc<GetBlockHeightApi & IsBlockhashValidApi>,
    commitment: Commitment,
    signal: AbortSignal,
  ) {
    this.#rpc = rpc;
    this.#commitment = commitment;
    this.#signal = signal;
  }

  /** @param turn awaited before a call. Shared by all who ask meanwhile, so it must not end with one of them. */
  isValid(blockhash: string, turn: () => Promise<void>): Promise<boolean> {
    const known = this.#known.get(blockhash);
    if (known !== undefined && Date.now() < known.freshUntilMs) return known.value;
    const value = this.#ask(blockhash, turn);
    this.#keep(value, (kept) => {
      if (kept === null) this.#known.delete(blockhash);
      else this.#known.set(blockhash, kept);
    });
    return value;
  }

  /** The height of the chain, read every two seconds at most. */
  height(): Promise<bigint> {
    if (this.#height !== undefined && Date.now() < this.#height.freshUntilMs) return this.#height.value;
    const value = this.#rpc
      .getBlockHeight({ commitment: this.#commitment })
      .send({ abortSignal: this.#signal });
    this.#keep(value, (kept) => {
      this.#height = kept ?? undefined;
    });
    return value;
  }

  async #ask(blockhash: string, turn: () => Promise<void>): Promise<boolean> {
    await turn();
    const { value } = await this.#rpc
      .isBlockhashValid(blockhash as Blockhash, { commitment: this.#commitment })
      .send({ abortSignal: this.#signal });
    return value;
  }

  /** Keeps an answer from its call until it is old; a failure is not kept. */
  #keep<T>(value: Promise<T>, set: (known: Known<T> | null) => void): void {
    set({ value, freshUntilMs: Number.POSITIVE_INFINITY });
    value.then(
      () => set({ value, freshUntilMs: Date.now() + FRESH_MS }),
      () => set(null),
    );
  }
}
