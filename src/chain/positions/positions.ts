import { viewOf } from '@sluice/protocol/layout/account';
import { readAddress } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../accounts/account-page.ts';
import { FormerEntries } from './former-entries.ts';
import type { FormerPosition, PositionDelta } from './position-delta.ts';
import { POSITION_KEYS, POSITION_KINDS, type PositionAccount, type PositionKind } from './position-kinds.ts';
import { ReusedBytes } from './position-record.ts';
import type { PositionTable } from './position-table.ts';

/** Listing more of them would hold the event loop. */
const MAX_CHANGES = 10_000;

/** An account that was created, changed or closed. What it is now is read one by one, so that the caller can pause between two. */
export interface ChangedPosition {
  readonly kind: PositionKind;
  readonly address: Address;
}

/** The accounts of all wallets in one View. Never changes. */
export interface Positions {
  /** The slot of the View. */
  readonly slot: bigint;
  /** Null: there is none. */
  account(kind: PositionKind, address: Address): ChainAccount | null;
  /** Sorted by address. */
  ofWallet(kind: PositionKind, wallet: Address): readonly ChainAccount[];
  /**
   * Obligations of a market, tickets of a reserve, stakes of a farm, share accounts of a mint, in no set order: lists sort
   * them. Unpacked one by one, so that the caller can pause between two.
   */
  within(kind: PositionKind, group: Address): Iterable<ChainAccount>;
  /** All accounts of the kinds, by default of every kind, in no set order. */
  all(kinds?: readonly PositionKind[]): Iterable<PositionAccount>;
  /** At most `count` accounts at random, of those that have not changed since. */
  sample(count: number): readonly PositionAccount[];
  /** All accounts, each valid until the next: the memory of their data is reused. */
  eachInTurn(): Iterable<PositionAccount>;
  count(kind: PositionKind): number;
  /** Accounts of a kind with a wrong owner, discriminator or length. */
  unreadable(kind: PositionKind): number;
  /** Bytes of memory, shared with the Views before and after it. */
  readonly memoryBytes: number;
  /**
   * What was created, changed or closed since an earlier View, sorted by address. Null: it is not earlier, all was loaded anew since,
   * or so much has changed that reading everything is no slower.
   */
  changesSince(earlier: Positions): readonly ChangedPosition[] | null;
  /** Groups of which an account of a kind was created, changed or closed since an earlier View. Null as above. */
  changedWithin(kind: PositionKind, earlier: Positions): ReadonlySet<Address> | null;
}

/** The state of a table when it was made: the newest one, but for what the deltas since then say. */
export class PositionSnapshot implements Positions {
  readonly slot: bigint;
  readonly #table: PositionTable;
  readonly #delta: PositionDelta;
  readonly #counts: ReadonlyMap<PositionKind, { readonly all: number; readonly unreadable: number }>;

