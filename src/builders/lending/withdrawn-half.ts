import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { Amount } from '../amount.ts';
import type { LendingAccounts } from './accounts.ts';
import type { CombinedHalf } from './combined-half.ts';
import { collateralFor, inWords } from './terms.ts';

/** The accounts of the withdrawal in an instruction of two halves. */
export function withdrawnHalf(withdraw: LendingAccounts) {
  const { request, obligationAddress, marketAuthority } = withdraw;
  const { liquidity, collateral } = withdraw.reserve;
  return {
    withdrawOwner: request.wallet,
    withdrawObligation: obligationAddress,
    withdrawLendingMarket: request.market,
    withdrawLendingMarketAuthority: marketAuthority,
    withdrawReserve: request.reserve,
    withdrawReserveLiquidityMint: liquidity.mintPubkey,
    withdrawReserveSourceCollateral: collateral.supplyVault,
    withdrawReserveCollateralMint: collateral.mintPubkey,
    withdrawReserveLiquiditySupply: liquidity.supplyVault,
    withdrawUserDestinationLiquidity: withdraw.token.address,
    withdrawPlaceholderUserDestinationCollateral: null,
    withdrawCollateralTokenProgram: TOKEN_PROGRAM,
    withdrawLiquidityTokenProgram: withdraw.tokenProgram,
    withdrawInstructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  };
}

/** Collateral tokens at the exchange rate that the first half leaves, rounded up so that they cover the amount. */
export function withdrawnCollateral({ accounts, outcome }: CombinedHalf, amount: Amount): bigint {
  if (amount === 'all') return U64_MAX;
  const collateral = collateralFor(outcome.before.reserve, amount);
  if (collateral <= U64_MAX) return collateral;
  const decimals = Number(accounts.reserve.liquidity.mintDecimals);
  throw new SluiceError('DECIMAL_TO_LAMPORTS_OVERFLOW', { amount: inWords(amount, accounts), decimals });
}
