import type { Address } from '@solana/kit';
import type { ChainTransaction, LocalChain, StoredAccount } from '../chain.ts';
import { type AccountFilter, matches, parseFilters } from './account-filters.ts';
import { type AccountView, encodeAccount, encodeKeyedAccount, parseAccountView } from './encode-account.ts';
import { foreign, type Json, type RawJson } from './json.ts';
import { type LogFilter, parseLogFilter } from './log-filter.ts';
import { addressParam, configParam, integerParam, type Params, signatureParam } from './params.ts';
import { invalidParams, methodNotFound } from './rpc-error.ts';

/** Sends a notification to the subscriber. The result is computed for a slot, which a fault may shift. */
export type Notify = (method: string, slot: bigint, result: (slot: bigint) => Json) => void;

interface AccountSubscription {
  readonly view: AccountView;
  readonly notify: Notify;
}

interface ProgramSubscription extends AccountSubscription {
  readonly filters: readonly AccountFilter[];
}

interface SignatureSubscription {
  readonly signature: string;
  readonly notify: Notify;
}

interface LogSubscription {
  readonly filter: LogFilter;
  readonly notify: Notify;
}

/** Wait of a subscriber for a signature that exists already when no slot passes. */
const SIGNATURE_WAIT_MS = 400;

/** All subscriptions. The listeners on the chain serve all sockets. */
export class Subscriptions {
  readonly #chain: LocalChain;
  readonly #accounts = new Map<Address, Map<number, AccountSubscription>>();
  readonly #programs = new Map<Address, Map<number, ProgramSubscription>>();
  readonly #signatures = new Map<number, SignatureSubscription>();
  readonly #logs = new Map<number, LogSubscription>();
  readonly #slots = new Map<number, Notify>();
  readonly #cancels = new Map<number, () => void>();
  readonly #stop: () => void;
  #previousSlot: bigint;
  #nextId = 1;

  constructor(chain: LocalChain) {
    this.#chain = chain;
    this.#previousSlot = chain.slot;
    const stopSlots = chain.onSlot((slot, changed) => this.#onSlot(slot, changed));
    const stopTransactions = chain.onTransaction((transaction, changed) =>
      this.#onTransaction(transaction, changed),
    );
    this.#stop = () => {
      stopSlots();
      stopTransactions();
    };
  }

  close(): void {
    this.#stop();
    for (const id of [...this.#cancels.keys()]) this.cancel(id);
  }

  /** Returns the id that notifications carry. */
  subscribe(method: string, params: Params, notifyFor: (id: number) => Notify): number {
    const id = this.#nextId;
    const cancel = this.#add(id, method, params, notifyFor(id));
    this.#nextId += 1;
    this.#cancels.set(id, cancel);
    return id;
  }

  /** False when there is no such subscription. */
  cancel(id: number): boolean {
    const cancel = this.#cancels.get(id);
    cancel?.();
    return this.#cancels.delete(id);
  }

  #add(id: number, method: string, params: Params, notify: Notify): () => void {
    switch (method) {
      case 'accountSubscribe': {
        const view = parseAccountView(configParam(params, 1), 'binary');
        return addTo(this.#accounts, addressParam(params, 0), id, { view, notify });
      }
      case 'programSubscribe': {
        const config = configParam(params, 1);
        const subscription = {
          view: parseAccountView(config, 'binary'),
          filters: parseFilters(config),
          notify,
        };
        return addTo(this.#programs, addressParam(params, 0), id, subscription);
      }
      case 'slotSubscribe':
        this.#slots.set(id, notify);
        return () => this.#slots.delete(id);
      case 'signatureSubscribe': {
        this.#signatures.set(id, { signature: signatureParam(params, 0), notify });
        const timer = setTimeout(() => this.#checkSignature(id, this.#chain.slot), SIGNATURE_WAIT_MS);
        timer.unref();
        return () => {
          clearTimeout(timer);
          this.#signatures.delete(id);
        };
      }
      case 'logsSubscribe':
        this.#logs.set(id, { filter: parseLogFilter(params), notify });
        return () => this.#logs.delete(id);
      default:
        throw methodNotFound();
    }
  }

  #onSlot(slot: bigint, changed: readonly Address[]): void {
    const parent = this.#previousSlot;
    this.#previousSlot = slot;
    for (const notify of this.#slots.values()) {
      // Without forks every slot is a root.
      notify('slotNotification', slot, (at) => ({ parent: parent + at - slot, root: at, slot: at }));
    }
    this.#notifyAccounts(slot, changed);
    for (const id of [...this.#signatures.keys()]) this.#checkSignature(id, slot);
  }

  #onTransaction(transaction: ChainTransaction, changed: readonly Address[]): void {
    this.#notifyAccounts(transaction.slot, changed);
    this.#notifyLogs(transaction);
    for (const [id, { signature }] of [...this.#signatures]) {
      if (signature === transaction.signature) this.#checkSignature(id, transaction.slot);
    }
  }

  #notifyAccounts(slot: bigint, changed: readonly Address[]): void {
    // Reading an account that has changed encodes it.
    if (this.#accounts.size === 0 && this.#programs.size === 0) return;
    for (const address of changed) {
      const account = this.#chain.account(address);
      for (const { view, notify } of this.#accounts.get(address)?.values() ?? []) {
        notifyAccount('accountNotification', slot, notify, () => encodeAccount(this.#chain, account, view));
      }
      if (account !== undefined) this.#notifyProgram(slot, address, account);
    }
  }

  #notifyLogs(transaction: ChainTransaction): void {
    const { signature, error, logs, slot } = transaction;
    const value = { err: foreign(error), logs, signature };
    for (const { filter, notify } of this.#logs.values()) {
      if (filter(transaction)) notify('logsNotification', slot, (at) => ({ context: { slot: at }, value }));
    }
  }

  #notifyProgram(slot: bigint, address: Address, account: StoredAccount): void {
    for (const { view, filters, notify } of this.#programs.get(account.owner)?.values() ?? []) {
      if (!matches(account.data, filters)) continue;
      notifyAccount('programNotification', slot, notify, () =>
        encodeKeyedAccount(this.#chain, address, account, view),
      );
    }
  }

  /**
   * A signature is reported once, at the slot after subscribing or a little later if it already exists; the subscription
   * then ends.
   */
  #checkSignature(id: number, slot: bigint): void {
    const subscription = this.#signatures.get(id);
    const transaction = subscription && this.#chain.transaction(subscription.signature);
    if (subscription === undefined || transaction === undefined) return;
    this.cancel(id);
    const value = { err: foreign(transaction.error) };
    subscription.notify('signatureNotification', slot, (at) => ({ context: { slot: at }, value }));
  }
}

export function subscriptionNumber(params: Params): number {
  if (params.length === 0) throw invalidParams('Invalid subscription id.');
  return integerParam(params, 0);
}

function notifyAccount(method: string, slot: bigint, notify: Notify, encode: () => RawJson): void {
  notify(method, slot, (at) => ({ context: { slot: at }, value: encode() }));
}

function addTo<T>(
  index: Map<Address, Map<number, T>>,
  key: Address,
  id: number,
  subscription: T,
): () => void {
  const known = index.get(key) ?? new Map<number, T>();
  known.set(id, subscription);
  index.set(key, known);
  return () => {
    known.delete(id);
    if (known.size === 0 && index.get(key) === known) index.delete(key);
  };
}
