import { randomInt } from 'node:crypto';
import { addressBytes } from '@sluice/protocol/layout/base58';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import type { ChainAccount } from '../accounts/account-page.ts';
import { AddressDictionary } from './address-dictionary.ts';
import { ChainedIndex, EntryNumbers, hashOf, NONE } from './chained-index.ts';
import type { EntrySet } from './entry-set.ts';
import { type FormerPosition, PositionDelta } from './position-delta.ts';
import {
  isReadable,
  POSITION_KINDS,
  type PositionAccount,
  type PositionChange,
  type PositionKind,
} from './position-kinds.ts';
import {
  ADDRESS_AT,
  hasKey,
  KIND_AT,
  kindOf,
  kindOfByte,
  numberOf,
  packPosition,
  type ReusedBytes,
  unpackPosition,
  WALLET_AT,
  walletOf,
  wasReadable,
} from './position-record.ts';
import { RecordSlabs } from './record-slabs.ts';

/** Accounts handled between two checks of the time. */
const ACCOUNTS_PER_STEP = 64;

type Counts = { [K in PositionKind]: number };

/**
 * The newest state of all accounts of wallets, packed. It changes in place: what each account was before goes into the open
 * delta, through which the Views that were made before look back.
 */
export class PositionTable {
  readonly #programs: ProgramIds;
  readonly #dictionary = new AddressDictionary();
  readonly #slabs = new RecordSlabs();
  readonly #places = new EntryNumbers();
  readonly #groups = new EntryNumbers();
  readonly #byAddress = new ChainedIndex((entry) => hashOf(this.packed(entry), ADDRESS_AT, 0, this.#seed));
  readonly #byWallet = new ChainedIndex((entry) => {
    const packed = this.packed(entry);
    return hashOf(packed, WALLET_AT, numberOf(kindOf(packed)), this.#seed);
  });
  readonly #byGroup = new ChainedIndex((entry) => {
    const kind = kindOfByte(this.#slabs.byteAt(this.#places.get(entry), KIND_AT));
    return groupHash(kind, this.#groups.get(entry));
  }, true);
  readonly #free: number[] = [];
  readonly #seed = randomInt(2 ** 32);
  readonly #counts = zeros();
  readonly #unreadable = zeros();
  #entries = 0;
  /** Null before the first View. */
  #open: PositionDelta | null = null;

  constructor(programs: ProgramIds) {
    this.#programs = programs;
  }

  /** A table of the accounts, filled in slices so that the event loop is not held. */
  static async load(
    programs: ProgramIds,
    accounts: Iterable<PositionAccount> | AsyncIterable<PositionAccount>,
  ): Promise<PositionTable> {
    const table = new PositionTable(programs);
    let loaded = 0;
    for await (const account of accounts) {
      table.put(account);
      loaded += 1;
      const pause = loaded % ACCOUNTS_PER_STEP === 0 ? scheduler.pause() : null;
      if (pause !== null) await pause;
    }
    return table;
  }

  /** Bytes of memory, without deltas. */
  get memoryBytes(): number {
    const parts = [this.#slabs, this.#places, this.#groups, this.#byAddress, this.#byWallet, this.#byGroup];
    return parts.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  }

  /** Accounts of a kind, those that cannot be read included. */
  count(kind: PositionKind): number {
    return this.#counts[kind];
  }

  /** Accounts of a kind whose owner, discriminator or length is not that of the kind. */
  unreadable(kind: PositionKind): number {
    return this.#unreadable[kind];
  }

  /** Begins the delta of the changes after a View. */
  beginDelta(): PositionDelta {
    if (this.#open?.size === 0) return this.#open;
    const begun = new PositionDelta();
    if (this.#open !== null) this.#open.next = begun;
    this.#open = begun;
    return begun;
  }

  /** Whether it has changed since the newest View, or no View has been made. */
  get isChanged(): boolean {
    return this.#open === null || this.#open.size > 0;
  }

  apply({ kind, address, account }: PositionChange): void {
    if (account === null) this.#remove(kind, address);
    else this.put({ kind, account });
  }

  /** Undoes the changes after the newest View. */
  rollback(): void {
    const undone = this.#open;
    if (undone === null || undone.size === 0) return;
    for (const { kind, address, packed } of undone.all()) {
      if (packed === null) this.#remove(kind, address);
      else this.put(this.unpack(packed));
    }
  }

  /** Adds an account or replaces the one at its address. */
  put(position: PositionAccount): void {
    const { kind, account } = position;
    const known = this.#find(kind, account.address);
    const entry = known ?? this.#free.pop() ?? this.#entries;
    if (entry === this.#entries) this.#entries += 1;
    this.#note(entry, kind, account.address, known);
    if (known !== undefined) this.#unlink(known);
    const readable = isReadable(kind, account, this.#programs);
    const { bytes, group } = packPosition(position, this.#dictionary, readable);
    this.#places.set(entry, this.#slabs.add(entry, bytes));
    this.#groups.set(entry, group);
    this.#byAddress.add(entry);
    this.#byWallet.add(entry);
    this.#byGroup.add(entry);
    this.#counts[kind] += 1;
    if (!readable) this.#unreadable[kind] += 1;
    this.#compact();
  }

  /** Puts an account unless the one held differs in nothing but its slot. Returns its entry. */
  putChanged({ kind, account }: PositionAccount): number {
    const held = this.find(kind, account.address);
    if (held === undefined || !isUnchanged(this.unpack(held).account, account)) this.put({ kind, account });
    return this.#find(kind, account.address) ?? NONE;
  }

  /** Removes the accounts whose entries are not among those given, in slices, while that is wanted. */
  async retain(entries: EntrySet, isWanted: () => boolean): Promise<void> {
    for (let entry = 0; entry < this.#entries; entry += 1) {
      const pause = entry % ACCOUNTS_PER_STEP === 0 ? scheduler.pause() : null;
      if (pause !== null) await pause;
      if (!isWanted()) return;
      if (entries.has(entry) || this.#places.get(entry) === NONE) continue;
      const { kind, account } = this.unpack(this.packed(entry));
      this.#remove(kind, account.address);
    }
  }

  #remove(kind: PositionKind, address: Address): void {
    const entry = this.#find(kind, address);
    if (entry === undefined) return;
    this.#note(entry, kind, address, entry);
    this.#unlink(entry);
    this.#free.push(entry);
    this.#compact();
  }

  #unlink(entry: number): void {
    const packed = this.packed(entry);
    const kind = kindOf(packed);
    this.#counts[kind] -= 1;
    if (!wasReadable(packed)) this.#unreadable[kind] -= 1;
    this.#byAddress.remove(entry);
    this.#byWallet.remove(entry);
    this.#byGroup.remove(entry);
    this.#slabs.remove(this.#places.get(entry));
    this.#places.set(entry, NONE);
  }

  #note(entry: number, kind: PositionKind, address: Address, known: number | undefined): void {
    this.#open?.note(entry, known !== undefined, () => this.#former(kind, address, known), kind, address);
  }

  #former(kind: PositionKind, address: Address, entry: number | undefined): FormerPosition {
    if (entry === undefined) return { kind, address, entry: null, packed: null, wallet: null, group: null };
    const packed = this.packed(entry).slice();
    return { kind, address, entry, packed, wallet: walletOf(packed), group: this.#groups.get(entry) };
  }

  #compact(): void {
    this.#slabs.compact(
      (entry) => this.#places.get(entry),
      (entry, place) => this.#places.set(entry, place),
    );
  }

  #find(kind: PositionKind, address: Address): number | undefined {
    const key = addressBytes(address);
    for (const entry of this.#byAddress.with(hashOf(key, 0, 0, this.#seed))) {
      if (hasKey(this.packed(entry), kind, ADDRESS_AT, key)) return entry;
    }
    return undefined;
  }

  /** The record of an entry, until the next change. */
  packed(entry: number): Uint8Array {
    return this.#slabs.read(this.#places.get(entry));
  }

  /** @param reused memory of its data; absent: its own */
  unpack(packed: Uint8Array, reused?: ReusedBytes): PositionAccount {
    return unpackPosition(packed, this.#dictionary, reused);
  }

  /** Number of a group; undefined when no account belongs to it. */
  groupNumber(group: Address): number | undefined {
    return this.#dictionary.known(group);
  }

  /** The group with a number. */
  groupAt(number: number): Address {
    return this.#dictionary.address(number);
  }

  /** The newest record of an account, until the next change. */
  find(kind: PositionKind, address: Address): Uint8Array | undefined {
    const entry = this.#find(kind, address);
    return entry === undefined ? undefined : this.packed(entry);
  }

  /** Entries of a wallet now, in no set order. */
  entriesOfWallet(kind: PositionKind, wallet: Address): readonly number[] {
    const key = addressBytes(wallet);
    const found = this.#byWallet.with(hashOf(key, 0, numberOf(kind), this.#seed));
    return [...found].filter((entry) => hasKey(this.packed(entry), kind, WALLET_AT, key));
  }

  /** Entries of a group now, in no set order. */
  entriesWithin(kind: PositionKind, group: number): Uint32Array {
    return this.#byGroup.allWith(groupHash(kind, group));
  }

  /** At most `count` different entries at random. */
  sample(count: number): readonly number[] {
    const drawn = Array.from({ length: this.#entries === 0 ? 0 : count }, () => randomInt(this.#entries));
    return [...new Set(drawn)].filter((entry) => this.#places.get(entry) !== NONE);
  }

  /** Entries that accounts have had so far: the numbers below this. Some may be free. */
  get entryCount(): number {
    return this.#entries;
  }

  /** Kind of the account of an entry now; undefined when it is free. */
  kindAt(entry: number): PositionKind | undefined {
    const place = this.#places.get(entry);
    return place === NONE ? undefined : kindOfByte(this.#slabs.byteAt(place, KIND_AT));
  }
}

function isUnchanged(a: ChainAccount, b: ChainAccount): boolean {
  return a.owner === b.owner && a.lamports === b.lamports && Buffer.compare(a.data, b.data) === 0;
}

function zeros(): Counts {
  return Object.fromEntries(POSITION_KINDS.map((kind) => [kind, 0])) as Counts;
}

/** Different for different groups. */
function groupHash(kind: PositionKind, group: number): number {
  return Math.imul(group * 8 + numberOf(kind), 0x9e37_79b1) >>> 0;
}
