import { depositV2 } from '@sluice/protocol/klend/action-instructions';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Amount } from '../amount.ts';
import { type ActionOptions, type BuiltAction, instruction } from '../built-instruction.ts';
import { permissionAccounts } from '../permission.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol, wrapSol } from '../token-instructions.ts';
import type { LendingAccounts } from './accounts.ts';
import { lendingRefresh } from './refresh.ts';
import { lendingSetup } from './setup.ts';
import { inWords, permissionOf, sharedAccounts, wholeBalance } from './terms.ts';

/**
 * Supplies liquidity and deposits the collateral into the obligation. "All" is the wallet's current balance.
 *
 * @example
 * buildLendingDeposit(lendingAccounts(request, read, slot), 'all');
 */
export function buildLendingDeposit(
  accounts: LendingAccounts,
  asked: Amount,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const { request, payer, reserve, token, tokenProgram, symbol, isSol } = accounts;
  const { wallet } = request;
  const { mintPubkey, supplyVault } = reserve.liquidity;
  const amount =
    asked === 'all'
      ? wholeBalance(token.account?.amount ?? 0n, isSol, accounts.walletLamports, symbol)
      : asked;
  const closes = isSol && closesWrappedSol('out', token, unwrap);
  return {
    amount,
    all: false,
    wrappedSol: isSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      createTokenAccount({ wallet, payer }, token.address, mintPubkey, tokenProgram, symbol),
      ...lendingSetup(accounts),
      ...(isSol ? wrapSol(wallet, token.address, amount) : []),
      ...lendingRefresh(accounts),
      instruction(
        depositV2,
        request.programs.klend,
        {
          ...sharedAccounts(accounts),
          reserve: request.reserve,
          reserveLiquidityMint: mintPubkey,
          reserveLiquiditySupply: supplyVault,
          reserveCollateralMint: reserve.collateral.mintPubkey,
          reserveDestinationDepositCollateral: reserve.collateral.supplyVault,
          userSourceLiquidity: token.address,
          placeholderUserDestinationCollateral: null,
          collateralTokenProgram: TOKEN_PROGRAM,
          liquidityTokenProgram: tokenProgram,
        },
        { liquidityAmount: amount },
        {
          summary: `Deposit ${inWords(amount, accounts)} as collateral`,
          remaining: permissionAccounts(permissionOf(accounts)),
        },
      ),
      ...(closes ? [unwrapSol(wallet, token.address)] : []),
    ],
  };
}
