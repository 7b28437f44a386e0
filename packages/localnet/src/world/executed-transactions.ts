import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import type { ChainTransaction } from '../chain.ts';
import { LazyTransaction, type TransactionHead } from './lazy-transaction.ts';
import type { TransactionBody } from './transaction-body.ts';

/** The oldest beyond this number are forgotten, as a node prunes its history. Each takes about three kilobytes. */
const MAX_TRANSACTIONS = 50_000;
/** Bodies beyond this number are unpacked again on request. */
const UNPACKED_BODIES = 400;

export interface ExecutedTransaction {
  readonly transaction: ChainTransaction;
  readonly addresses: readonly Address[];
}

/** The transactions that the runtime has executed, in order. Their bodies are compressed. */
export class ExecutedTransactions {
  readonly #limit: number;
  readonly #all = new Map<string, ExecutedTransaction>();
  readonly #byAddress = new Map<Address, ExecutedTransaction[]>();
  readonly #bySlot = new Map<bigint, ExecutedTransaction[]>();
  readonly #bodies = new LRUCache<string, TransactionBody>({ max: UNPACKED_BODIES });

  constructor(limit = MAX_TRANSACTIONS) {
    this.#limit = limit;
  }

  append(head: TransactionHead, body: TransactionBody): ExecutedTransaction {
    // Copied, because the compressor's buffer is several times as large.
    const packed = Uint8Array.from(deflateRawSync(serialize(body), { level: 1 }));
    const transaction = new LazyTransaction(head, () => this.#bodyOf(head.signature, packed));
    // A transaction may name an account twice: in its message and in a lookup table.
    const executed = { transaction, addresses: [...new Set(body.addresses)] };
    this.#bodies.set(head.signature, body);
    this.#all.set(head.signature, executed);
    for (const address of executed.addresses) addTo(this.#byAddress, address, executed);
    addTo(this.#bySlot, head.slot, executed);
    this.#prune();
    return executed;
  }

  bySignature(signature: string): ExecutedTransaction | undefined {
    return this.#all.get(signature);
  }

  /** Oldest first. */
  of(address: Address): readonly ExecutedTransaction[] {
    return this.#byAddress.get(address) ?? [];
  }

  /** In execution order. */
  inSlot(slot: bigint): readonly ExecutedTransaction[] {
    return this.#bySlot.get(slot) ?? [];
  }

  #bodyOf(signature: string, packed: Uint8Array): TransactionBody {
    const known = this.#bodies.get(signature);
    if (known !== undefined) return known;
    const body: TransactionBody = deserialize(inflateRawSync(packed));
    this.#bodies.set(signature, body);
    return body;
  }

  #prune(): void {
    if (this.#all.size <= this.#limit) return;
    for (const [signature, { transaction, addresses }] of this.#all) {
      this.#all.delete(signature);
      this.#bodies.delete(signature);
      for (const address of addresses) dropFirst(this.#byAddress, address);
      dropFirst(this.#bySlot, transaction.slot);
      return;
    }
  }
}

function addTo<K>(index: Map<K, ExecutedTransaction[]>, key: K, executed: ExecutedTransaction): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [executed]);
  else list.push(executed);
}

/** The oldest transaction is the first of every list that holds it. */
function dropFirst<K>(index: Map<K, ExecutedTransaction[]>, key: K): void {
  const list = index.get(key);
  list?.shift();
  if (list?.length === 0) index.delete(key);
}
