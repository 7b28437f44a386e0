import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { ChainTransaction, StoredAccount, StreamableChain } from '../chain.ts';
import type { AccountWrite, SlotRecord } from './slot-record.ts';

/** Receives what happens, as it happens. */
export interface SlotListener {
  /** A slot begins. */
  begun(record: SlotRecord): void;
  written(record: SlotRecord, write: AccountWrite): void;
  executed(record: SlotRecord, transaction: ChainTransaction): void;
  ended(record: SlotRecord): void;
  /** The slot has ended and is not part of the chain. */
  died(record: SlotRecord, isAnnounced: boolean): void;
}

/** A block that loses: the slot has other contents for a while, and its true contents follow in the next slot. */
export interface Fork {
  /** The accounts that it writes. */
  readonly alter: (account: StoredAccount, address: Address) => StoredAccount;
  /** Whether its end is told by SLOT_DEAD; otherwise only a confirmed sibling shows it. */
  readonly isAnnounced: boolean;
}

/** Turns the changes of a chain into slots with their writes and transactions, and keeps the newest for replay. */
export class SlotRecorder {
  readonly #chain: StreamableChain;
  readonly #window: number;
  readonly #listener: SlotListener;
  readonly #stops: (() => void)[];
  #records: SlotRecord[] = [];
  #open: SlotRecord | null = null;
  #parent: { readonly slot: bigint; readonly blockhash: string };
  #writeVersion = 0n;
  #nextFork: Fork | null = null;
  #fork: Fork | null = null;
  /** True contents of a slot whose fork lost. */
  #carried: { writes: AccountWrite[]; transactions: ChainTransaction[] } = { writes: [], transactions: [] };

  /** @param window slots kept for replay */
  constructor(chain: StreamableChain, window: number, listener: SlotListener) {
    this.#chain = chain;
    this.#window = window;
    this.#listener = listener;
    this.#parent = { slot: chain.slot, blockhash: chain.blockhash().blockhash };
    this.#stops = [
      chain.onSlot((slot, changed) => this.#write(slot, changed, null)),
      chain.onTransaction((transaction, changed) => this.#execute(transaction, changed)),
      chain.onSlotEnd((slot) => this.#end(slot)),
    ];
  }

  get open(): SlotRecord | null {
    return this.#open;
  }

  /** Oldest first. */
  get records(): readonly SlotRecord[] {
    return this.#records;
  }

  /** The newest slot that has ended. */
  get newestSlot(): bigint {
    return this.#parent.slot;
  }

  /** The oldest slot from which nothing is missing. */
  get firstAvailable(): bigint {
    return this.#records[0]?.slot ?? this.#parent.slot + 1n;
  }

  forget(): void {
    this.#records = [];
  }

  /** The next slot to begin is a fork. */
  forkNext(fork: Fork): void {
    this.#nextFork = fork;
  }

  nextWriteVersion(): bigint {
    this.#writeVersion += 1n;
    return this.#writeVersion;
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #write(slot: bigint, changed: readonly Address[], signature: string | null): void {
    const record = this.#recordOf(slot);
    for (const address of changed) {
      const account = this.#chain.account(address) ?? CLOSED;
      const write = { address, account, writeVersion: this.nextWriteVersion(), signature };
      if (this.#fork === null) this.#addWrite(record, write);
      else {
        this.#carried.writes.push(write);
        this.#addWrite(record, { ...write, account: this.#fork.alter(account, address) });
      }
    }
  }

  #execute(transaction: ChainTransaction, changed: readonly Address[]): void {
    const record = this.#recordOf(transaction.slot);
    this.#write(transaction.slot, changed, transaction.signature);
    if (this.#fork !== null) this.#carried.transactions.push(transaction);
    record.transactions.push(transaction);
    this.#listener.executed(record, transaction);
  }

  #addWrite(record: SlotRecord, write: AccountWrite): void {
    record.writes.push(write);
    this.#listener.written(record, write);
  }

  /** The slot that is being written. The first event of a later slot ends it. */
  #recordOf(slot: bigint): SlotRecord {
    if (this.#open !== null && slot > this.#open.slot) this.#end(this.#open.slot);
    return this.#open ?? this.#begin(slot);
  }

  #begin(slot: bigint): SlotRecord {
    const { blockhash } = this.#chain.blockhash();
    const record: SlotRecord = {
      slot,
      parent: this.#parent.slot,
      parentBlockhash: this.#parent.blockhash,
      blockHeight: this.#chain.blockHeight,
      // Characters of base58; another block of the slot has another hash.
      blockhash: this.#nextFork === null ? blockhash : `F${blockhash.slice(1)}`,
      writes: [],
      transactions: [],
    };
    this.#fork = this.#nextFork;
    this.#nextFork = null;
    this.#open = record;
    this.#listener.begun(record);
    if (this.#fork === null) this.#addCarried(record);
    return record;
  }

  #addCarried(record: SlotRecord): void {
    const { writes, transactions } = this.#carried;
    this.#carried = { writes: [], transactions: [] };
    for (const write of writes) this.#addWrite(record, { ...write, writeVersion: this.nextWriteVersion() });
    for (const transaction of transactions) {
      record.transactions.push(transaction);
      this.#listener.executed(record, transaction);
    }
  }

  #end(slot: bigint): void {
    const record = this.#open;
    if (record === null || record.slot !== slot) return;
    this.#open = null;
    if (this.#fork !== null) {
      const { isAnnounced } = this.#fork;
      this.#fork = null;
      this.#listener.died(record, isAnnounced);
      return;
    }
    this.#parent = record;
    this.#records.push(record);
    while (this.#records.length > this.#window) this.#records.shift();
    this.#listener.ended(record);
  }
}

const CLOSED: StoredAccount = {
  owner: SYSTEM_PROGRAM,
  lamports: 0n,
  data: new Uint8Array(),
  executable: false,
};
