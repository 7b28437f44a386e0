import { type AccountLayout, viewOf } from '@sluice/protocol/layout/account';
import type { Fields, StructInput } from '@sluice/protocol/layout/struct';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { rentExemptLamports } from '@sluice/protocol/sysvar/rent';
import { EXTENSION_TYPE } from '@sluice/protocol/token/extension-types';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  TOKEN_ACCOUNT_BYTES,
} from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { programAccount, type ReadAccount, type ReadAccounts } from './read-accounts.ts';

/** Accounts as an action leaves them; null for a closed one. */
export type AccountChanges = ReadonlyMap<Address, ReadAccount | null>;

/** The accounts after the changes. */
export function withChanges(read: ReadAccounts, changes: AccountChanges): ReadAccounts {
  const readChanged = (address: Address) => {
    const changed = changes.get(address);
    return changed === undefined ? read(address) : changed;
  };
  const { symbolOf } = read;
  return symbolOf === undefined ? readChanged : Object.assign(readChanged, { symbolOf });
}

/** Owner, mint and token program of a token account. */
export interface TokenAccountKey {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/**
 * Collects the changes of an action. A changed account is a new object with new bytes, because decoded accounts are cached
 * by object. Amounts stop at zero: a plan that is built in spite of an error must not fail here.
 */
export class ChangedAccounts {
  readonly #changes = new Map<Address, ReadAccount | null>();
  readonly #read: ReadAccounts;
  readonly #payer: Address;

  /** @param payer pays the rent of created accounts */
  constructor(read: ReadAccounts, payer: Address) {
    this.#read = withChanges(read, this.#changes);
    this.#payer = payer;
  }

  get changes(): AccountChanges {
    return this.#changes;
  }

  /** The accounts with the changes so far. */
  get read(): ReadAccounts {
    return this.#read;
  }

  exists(address: Address): boolean {
    return programAccount(this.#read, address) !== null;
  }

  /** Replaces fields of an account and keeps its other bytes. Does nothing when there is no account. */
  patch<F extends Fields>(address: Address, layout: AccountLayout<F>, fields: StructInput<F>): void {
    const account = programAccount(this.#read, address);
    if (account === null) return;
    const data = new Uint8Array(account.data);
    layout.body.write(viewOf(data), layout.discriminator.length, fields);
    this.#changes.set(address, { ...account, data });
  }

  /** Creates an account unless it exists. @param payer pays its rent, if not the payer of the others */
  create(address: Address, owner: Address, data: Uint8Array, payer: Address = this.#payer): void {
    if (this.exists(address)) return;
    const sent = this.#read(address)?.lamports ?? 0n;
    const missing = atLeastZero(rentExemptLamports(data.length) - sent);
    this.addLamports(payer, -missing);
    this.#changes.set(address, { address, owner, data, lamports: sent + missing });
  }

  /** Closes an account; its lamports go to the destination. */
  close(address: Address, destination: Address): void {
    const account = this.#read(address);
    if (account === null) return;
    this.#changes.set(address, null);
    this.addLamports(destination, account.lamports);
  }

  addLamports(address: Address, change: bigint): void {
    if (change === 0n) return;
    const before = this.#read(address) ?? emptyWallet(address);
    this.#changes.set(address, { ...before, lamports: atLeastZero(before.lamports + change) });
  }

  /**
   * Creates a token account unless it exists. Its rent is exact without extensions that the mint demands.
   *
   * @param payer pays its rent, if not the payer of the others
   */
  openTokens(address: Address, { owner, mint, tokenProgram }: TokenAccountKey, payer = this.#payer): void {
    const isNative = mint === WRAPPED_SOL_MINT;
    const extensions =
      tokenProgram === TOKEN_2022_PROGRAM
        ? [{ type: EXTENSION_TYPE.immutableOwner, data: new Uint8Array() }]
        : [];
    const data = encodeTokenAccount({
      mint,
      owner,
      amount: 0n,
      delegate: null,
      delegatedAmount: 0n,
      frozen: false,
      nativeRentLamports: isNative ? rentExemptLamports(TOKEN_ACCOUNT_BYTES) : null,
      closeAuthority: null,
      extensions,
    });
    this.create(address, tokenProgram, data, payer);
  }

  /** Changes the balance of a token account, and its lamports when it holds wrapped SOL. */
  addTokens(address: Address, change: bigint): void {
    const account = programAccount(this.#read, address);
    if (account === null || change === 0n) return;
    const before = decodeTokenAccount(account);
    const amount = atLeastZero(before.amount + change);
    const lamports = before.nativeRentLamports === null ? 0n : amount - before.amount;
    const data = encodeTokenAccount({ ...before, amount });
    this.#changes.set(address, { ...account, data, lamports: account.lamports + lamports });
  }

  /** Moves lamports of the wallet into its account of wrapped SOL. */
  wrap(wallet: Address, account: Address, lamports: bigint): void {
    const moved = lesser(lamports, this.#read(wallet)?.lamports ?? 0n);
    this.addLamports(wallet, -moved);
    this.addTokens(account, moved);
  }
}

function emptyWallet(address: Address): ReadAccount {
  return { address, owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 0n };
}
