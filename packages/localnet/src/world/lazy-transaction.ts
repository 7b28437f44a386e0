import type { ChainTransaction } from '../chain.ts';
import { timeOf } from './time.ts';
import type { TransactionBody } from './transaction-body.ts';

export type TransactionHead = Pick<ChainTransaction, 'signature' | 'slot' | 'error'>;

/** A transaction whose body is made when it is read. */
export class LazyTransaction implements ChainTransaction {
  readonly signature: string;
  readonly slot: bigint;
  readonly blockTime: number;
  readonly error: unknown;
  readonly #body: () => TransactionBody;

  constructor({ signature, slot, error }: TransactionHead, body: () => TransactionBody) {
    this.signature = signature;
    this.slot = slot;
    this.blockTime = timeOf(slot);
    this.error = error;
    this.#body = body;
  }

  get wire() {
    return this.#body().wire;
  }
  get addresses() {
    return this.#body().addresses;
  }
  get loadedWritable() {
    return this.#body().loadedWritable;
  }
  get loadedReadonly() {
    return this.#body().loadedReadonly;
  }
  get feeLamports() {
    return this.#body().feeLamports;
  }
  get computeUnits() {
    return this.#body().computeUnits;
  }
  get preBalances() {
    return this.#body().preBalances;
  }
  get postBalances() {
    return this.#body().postBalances;
  }
  get preTokenBalances() {
    return this.#body().preTokenBalances;
  }
  get postTokenBalances() {
    return this.#body().postTokenBalances;
  }
  get inner() {
    return this.#body().inner;
  }
  get logs() {
    return this.#body().logs;
  }
}
