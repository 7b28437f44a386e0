import type { Address } from '@solana/kit';
import type { WalletTokenAccount } from '../../builders/action.ts';
import type { WalletToken } from '../../builders/read-accounts.ts';

export function walletTokenAccount(
  { address, account }: WalletToken,
  mint: Address,
  decimals: bigint,
): WalletTokenAccount {
  return { address, mint, decimals: Number(decimals), before: account?.amount ?? 0n };
}
