import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { StoredAccount } from './stored-account.ts';

/** Where a transaction reads accounts that it has not changed. */
export interface AccountReader {
  get(address: Address): StoredAccount | undefined;
}

/** Content of an address before anything was sent to it. */
const EMPTY: StoredAccount = {
  owner: SYSTEM_PROGRAM,
  lamports: 0n,
  data: new Uint8Array(0),
  executable: false,
};

/** The accounts as one transaction sees them. Nothing reaches the chain unless the transaction is committed. */
export class AccountOverlay implements AccountReader {
  readonly #base: AccountReader;
  readonly #changed = new Map<Address, StoredAccount>();

  constructor(base: AccountReader) {
    this.#base = base;
  }

  get(address: Address): StoredAccount {
    return this.#changed.get(address) ?? this.#base.get(address) ?? EMPTY;
  }

  set(address: Address, account: StoredAccount): void {
    this.#changed.set(address, account);
  }

  /** The changed accounts. One without lamports no longer exists. */
  get changed(): ReadonlyMap<Address, StoredAccount> {
    return this.#changed;
  }
}
