import type { Address } from '@solana/kit';
import type { ChangedAccounts, TokenAccountKey } from './account-changes.ts';

/** Change of the wallet's account for one token by an action, in base units. */
export interface TokenMove {
  readonly account: Address;
  readonly key: TokenAccountKey;
  /** Whether the action creates the account when it is absent. */
  readonly opens: boolean;
  /** Lamports that the action wraps first; 0 for another token than SOL. */
  readonly wrapped: bigint;
  /** Received, or paid when negative. */
  readonly change: bigint;
  /** Whether the action closes the account at its end. */
  readonly closes: boolean;
}

export function moveTokens(
  changes: ChangedAccounts,
  { account, key, opens, wrapped, change, closes }: TokenMove,
): void {
  if (opens) changes.openTokens(account, key);
  changes.wrap(key.owner, account, wrapped);
  changes.addTokens(account, change);
  if (closes) changes.close(account, key.owner);
}
