import { placePoint } from '@sluice/protocol/numeric/decimal';
import type { BuiltAction } from './built-instruction.ts';
import type { WalletToken } from './read-accounts.ts';
import { SOL_DECIMALS } from './token-instructions.ts';
import { type BuildWarning, warning } from './warnings.ts';

/** Compares the wallet's balance with the required amount, both in base units. */
export function balanceWarnings(
  balance: bigint,
  required: bigint,
  decimals: number,
  symbol: string,
): BuildWarning[] {
  if (balance >= required) return [];
  const message = `The wallet has ${placePoint(balance, decimals)} ${symbol}, but ${placePoint(required, decimals)} are required. Add funds, or lower the amount.`;
  return [warning('BALANCE_TOO_LOW', message)];
}

/** @param openMessage why the wrapped-SOL account stays open. */
export function wrappedSolWarnings(
  { account }: WalletToken,
  after: BuiltAction['wrappedSol'],
  openMessage: string,
): BuildWarning[] {
  if (after === 'open') {
    return [warning('WSOL_LEFT_OVER', `${openMessage} Unwrap it to get SOL.`)];
  }
  const existing = account?.amount ?? 0n;
  if (after === null || existing === 0n) return [];
  const message = `${placePoint(existing, SOL_DECIMALS)} wrapped SOL already in the wallet is unwrapped too.`;
  return [warning('WSOL_UNWRAPPED', message)];
}
