import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../accounts/account-page.ts';
import { StreamFault } from './stream-fault.ts';

/** An account as a transaction of its slot left it. Without lamports it is closed, whatever owner and data say. */
export interface AccountChange {
  readonly account: ChainAccount;
  /** Orders the changes of one account in one slot. */
  readonly writeVersion: bigint;
}

/** A block and the one before it. */
export interface BlockLink {
  readonly slot: bigint;
  readonly blockhash: string;
  readonly parentSlot: bigint;
  readonly parentBlockhash: string;
}

export interface AppliedSlot {
  readonly slot: bigint;
  /** The last change of each account in the slot. */
  readonly changes: readonly ChainAccount[];
}

/** A slot that is not on the chain yet, or its blocks and changes that came again or late. */
interface PendingSlot {
  readonly changes: Map<Address, AccountChange>;
  block: BlockLink | null;
  isConfirmed: boolean;
  bytes: number;
}

interface PastSlot {
  readonly blockhash: string;
  /** The connection on which its block was last seen. */
  connection: number;
  readonly addresses: Address[];
}

/** Slots for which late and repeated changes are told apart: as many as a server replays by default. */
const REMEMBERED_SLOTS = 150;
const MAX_PENDING_SLOTS = 1_024;
const MAX_PENDING_BYTES = 128 * 1_024 * 1_024;
/** Address, owner and numbers of one change. */
const CHANGE_BYTES = 512;

/**
 * Orders the updates of a stream into the chain of confirmed blocks. A slot is applied when it is confirmed and its block
 * names the last applied one as its parent, by slot and blockhash: a missing slot is noticed, and slots of other forks are
 * dropped. Updates may come in any order, and repeatedly.
 */
export class SlotAssembly {
  readonly #pending = new Map<bigint, PendingSlot>();
  /** Applied slots in order. */
  readonly #past = new Map<bigint, PastSlot>();
  /** The newest applied change of each account that changed in those slots. */
  readonly #newest = new Map<Address, { readonly slot: bigint; readonly writeVersion: bigint }>();
  #tip: bigint | null = null;
  #connection = 0;
  #bytes = 0;
  #late: ChainAccount[] = [];

  /** The newest applied slot; null before the first. */
  get tip(): bigint | null {
    return this.#tip;
  }

  /** Call after a reconnect: what follows is a replay, possibly by another node, and is checked against what was applied. */
  reconnected(): void {
    this.#connection += 1;
    this.#pending.clear();
    this.#bytes = 0;
  }

