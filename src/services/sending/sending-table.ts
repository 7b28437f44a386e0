import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { Sending } from './sending.ts';
import type { SignedTransaction } from './signed-transaction.ts';

export interface SendingLimits {
  /** Transactions in all. */
  readonly total: number;
  /** Transactions of one caller, and of one fee payer. */
  readonly share: number;
}

/** A transaction that is being sent. */
export interface SendingEntry {
  readonly transaction: SignedTransaction;
  readonly sending: Sending;
  /** The caller that sent it first. */
  readonly caller: string;
}

/** Seconds. Most transactions have landed by then, and free their place. */
const RETRY_AFTER = 5;

/** Transactions that are resent and followed, shared fairly among callers. A durable nonce has one of them. */
export class SendingTable {
  readonly #limits: SendingLimits;
  readonly #entries = new Map<string, SendingEntry>();
  /** In order of arrival. */
  readonly #byCaller = new Map<string, Set<SendingEntry>>();
  readonly #byFeePayer = new Map<Address, Set<SendingEntry>>();
  readonly #byNonce = new Map<string, SendingEntry>();

  constructor(limits: SendingLimits) {
    this.#limits = limits;
  }

  get(signature: string): Sending | undefined {
    return this.#entries.get(signature)?.sending;
  }

  /**
   * Adds a transaction. In a full table it takes the place of the oldest one of the caller with the most, if that caller
   * still has at least as many afterwards: callers with few are not kept out by those with many.
   *
   * @throws SluiceError DURABLE_NONCE_BUSY or SENDING_BUSY
   */
  add(entry: SendingEntry): void {
    const { transaction, caller } = entry;
    const nonce = nonceKey(transaction);
    const first = nonce === null ? undefined : this.#byNonce.get(nonce);
    if (first !== undefined) {
      const { signature } = first.transaction;
      const account = transaction.nonce?.account ?? null;
      throw new SluiceError('DURABLE_NONCE_BUSY', { account, signature, retryAfter: RETRY_AFTER });
    }
    const { total, share } = this.#limits;
    const own = this.#byCaller.get(caller)?.size ?? 0;
    if (own >= share) throw busy('client', share);
    if ((this.#byFeePayer.get(transaction.feePayer)?.size ?? 0) >= share) throw busy('feePayer', share);
    if (this.#entries.size >= total) this.#makeRoom(own);
    this.#entries.set(transaction.signature, entry);
    addTo(this.#byCaller, caller, entry);
    addTo(this.#byFeePayer, transaction.feePayer, entry);
    if (nonce !== null) this.#byNonce.set(nonce, entry);
  }

  /** Does nothing for an entry that has left the table. */
  remove(entry: SendingEntry): void {
    const { transaction, caller } = entry;
    if (this.#entries.get(transaction.signature) !== entry) return;
    this.#entries.delete(transaction.signature);
    removeFrom(this.#byCaller, caller, entry);
    removeFrom(this.#byFeePayer, transaction.feePayer, entry);
    const nonce = nonceKey(transaction);
    if (nonce !== null) this.#byNonce.delete(nonce);
  }

  #makeRoom(own: number): void {
    let largest: ReadonlySet<SendingEntry> = new Set();
    for (const each of this.#byCaller.values()) if (each.size > largest.size) largest = each;
    const [oldest] = largest;
    if (oldest === undefined || largest.size <= own + 1) throw busy('gateway', this.#limits.total);
    this.remove(oldest);
    oldest.sending.stop();
  }
}

const busy = (whose: 'client' | 'feePayer' | 'gateway', ceiling: number) =>
  new SluiceError('SENDING_BUSY', { whose, ceiling, retryAfter: RETRY_AFTER });

const nonceKey = ({ nonce }: SignedTransaction): string | null =>
  nonce === null ? null : `${nonce.account} ${nonce.authority}`;

function addTo<K>(sets: Map<K, Set<SendingEntry>>, key: K, entry: SendingEntry): void {
  const set = sets.get(key) ?? new Set();
  set.add(entry);
  sets.set(key, set);
}

function removeFrom<K>(sets: Map<K, Set<SendingEntry>>, key: K, entry: SendingEntry): void {
  const set = sets.get(key);
  set?.delete(entry);
  if (set?.size === 0) sets.delete(key);
}