  constructor(table: PositionTable, slot: bigint) {
    this.slot = slot;
    this.#table = table;
    this.#delta = table.beginDelta();
    this.#counts = new Map(
      POSITION_KINDS.map((kind) => [kind, { all: table.count(kind), unreadable: table.unreadable(kind) }]),
    );
  }

  account(kind: PositionKind, address: Address): ChainAccount | null {
    const former = this.#former(kind, address);
    const packed = former === undefined ? this.#table.find(kind, address) : former.packed;
    return packed === undefined || packed === null ? null : this.#table.unpack(packed).account;
  }

  ofWallet(kind: PositionKind, wallet: Address): readonly ChainAccount[] {
    const found = this.#table
      .entriesOfWallet(kind, wallet)
      .filter((entry) => !this.#hasChanged(entry))
      .map((entry) => this.#table.packed(entry));
    const former = this.#formerWhere((delta) => delta.ofWallet(kind, wallet));
    return [...found, ...former].map((packed) => this.#table.unpack(packed).account).sort(byAddress);
  }

  *within(kind: PositionKind, group: Address): Generator<ChainAccount> {
    const number = this.#table.groupNumber(group);
    if (number === undefined) return;
    const former = new FormerEntries(this.#delta);
    const changed = new Set<number>();
    for (const delta of this.#deltas())
      for (const { entry } of delta.within(kind, number)) if (entry !== null) changed.add(entry);
    for (const entry of this.#table.entriesWithin(kind, number)) {
      if (changed.has(entry)) continue;
      const held = former.of(entry);
      const packed = held === undefined ? this.#table.packed(entry) : packedWithin(held, kind, number);
      if (packed !== null) yield this.#table.unpack(packed).account;
    }
    for (const entry of changed) {
      const packed = packedWithin(former.of(entry) ?? null, kind, number);
      if (packed !== null) yield this.#table.unpack(packed).account;
    }
  }

  all(kinds: readonly PositionKind[] = POSITION_KINDS): Generator<PositionAccount> {
    return this.#each(kinds);
  }

  eachInTurn(): Generator<PositionAccount> {
    return this.#each(POSITION_KINDS, new ReusedBytes());
  }

  *#each(kinds: readonly PositionKind[], reused?: ReusedBytes): Generator<PositionAccount> {
    const former = new FormerEntries(this.#delta);
    // Later entries were free in this View.
    const end = this.#table.entryCount;
    for (let entry = 0; entry < end; entry += 1) {
      const held = former.of(entry);
      const kind = held === undefined ? this.#table.kindAt(entry) : held?.kind;
      if (kind === undefined || !kinds.includes(kind)) continue;
      const packed = held === undefined ? this.#table.packed(entry) : held?.packed;
      if (packed) yield this.#table.unpack(packed, reused);
    }
  }

  sample(count: number): readonly PositionAccount[] {
    const former = new FormerEntries(this.#delta);
    return this.#table
      .sample(count)
      .filter((entry) => former.of(entry) === undefined)
      .map((entry) => this.#table.unpack(this.#table.packed(entry)));
  }

  count(kind: PositionKind): number {
    return this.#counts.get(kind)?.all ?? 0;
  }

  unreadable(kind: PositionKind): number {
    return this.#counts.get(kind)?.unreadable ?? 0;
  }

  get memoryBytes(): number {
    return this.#table.memoryBytes;
  }

  changesSince(earlier: Positions): readonly ChangedPosition[] | null {
    return this.#changedSince(earlier)?.sort(byAddress) ?? null;
  }

  changedWithin(kind: PositionKind, earlier: Positions): ReadonlySet<Address> | null {
    const changed = this.#changedSince(earlier);
    if (changed === null) return null;
    const groups = new Set<Address>();
    for (const former of changed) {
      if (former.kind !== kind) continue;
      if (former.group !== null) groups.add(this.#table.groupAt(former.group));
      const { group: at } = POSITION_KEYS[kind];
      const data = at === null ? undefined : this.account(kind, former.address)?.data;
      if (at !== null && data !== undefined && data.length >= at + 32)
        groups.add(readAddress(viewOf(data), at));
    }
    return groups;
  }

  /** What changed accounts were in the earlier View. */
  #changedSince(earlier: Positions): FormerPosition[] | null {
    if (!(earlier instanceof PositionSnapshot) || earlier.#table !== this.#table) return null;
    const changed = new Map<string, FormerPosition>();
    let isEarlier = false;
    let size = 0;
    for (const delta of earlier.#deltas()) {
      isEarlier = delta === this.#delta;
      if (isEarlier) break;
      size += delta.size;
      if (size > MAX_CHANGES) return null;
      for (const former of delta.all()) {
        const key = `${former.kind} ${former.address}`;
        if (!changed.has(key)) changed.set(key, former);
      }
    }
    return isEarlier ? [...changed.values()] : null;
  }

  *#deltas(): Generator<PositionDelta> {
    for (let delta: PositionDelta | null = this.#delta; delta !== null; delta = delta.next) yield delta;
  }

  /** The account in this View if it has changed since; undefined if it has not. */
  #former(kind: PositionKind, address: Address): FormerPosition | undefined {
    for (const delta of this.#deltas()) {
      const former = delta.get(kind, address);
      if (former !== undefined) return former;
    }
    return undefined;
  }

  #hasChanged(entry: number): boolean {
    for (const delta of this.#deltas()) if (delta.ofEntry(entry) !== undefined) return true;
    return false;
  }

  /** Records of this View that have changed since, of those that `choose` takes from each delta. */
  #formerWhere(choose: (delta: PositionDelta) => readonly FormerPosition[]): Uint8Array[] {
    const found: Uint8Array[] = [];
    for (const delta of this.#deltas()) {
      for (const former of choose(delta)) {
        const isOfThisView = this.#former(former.kind, former.address) === former;
        if (isOfThisView && former.packed !== null) found.push(former.packed);
      }
    }
    return found;
  }
}

/** The record of an account that was in a group; null when it was not. */
function packedWithin(former: FormerPosition | null, kind: PositionKind, group: number): Uint8Array | null {
  return former?.kind === kind && former.group === group ? former.packed : null;
}

function byAddress(a: { readonly address: Address }, b: { readonly address: Address }): number {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}
