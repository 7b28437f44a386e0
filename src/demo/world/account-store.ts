import type { Address } from '@solana/kit';
import type { LedgerAccount } from '../ledger.ts';

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
  readonly source: AccountSource;
  bytes: Uint8Array | undefined;
  account: LedgerAccount | undefined;
}

/** The rent-exempt minimum for an account of this size. */
export function rentLamports(bytes: number): bigint {
  return BigInt(128 + bytes) * 6960n;
}

/** All accounts of the chain. Bytes are encoded on read; a change only invalidates them. */
export class AccountStore {
  readonly #entries = new Map<Address, Entry>();
  readonly #byProgram = new Map<Address, Entry[]>();
  #changed = new Set<Address>();

  get size(): number {
    return this.#entries.size;
  }

  add(source: AccountSource): void {
    if (this.#entries.has(source.address)) throw new RangeError(`Account ${source.address} already exists`);
    const entry: Entry = { source, bytes: undefined, account: undefined };
    this.#entries.set(source.address, entry);
    const siblings = this.#byProgram.get(source.owner);
    if (siblings === undefined) this.#byProgram.set(source.owner, [entry]);
    else siblings.push(entry);
    this.#changed.add(source.address);
  }

  /** Closes an account; the address can be reused later. */
  remove(address: Address): void {
    const entry = this.#entries.get(address);
    if (entry === undefined) return;
    this.#entries.delete(address);
    const siblings = this.#byProgram.get(entry.source.owner) ?? [];
    siblings.splice(siblings.indexOf(entry), 1);
    this.#changed.add(address);
  }

  has(address: Address): boolean {
    return this.#entries.has(address);
  }

  /** Marks an account as changed, so that it is encoded again. */
  touch(address: Address): void {
    const entry = this.#entries.get(address);
    if (entry === undefined) return;
    entry.account = undefined;
    this.#changed.add(address);
  }

  get(address: Address): LedgerAccount | undefined {
    const entry = this.#entries.get(address);
    return entry === undefined ? undefined : read(entry);
  }

  /** 0 for an account that does not exist. */
  lamportsOf(address: Address): bigint {
    return this.get(address)?.lamports ?? 0n;
  }

  *ofProgram(program: Address): Iterable<readonly [Address, LedgerAccount]> {
    for (const entry of this.#byProgram.get(program) ?? []) yield [entry.source.address, read(entry)];
  }

  /** The accounts changed since the last call. */
  takeChanged(): Address[] {
    const changed = [...this.#changed];
    this.#changed = new Set();
    return changed;
  }
}

function read(entry: Entry): LedgerAccount {
  if (entry.account !== undefined) return entry.account;
  const { source } = entry;
  const data = source.encode(entry.bytes);
  entry.bytes = data;
  entry.account = {
    owner: source.owner,
    lamports: source.lamports?.() ?? rentLamports(data.length),
    data,
    executable: source.executable ?? false,
  };
  return entry.account;
}
