import { rentExemptLamports as rentLamports } from '@sluice/protocol/sysvar/rent';
import type { Address } from '@solana/kit';
import type { StoredAccount } from './stored-account.ts';

/** Produces the bytes of an account. */
export interface AccountSource {
  readonly address: Address;
  /** The owning program. */
  readonly owner: Address;
  readonly executable?: boolean;
  /** Encodes the current state into a new array; may copy and patch `previous`. */
  encode(previous: Uint8Array | undefined): Uint8Array;
  /** Defaults to the rent-exempt minimum. */
  lamports?(): bigint;
}

interface Entry {
  readonly address: Address;
  /** Null once a transaction has written the account: its bytes are then all there is. */
  readonly source: AccountSource | null;
  readonly owner: Address;
  bytes: Uint8Array | undefined;
  account: StoredAccount | undefined;
}

export { rentLamports };

/**
 * All accounts of the chain. Those of the generated world are encoded on read; a change only invalidates them. Those that
 * a transaction has written are bytes, which the world's models no longer change.
 */
export class AccountStore {
  readonly #entries: Map<Address, Entry>;
  readonly #byProgram: Map<Address, Set<Entry>>;
  /** Entries of the store of which this is a fork; null without one. */
  readonly #inherited: ReadonlyMap<Address, Entry> | null;
  #changed = new Set<Address>();

  constructor(origin: AccountStore | null = null) {
    this.#inherited = origin === null ? null : origin.#entries;
    this.#entries = new Map(origin === null ? [] : origin.#entries);
    this.#byProgram = new Map();
    if (origin === null) return;
    for (const [program, entries] of origin.#byProgram) this.#byProgram.set(program, new Set(entries));
  }

  /** A store that starts with the same accounts, encoded once for both. This one must not change any more. */
  fork(): AccountStore {
    return new AccountStore(this);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Does nothing where a transaction has been first. */
  add(source: AccountSource): void {
    const { address, owner } = source;
    const known = this.#entries.get(address);
    if (known?.source === null) return;
    if (known !== undefined) throw new RangeError(`Account ${address} already exists`);
    this.#put({ address, source, owner, bytes: undefined, account: undefined });
  }

  /** Adds an account of the world in place of the one at its address. */
  replace(source: AccountSource): void {
    const known = this.#entries.get(source.address);
    if (known !== undefined) this.#delete(known);
    this.add(source);
  }

  /** Closes an account of the world; the address can be reused later. */
  remove(address: Address): void {
    const entry = this.#entries.get(address);
    if (entry !== undefined && entry.source !== null) this.#delete(entry);
  }

  /** Stores what a transaction has written. An account without lamports no longer exists. */
  commit(changes: ReadonlyMap<Address, StoredAccount>): void {
    for (const [address, account] of changes) {
      const known = this.#entries.get(address);
      if (known !== undefined) this.#delete(known);
      if (account.lamports === 0n) continue;
      this.#put({ address, source: null, owner: account.owner, bytes: account.data, account });
    }
  }

  addresses(): Iterable<Address> {
    return this.#entries.keys();
  }

  has(address: Address): boolean {
    return this.#entries.has(address);
  }

  /** Marks an account of the world as changed, so that it is encoded again. */
  touch(address: Address): void {
    const entry = this.#entries.get(address);
    if (entry === undefined || entry.source === null) return;
    if (this.#inherited?.get(address) === entry) {
      this.#delete(entry);
      this.#put({ ...entry, account: undefined });
      return;
    }
    entry.account = undefined;
    this.#changed.add(address);
  }

  get(address: Address): StoredAccount | undefined {
    const entry = this.#entries.get(address);
    return entry === undefined ? undefined : read(entry);
  }

  /** 0 for an account that does not exist. */
  lamportsOf(address: Address): bigint {
    return this.get(address)?.lamports ?? 0n;
  }

  *ofProgram(program: Address): Iterable<readonly [Address, StoredAccount]> {
    for (const entry of this.#byProgram.get(program) ?? []) yield [entry.address, read(entry)];
  }

  /** The accounts changed since the last call. */
  takeChanged(): Address[] {
    const changed = [...this.#changed];
    this.#changed = new Set();
    return changed;
  }

  #put(entry: Entry): void {
    this.#entries.set(entry.address, entry);
    const siblings = this.#byProgram.get(entry.owner);
    if (siblings === undefined) this.#byProgram.set(entry.owner, new Set([entry]));
    else siblings.add(entry);
    this.#changed.add(entry.address);
  }

  #delete(entry: Entry): void {
    this.#entries.delete(entry.address);
    this.#byProgram.get(entry.owner)?.delete(entry);
    this.#changed.add(entry.address);
  }
}

function read(entry: Entry): StoredAccount {
  const { source, account } = entry;
  if (account !== undefined) return account;
  if (source === null) throw new RangeError(`Account ${entry.address} has no bytes`);
  const data = source.encode(entry.bytes);
  const encoded: StoredAccount = {
    owner: source.owner,
    lamports: source.lamports?.() ?? rentLamports(data.length),
    data,
    executable: source.executable ?? false,
  };
  entry.bytes = data;
  entry.account = encoded;
  return encoded;
}
