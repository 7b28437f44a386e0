import type { Address } from '@solana/kit';
import { ASSOCIATED_TOKEN_PROGRAM } from '../program-ids.ts';
import { allOf, type Call } from './calls.ts';
import type { ConfirmedTransaction, TokenBalance } from './confirmed-transaction.ts';

/** Mints and owners of the token accounts in a transaction. */
export class TokenAccounts {
  readonly #mints = new Map<Address, Address>();
  readonly #owners = new Map<Address, Address>();
  /** Accounts whose owner changed within the transaction. */
  readonly ownerChanged: readonly Address[];

  constructor(transaction: ConfirmedTransaction, calls: readonly Call[]) {
    const { accountKeys, preTokenBalances, postTokenBalances } = transaction;
    for (const call of calls) for (const each of allOf(call)) this.#readCreation(each);
    const ownerChanged: Address[] = [];
    const read = ({ accountIndex, mint, owner }: TokenBalance, before: boolean) => {
      const account = accountKeys[accountIndex];
      if (account === undefined) return;
      this.#mints.set(account, mint);
      if (owner === null) return;
      const known = this.#owners.get(account);
      if (!before && known !== undefined && known !== owner) ownerChanged.push(account);
      this.#owners.set(account, owner);
    };
    for (const balance of preTokenBalances) read(balance, true);
    for (const balance of postTokenBalances) read(balance, false);
    this.ownerChanged = ownerChanged;
  }

  /** Null for an account created and closed within the transaction without the associated-token program. */
  ownerOf(account: Address): Address | null {
    return this.#owners.get(account) ?? null;
  }

  mintOf(account: Address): Address | null {
    return this.#mints.get(account) ?? null;
  }

  /** Both create instructions of the associated-token program list account, owner and mint at the same indexes. */
  #readCreation({ instruction: { programAddress, accounts, data } }: Call): void {
    if (programAddress !== ASSOCIATED_TOKEN_PROGRAM || (data[0] ?? 0) > 1) return;
    const [, account, owner, mint] = accounts;
    if (account === undefined || owner === undefined || mint === undefined) return;
    this.#owners.set(account, owner);
    this.#mints.set(account, mint);
  }
}
