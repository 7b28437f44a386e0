import type { Mint } from '@sluice/protocol/token/mint';
import type { Address } from '@solana/kit';
import type { WalletToken } from '../read-accounts.ts';

/** All inputs of the creation of a vault. */
export interface NewVault {
  readonly wallet: Address;
  /** Pays the rent of the vault's own account. */
  readonly payer: Address;
  readonly vault: Address;
  readonly programId: Address;
  readonly mint: Address;
  readonly token: Mint;
  readonly authority: { readonly address: Address; readonly bump: number };
  readonly tokenVault: Address;
  readonly sharesMint: Address;
  /** The wallet's account of the token. */
  readonly source: WalletToken;
  readonly isSol: boolean;
  /** Whether the wrapped-SOL account of the wallet is closed at the end. */
  readonly closes: boolean;
  readonly lamportsOf: (address: Address) => bigint;
}
