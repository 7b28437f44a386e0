import { SluiceError } from '../errors/sluice-error.ts';
import { placePoint } from '../numeric/decimal.ts';
import { INSTRUCTIONS_SYSVAR } from '../programs/program-ids.ts';
import type { Amount, AmountRules } from './amount.ts';
import type { LendingAccounts } from './lending-accounts.ts';
import type { LendingAction } from './lending-request.ts';
import { SOL_DECIMALS } from './token-instructions.ts';

/** How amounts of an action are read: only what leaves the obligation can be asked for as the greatest u64. */
export function lendingAmountRules(action: LendingAction, { reserve }: LendingAccounts): AmountRules {
  const maxMeansAll = action === 'repay' || action === 'withdraw';
  return { decimals: Number(reserve.liquidity.mintDecimals), maxMeansAll };
}

/** `12.5 USDC`, for summaries. */
export function inWords(amount: Amount, { reserve, symbol }: LendingAccounts): string {
  if (amount === 'all') return `all ${symbol}`;
  return `${placePoint(amount, Number(reserve.liquidity.mintDecimals))} ${symbol}`;
}

/** The accounts that the four actions name alike. Without a farm on the side acted on, both farm accounts are absent. */
export function sharedAccounts({ request, obligationAddress, marketAuthority, farm }: LendingAccounts) {
  return {
    owner: request.wallet,
    obligation: obligationAddress,
    lendingMarket: request.market,
    lendingMarketAuthority: marketAuthority,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    obligationFarmUserState: farm?.user ?? null,
    reserveFarmState: farm?.farm ?? null,
    farmsProgram: request.programs.farms,
  };
}

/** The wallet's whole balance, for a deposit of everything. SOL also pays for the transaction: no "all" there. */
export function wholeBalance(
  balance: bigint,
  isSol: boolean,
  walletLamports: bigint | null,
  symbol: string,
): bigint {
  if (isSol) {
    const lamports = placePoint(walletLamports ?? 0n, SOL_DECIMALS);
    const reason = `SOL also pays fees and rent, so name an amount; the wallet has ${lamports} SOL`;
    throw new SluiceError('BUILD_REFUSED', { reason });
  }
  if (balance === 0n) throw new SluiceError('BUILD_REFUSED', { reason: `the wallet holds no ${symbol}` });
  return balance;
}
