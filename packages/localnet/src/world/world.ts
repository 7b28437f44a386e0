import type { Address } from '@solana/kit';
import type { AccountStore } from '../runtime/account-store.ts';
import type { Journal } from './journal.ts';
import type { Farm, Market, Obligation, ReferrerTokenState, Reserve, Token, Vault, Wallet } from './model.ts';
import type { Oracle } from './oracle.ts';
import type { Prices } from './prices.ts';

/** The complete state of the localnet. */
export interface World {
  readonly seed: string;
  /** The hash of a slot's block. */
  readonly blockhashOf: (slot: bigint) => string;
  readonly store: AccountStore;
  readonly journal: Journal;
  readonly prices: Prices;
  readonly oracle: Oracle;
  readonly tokens: readonly Token[];
  readonly markets: Market[];
  readonly reserves: Reserve[];
  readonly vaults: Vault[];
  readonly farms: Farm[];
  readonly wallets: Wallet[];
  /** Those of examples, which do not act. */
  readonly quietWallets: Wallet[];
  readonly obligations: Obligation[];
  /** By address. */
  readonly referrerStates: Map<Address, ReferrerTokenState>;
}
