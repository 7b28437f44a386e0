import { greater } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';
import type { AccountStore } from '../runtime/account-store.ts';
import type { Holding, MintModel, Wallet } from './model.ts';
import { holdingBytes, isNative } from './token-accounts.ts';
import { holdingOf } from './wallets.ts';
import type { WorldAction } from './world-actions.ts';

/** A token account's balance before and after a transaction. */
export interface Movement {
  readonly holding: Holding;
  readonly pre: bigint;
  post: bigint;
  /** The transaction created the account. */
  readonly created: boolean;
}

/** Transaction of a wallet: everything needed to build the full transaction on demand. */
export interface Entry {
  readonly sequence: number;
  readonly slot: bigint;
  readonly payer: Wallet;
  readonly action: WorldAction;
  readonly movements: readonly Movement[];
  readonly lamportsPre: bigint;
  readonly lamportsPost: bigint;
  readonly feeLamports: bigint;
  /** Balances are relative to the wallet's opening balance. */
  readonly relative: boolean;
}

/** All entries in order, indexed by the addresses they involve. */
export class Journal {
  readonly entries: Entry[] = [];
  readonly #byAddress = new Map<Address, Entry[]>();
  /** True while the past is generated: opening balances are not known yet. */
  relative = true;

  append(draft: Draft, action: WorldAction, concerned: Iterable<Address>): Entry {
    const entry: Entry = {
      sequence: this.entries.length,
      slot: draft.slot,
      payer: draft.payer,
      action,
      movements: draft.movements,
      lamportsPre: draft.lamportsPre,
      lamportsPost: draft.payer.lamports,
      feeLamports: draft.feeLamports,
      relative: this.relative,
    };
    this.entries.push(entry);
    for (const address of new Set(concerned)) {
      const list = this.#byAddress.get(address);
      if (list === undefined) this.#byAddress.set(address, [entry]);
      else list.push(entry);
    }
    return entry;
  }

  /** Oldest first. */
  of(address: Address): readonly Entry[] {
    return this.#byAddress.get(address) ?? [];
  }
}

const SIGNATURE_FEE = 5000n;

/** A transaction under construction: changes balances and records what they were. */
export class Draft {
  readonly payer: Wallet;
  readonly slot: bigint;
  readonly movements: Movement[] = [];
  readonly lamportsPre: bigint;
  readonly feeLamports: bigint;
  readonly #store: AccountStore;
  readonly #created = new Set<Holding>();

  constructor(store: AccountStore, payer: Wallet, slot: bigint) {
    this.#store = store;
    this.payer = payer;
    this.slot = slot;
    this.lamportsPre = payer.lamports;
    this.feeLamports = SIGNATURE_FEE + (slot % 97n) * 150n;
    this.spend(this.feeLamports);
  }

  move(holding: Holding, delta: bigint): void {
    const known = this.movements.find((movement) => movement.holding === holding);
    if (known === undefined) {
      const created = this.#created.has(holding);
      this.movements.push({ holding, pre: holding.amount, post: holding.amount + delta, created });
    } else {
      known.post += delta;
    }
    holding.amount += delta;
    holding.opening = greater(holding.opening, -holding.amount);
    this.#store.touch(holding.address);
  }

  /**
   * Takes tokens from the wallet, or gives them when negative. SOL is wrapped in transit and never stays in a
   * token account.
   */
  take(wallet: Wallet, mint: MintModel, amount: bigint): void {
    if (isNative(mint)) this.spend(amount);
    else this.move(this.accountFor(wallet, mint), -amount);
  }

  /** The wallet's token account; creating one costs rent. */
  accountFor(wallet: Wallet, mint: MintModel): Holding {
    const [holding, created] = holdingOf(this.#store, wallet, mint);
    if (created) {
      this.#created.add(holding);
      this.rent(holdingBytes(mint));
    }
    return holding;
  }

  rent(bytes: number): void {
    this.spend(BigInt(128 + bytes) * 6960n);
  }

  spend(lamports: bigint): void {
    this.payer.lamports -= lamports;
    this.payer.openingLamports = greater(this.payer.openingLamports, -this.payer.lamports);
    this.#store.touch(this.payer.address);
  }
}