  addChange(change: AccountChange): void {
    const { slot, address, data } = change.account;
    if (this.#tip !== null && slot <= this.#tip) {
      const past = this.#past.get(slot);
      // A slot of another fork, or one that was delivered long ago.
      if (past === undefined) return;
      if (past.connection === this.#connection) {
        this.#addLate(change, past);
        return;
      }
    }
    const pending = this.#pendingAt(slot);
    const known = pending.changes.get(address);
    if (known !== undefined && known.writeVersion >= change.writeVersion) return;
    this.#count(
      pending,
      data.length + CHANGE_BYTES - (known === undefined ? 0 : known.account.data.length + CHANGE_BYTES),
    );
    pending.changes.set(address, change);
  }

  /** @throws StreamFault when it contradicts a block that was applied */
  addBlock(block: BlockLink): void {
    const { slot } = block;
    const past = this.#past.get(slot);
    if (past !== undefined) {
      if (past.blockhash !== block.blockhash) throw new StreamFault('EQUIVOCATION');
      past.connection = this.#connection;
      this.#releaseLate(slot, past);
      return;
    }
    if (this.#tip !== null && slot <= this.#tip) return;
    const pending = this.#pendingAt(slot);
    if (pending.block !== null && pending.block.blockhash !== block.blockhash)
      throw new StreamFault('EQUIVOCATION');
    pending.block = block;
  }

  /** @throws StreamFault when a slot beside the applied ones is confirmed */
  confirm(slot: bigint): void {
    if (this.#tip === null || slot > this.#tip) {
      this.#pendingAt(slot).isConfirmed = true;
      return;
    }
    const [oldest] = this.#past.keys();
    if (oldest !== undefined && slot > oldest && !this.#past.has(slot)) throw new StreamFault('FORK');
  }

  /** @throws StreamFault when the slot was applied */
  drop(slot: bigint): void {
    if (this.#past.has(slot)) throw new StreamFault('FORK');
    this.#forget(slot);
  }

  /**
   * The slots that can be applied now, in order. The first slot of all is where the assembly starts: its changes may be
   * incomplete, because the stream may have begun within it.
   *
   * @throws StreamFault when a confirmed block does not continue the applied ones
   */
  take(): readonly AppliedSlot[] {
    const applied: AppliedSlot[] = [];
    for (let next = this.#next(); next !== null; next = this.#next()) applied.push(this.#apply(next));
    if (this.#late.length > 0 && this.#tip !== null) {
      applied.push({ slot: this.#tip, changes: this.#late });
      this.#late = [];
    }
    return applied;
  }

  #next(): BlockLink | null {
    const tip = this.#tip;
    for (const [slot, { block, isConfirmed }] of this.#pending) {
      if (block === null || !isConfirmed || (tip !== null && slot <= tip)) continue;
      if (tip === null) return block;
      if (block.parentSlot < tip) throw new StreamFault('FORK');
      if (block.parentSlot > tip) continue;
      if (block.parentBlockhash !== this.#past.get(tip)?.blockhash) throw new StreamFault('EQUIVOCATION');
      return block;
    }
    return null;
  }

  #apply({ slot, blockhash }: BlockLink): AppliedSlot {
    const changes = [...(this.#pending.get(slot)?.changes.values() ?? [])];
    this.#tip = slot;
    const past: PastSlot = { blockhash, connection: this.#connection, addresses: [] };
    this.#past.set(slot, past);
    for (const change of changes) this.#remember(change, past);
    // Its siblings, and slots of forks that end before it.
    for (const other of [...this.#pending.keys()])
      if (other === slot || (other < slot && !this.#past.has(other))) this.#forget(other);
    this.#forgetPast();
    return { slot, changes: changes.map(({ account }) => account) };
  }

  #addLate(change: AccountChange, past: PastSlot): void {
    const { account, writeVersion } = change;
    const newest = this.#newest.get(account.address);
    const isKnown =
      newest !== undefined &&
      (newest.slot > account.slot || (newest.slot === account.slot && newest.writeVersion >= writeVersion));
    if (isKnown) return;
    this.#remember(change, past);
    this.#late.push(account);
  }

  /** The block is the applied one, so its changes are, too. */
  #releaseLate(slot: bigint, past: PastSlot): void {
    const pending = this.#pending.get(slot);
    this.#forget(slot);
    for (const change of pending?.changes.values() ?? []) this.#addLate(change, past);
  }

  #remember({ account: { address, slot }, writeVersion }: AccountChange, { addresses }: PastSlot): void {
    this.#newest.set(address, { slot, writeVersion });
    addresses.push(address);
  }

  #forgetPast(): void {
    for (const [slot, { addresses }] of this.#past) {
      if (this.#past.size <= REMEMBERED_SLOTS) return;
      this.#past.delete(slot);
      for (const address of addresses)
        if (this.#newest.get(address)?.slot === slot) this.#newest.delete(address);
    }
  }

  #pendingAt(slot: bigint): PendingSlot {
    const known = this.#pending.get(slot);
    if (known !== undefined) return known;
    if (this.#pending.size >= MAX_PENDING_SLOTS) throw new StreamFault('FLOOD');
    const pending: PendingSlot = { changes: new Map(), block: null, isConfirmed: false, bytes: 0 };
    this.#pending.set(slot, pending);
    return pending;
  }

  #count(pending: PendingSlot, bytes: number): void {
    pending.bytes += bytes;
    this.#bytes += bytes;
    if (this.#bytes > MAX_PENDING_BYTES) throw new StreamFault('FLOOD');
  }

  #forget(slot: bigint): void {
    this.#bytes -= this.#pending.get(slot)?.bytes ?? 0;
    this.#pending.delete(slot);
  }
}
