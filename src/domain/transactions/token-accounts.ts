import type { Address } from '@solana/kit';
import { ASSOCIATED_TOKEN_PROGRAM } from '../../programs/program-ids.ts';
import { allOf, type Call } from './calls.ts';
import type { ConfirmedTransaction, TokenBalance } from './confirmed-transaction.ts';

/** What a transaction tells about the token accounts that it touched. */
export class TokenAccounts {
  readonly #mints = new Map<Address, Address>();
  readonly #owners = new Map<Address, Address>();
  /** Accounts that another owner took over. */
  readonly handedOver: readonly Address[];

  constructor(transaction: ConfirmedTransaction, calls: readonly Call[]) {
    const { accountKeys, preTokenBalances, postTokenBalances } = transaction;
    for (const call of calls) for (const each of allOf(call)) this.#readOpening(each);
    const handedOver: Address[] = [];
    const read = ({ accountIndex, mint, owner }: TokenBalance, before: boolean) => {
      const account = accountKeys[accountIndex];
      if (account === undefined) return;
      this.#mints.set(account, mint);
      if (owner === null) return;
      const known = this.#owners.get(account);
      if (!before && known !== undefined && known !== owner) handedOver.push(account);
      this.#owners.set(account, owner);
    };
    for (const balance of preTokenBalances) read(balance, true);
    for (const balance of postTokenBalances) read(balance, false);
    this.handedOver = handedOver;
  }

  /** Null for an account that was opened and closed within the transaction by other means than the usual program. */
  ownerOf(account: Address): Address | null {
    return this.#owners.get(account) ?? null;
  }

  mintOf(account: Address): Address | null {
    return this.#mints.get(account) ?? null;
  }

  /** The associated-token program names account, owner and mint at the same places in both of its ways to create. */
  #readOpening({ instruction: { programAddress, accounts, data } }: Call): void {
    if (programAddress !== ASSOCIATED_TOKEN_PROGRAM || (data[0] ?? 0) > 1) return;
    const [, account, owner, mint] = accounts;
    if (account === undefined || owner === undefined || mint === undefined) return;
    this.#owners.set(account, owner);
    this.#mints.set(account, mint);
  }
}
