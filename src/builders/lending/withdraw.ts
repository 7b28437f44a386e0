import { withdrawV2 } from '@sluice/protocol/klend/action-instructions';
import type { ObligationCollateral } from '@sluice/protocol/klend/obligation';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Instant } from '../../domain/moment.ts';
import { activeDeposits } from '../../domain/obligation.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { collateralToLiquidity } from '../../domain/reserve.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { Amount } from '../amount.ts';
import { type ActionOptions, type BuiltAction, instruction } from '../built-instruction.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol } from '../token-instructions.ts';
import type { LendingAccounts } from './accounts.ts';
import { lendingRefresh } from './refresh.ts';
import { lendingSetup } from './setup.ts';
import { collateralFor, inWords, sharedAccounts } from './terms.ts';

/** The deposit to withdraw from. @throws KLEND_POSITION_NOT_FOUND */
export function withdrawnDeposit(accounts: LendingAccounts): ObligationCollateral {
  const { request, obligation, obligationAddress } = accounts;
  const deposit =
    obligation && activeDeposits(obligation).find((each) => each.depositReserve === request.reserve);
  if (!deposit) {
    const context = { obligation: obligationAddress, reserve: request.reserve, side: 'deposit' } as const;
    throw new SluiceError('KLEND_POSITION_NOT_FOUND', context);
  }
  return deposit;
}

/**
 * Withdraws collateral from the obligation and redeems it. The program takes collateral tokens: this rounds up, so their
 * value covers the requested amount. "All" is the maximum that the debts allow at execution.
 *
 * @example
 * buildLendingWithdraw(lendingAccounts(request, read, slot), 250_000_000n, moment);
 */
export function buildLendingWithdraw(
  accounts: LendingAccounts,
  asked: Amount,
  at: Instant,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const { request, payer, reserve, token, tokenProgram, market, symbol, isSol } = accounts;
  const { mintPubkey, supplyVault } = reserve.liquidity;
  const deposit = withdrawnDeposit(accounts);
  const accrued = refreshReserve(reserve, at, market);
  const collateral = asked === 'all' ? U64_MAX : collateralFor(accrued, asked);
  if (collateral > U64_MAX) {
    const decimals = Number(reserve.liquidity.mintDecimals);
    throw new SluiceError('DECIMAL_TO_LAMPORTS_OVERFLOW', { amount: inWords(asked, accounts), decimals });
  }
  const closes = isSol && closesWrappedSol('in', token, unwrap);
  return {
    amount: asked === 'all' ? collateralToLiquidity(accrued, deposit.depositedAmount).floor() : asked,
    all: asked === 'all',
    wrappedSol: isSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      createTokenAccount({ wallet: request.wallet, payer }, token.address, mintPubkey, tokenProgram, symbol),
      ...lendingSetup(accounts),
      ...lendingRefresh(accounts),
      instruction(
        withdrawV2,
        request.programs.klend,
        {
          ...sharedAccounts(accounts),
          withdrawReserve: request.reserve,
          reserveLiquidityMint: mintPubkey,
          reserveSourceCollateral: reserve.collateral.supplyVault,
          reserveCollateralMint: reserve.collateral.mintPubkey,
          reserveLiquiditySupply: supplyVault,
          userDestinationLiquidity: token.address,
          placeholderUserDestinationCollateral: null,
          collateralTokenProgram: TOKEN_PROGRAM,
          liquidityTokenProgram: tokenProgram,
        },
        { collateralAmount: collateral },
        { summary: `Withdraw ${inWords(asked, accounts)} of the deposit` },
      ),
      ...(closes ? [unwrapSol(request.wallet, token.address)] : []),
    ],
  };
}
