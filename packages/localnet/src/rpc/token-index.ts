import { addressBytes } from '@sluice/protocol/layout/base58';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { LocalChain, StoredAccount } from '../chain.ts';

const ADDRESS_BYTES = 32;
/** The account-type byte of an extended token account. */
const TOKEN_ACCOUNT_TYPE = 2;

interface Entry {
  readonly owner: string;
  readonly mint: string;
}

/** A token account has the base length, or more with a marker byte (Token-2022 extensions). */
export function isTokenAccount(account: StoredAccount): boolean {
  const { owner, data } = account;
  if (owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) return false;
  if (data.length === TOKEN_ACCOUNT_BYTES) return true;
  return owner === TOKEN_2022_PROGRAM && data[TOKEN_ACCOUNT_BYTES] === TOKEN_ACCOUNT_TYPE;
}

/**
 * Token accounts by wallet and by mint, so that a request for one wallet does not scan all accounts. Built on
 * first use, then updated with the changes of each slot and transaction.
 */
export class TokenIndex {
  readonly #chain: LocalChain;
  readonly #entries = new Map<Address, Entry>();
  readonly #byOwner = new Map<string, Set<Address>>();
  readonly #byMint = new Map<string, Set<Address>>();
  #stop: (() => void) | undefined;

  constructor(chain: LocalChain) {
    this.#chain = chain;
  }

  ofOwner(owner: Address): Iterable<Address> {
    return this.#lookUp(this.#byOwner, addressBytes(owner));
  }

  ofMint(mint: Address): Iterable<Address> {
    return this.#lookUp(this.#byMint, addressBytes(mint));
  }

  /** The accounts whose owner or mint equals the given 32 bytes; null when the offset is neither field. */
  matching(offset: number, bytes: Uint8Array): Iterable<Address> | null {
    if (bytes.length !== ADDRESS_BYTES) return null;
    if (offset === TOKEN_ACCOUNT_OFFSETS.owner) return this.#lookUp(this.#byOwner, bytes);
    if (offset === TOKEN_ACCOUNT_OFFSETS.mint) return this.#lookUp(this.#byMint, bytes);
    return null;
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #lookUp(index: ReadonlyMap<string, Set<Address>>, bytes: Uint8Array): Iterable<Address> {
    this.#build();
    return index.get(keyAt(bytes, 0)) ?? [];
  }

  #build(): void {
    if (this.#stop !== undefined) return;
    const update = (changed: readonly Address[]) => {
      for (const address of changed) this.#update(address, this.#chain.account(address));
    };
    const stopSlots = this.#chain.onSlot((_slot, changed) => update(changed));
    const stopTransactions = this.#chain.onTransaction((_transaction, changed) => update(changed));
    this.#stop = () => {
      stopSlots();
      stopTransactions();
    };
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      for (const [address, account] of this.#chain.programAccounts(program)) this.#update(address, account);
    }
  }

  #update(address: Address, account: StoredAccount | undefined): void {
    const before = this.#entries.get(address);
    const after =
      account !== undefined && isTokenAccount(account)
        ? {
            owner: keyAt(account.data, TOKEN_ACCOUNT_OFFSETS.owner),
            mint: keyAt(account.data, TOKEN_ACCOUNT_OFFSETS.mint),
          }
        : undefined;
    if (before?.owner === after?.owner && before?.mint === after?.mint) return;
    if (before !== undefined) {
      remove(this.#byOwner, before.owner, address);
      remove(this.#byMint, before.mint, address);
      this.#entries.delete(address);
    }
    if (after !== undefined) {
      add(this.#byOwner, after.owner, address);
      add(this.#byMint, after.mint, address);
      this.#entries.set(address, after);
    }
  }
}

/** Raw bytes as a map key, which is much cheaper than base58 for many accounts. */
function keyAt(data: Uint8Array, offset: number): string {
  return Buffer.from(data.buffer, data.byteOffset + offset, ADDRESS_BYTES).toString('latin1');
}

function add(index: Map<string, Set<Address>>, key: string, address: Address): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, new Set([address]));
  else known.add(address);
}

function remove(index: Map<string, Set<Address>>, key: string, address: Address): void {
  const known = index.get(key);
  known?.delete(address);
  if (known?.size === 0) index.delete(key);
}
