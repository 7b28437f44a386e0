import type { Clock } from '@sluice/rpc-pool';
import type { ChainTransactions } from '../chain/transactions/transactions.ts';

/** About the time between two slots. */
const FRESH_MS = 400;

/**
 * A slot that was the newest finalized one a moment ago. Addresses that are read at the same time share one call: a
 * request for a hundred of them would otherwise ask for the same slot a hundred times.
 */
export class FinalizedSlot {
  readonly #transactions: Pick<ChainTransactions, 'finalizedSlot'>;
  readonly #clock: Clock;
  /** By caller: nobody waits for the turn of another one. */
  readonly #asked = new Map<string, Promise<bigint>>();
  #newest: { readonly slot: bigint; readonly untilMs: number } | null = null;

  constructor(transactions: Pick<ChainTransactions, 'finalizedSlot'>, clock: Clock) {
    this.#transactions = transactions;
    this.#clock = clock;
  }

  /** @param turn awaited before a call */
  async read(
    caller: string,
    turn: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<bigint> {
    if (this.#newest !== null && this.#clock.now() < this.#newest.untilMs) return this.#newest.slot;
    const asked = this.#asked.get(caller);
    if (asked !== undefined) return await asked;
    const asking = this.#ask(turn, signal).finally(() => this.#asked.delete(caller));
    this.#asked.set(caller, asking);
    return await asking;
  }

  async #ask(turn: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<bigint> {
    await turn(signal);
    const untilMs = this.#clock.now() + FRESH_MS;
    const slot = await this.#transactions.finalizedSlot(signal);
    this.#newest = { slot, untilMs };
    return slot;
  }
}
