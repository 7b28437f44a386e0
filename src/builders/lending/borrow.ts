import { borrowV2 } from '@sluice/protocol/klend/action-instructions';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { Amount } from '../amount.ts';
import { type ActionOptions, type BuiltAction, instruction } from '../built-instruction.ts';
import { permissionAccounts } from '../permission.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol } from '../token-instructions.ts';
import type { LendingAccounts } from './accounts.ts';
import { groupReserves, lendingRefresh } from './refresh.ts';
import { lendingSetup } from './setup.ts';
import { inWords, permissionOf, sharedAccounts } from './terms.ts';

/**
 * Borrows against the obligation's deposits. "All" borrows the maximum that the program allows at execution.
 *
 * @example
 * buildLendingBorrow(lendingAccounts(request, read, slot), 250_000_000n);
 */
export function buildLendingBorrow(
  accounts: LendingAccounts,
  asked: Amount,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const { request, payer, reserve, token, tokenProgram, symbol, isSol } = accounts;
  const { wallet } = request;
  const { mintPubkey, supplyVault, feeVault } = reserve.liquidity;
  const amount = asked === 'all' ? U64_MAX : asked;
  const closes = isSol && closesWrappedSol('in', token, unwrap);
  const referrerState = accounts.referrerStates.find((state) => state.reserve === request.reserve);
  return {
    amount,
    all: asked === 'all',
    wrappedSol: isSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      createTokenAccount({ wallet, payer }, token.address, mintPubkey, tokenProgram, symbol),
      ...lendingSetup(accounts),
      ...lendingRefresh(accounts),
      instruction(
        borrowV2,
        request.programs.klend,
        {
          ...sharedAccounts(accounts),
          borrowReserve: request.reserve,
          borrowReserveLiquidityMint: mintPubkey,
          reserveSourceLiquidity: supplyVault,
          borrowReserveLiquidityFeeReceiver: feeVault,
          userDestinationLiquidity: token.address,
          referrerTokenState: referrerState?.address ?? null,
          tokenProgram,
        },
        { liquidityAmount: amount },
        {
          summary: `Borrow ${inWords(asked, accounts)}`,
          remaining: [...groupReserves(accounts), ...permissionAccounts(permissionOf(accounts))],
        },
      ),
      ...(closes ? [unwrapSol(wallet, token.address)] : []),
    ],
  };
}
