import { placePoint } from '@sluice/protocol/numeric/decimal';
import { integer } from '@sluice/protocol/numeric/rational';
import { INSTRUCTIONS_SYSVAR } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import { permissionFor } from '../../domain/permission.ts';
import { liquidityToCollateral } from '../../domain/reserve.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { Amount, AmountRules } from '../amount.ts';
import { SOL_DECIMALS } from '../token-instructions.ts';
import type { LendingAccounts } from './accounts.ts';

/** Parsing rules of an action's amount: only repay and withdraw accept the maximum u64 as "all". */
export function lendingAmountRules({ request, reserve }: LendingAccounts): AmountRules {
  const maxMeansAll = request.action === 'repay' || request.action === 'withdraw';
  return { decimals: Number(reserve.liquidity.mintDecimals), maxMeansAll };
}

/** Collateral tokens to redeem for at least an amount of liquidity, both in base units. */
export function collateralFor(accrued: AccruedReserve, amount: bigint): bigint {
  return liquidityToCollateral(accrued, integer(amount)).ceil();
}

/** `12.5 USDC`, for summaries. */
export function inWords(amount: Amount, { reserve, symbol }: LendingAccounts): string {
  if (amount === 'all') return `all ${symbol}`;
  return `${placePoint(amount, Number(reserve.liquidity.mintDecimals))} ${symbol}`;
}

/** Accounts common to the four actions. Both farm accounts are null without a farm on the side acted on. */
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

const PERMISSION_OF = { deposit: 'DEPOSIT', borrow: 'BORROW', repay: null, withdraw: null } as const;

/** The key that must sign besides the wallet; null when none must. */
export function permissionOf({ request, market, reserve }: LendingAccounts): Address | null {
  const operation = PERMISSION_OF[request.action];
  return operation && permissionFor(operation, market, [reserve]);
}

/** The wallet's balance, for a deposit of "all". Rejected for SOL, which also pays fees and rent. */
export function wholeBalance(
  balance: bigint,
  isSol: boolean,
  walletLamports: bigint | null,
  symbol: string,
): bigint {
  if (isSol) {
    const lamports = placePoint(walletLamports ?? 0n, SOL_DECIMALS);
    const reason = `SOL also pays fees and rent, so specify an amount instead of "all"; the wallet has ${lamports} SOL`;
    throw new SluiceError('BUILD_REFUSED', { reason });
  }
  if (balance === 0n) throw new SluiceError('BUILD_REFUSED', { reason: `the wallet holds no ${symbol}` });
  return balance;
}
