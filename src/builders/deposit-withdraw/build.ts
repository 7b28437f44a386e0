import { depositAndWithdraw } from '@sluice/protocol/klend/position-instructions';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { AccountRole } from '@solana/kit';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';
import { lendingRefresh, positionAccounts } from '../lending/refresh.ts';
import { obligationSetup } from '../lending/setup.ts';
import { inWords, permissionOf } from '../lending/terms.ts';
import { withdrawnDeposit } from '../lending/withdraw.ts';
import { withdrawnCollateral, withdrawnHalf } from '../lending/withdrawn-half.ts';
import { permissionAccounts } from '../permission.ts';
import type { DepositAndWithdrawal, SwappedDeposit } from './combination.ts';

/**
 * Deposits into one reserve and withdraws from another one in one instruction, which the program allows as long as the
 * loan-to-value does not rise: also above the maximum LTV, where it refuses every other withdrawal. The wallet's token
 * accounts must exist.
 *
 * @throws KLEND_POSITION_NOT_FOUND
 * @example
 * const done = swappedDeposit(halves, { deposit: 1_000_000n, withdraw: 'all' }, moment);
 * buildDepositAndWithdraw(halves, done);
 */
export function buildDepositAndWithdraw(
  { deposit, withdraw }: DepositAndWithdrawal,
  done: SwappedDeposit,
): BuiltInstruction[] {
  withdrawnDeposit(withdraw);
  const { request, reserve } = deposit;
  const { amounts } = done;
  const deposited = { ...deposit, obligation: done.deposit.outcome.effect.obligation };
  return [
    // Referrer states are those of the obligation, the same on both sides.
    ...obligationSetup(deposit),
    ...obligationSetup({ ...withdraw, referrerStates: [] }),
    ...lendingRefresh(deposit),
    instruction(
      depositAndWithdraw,
      request.programs.klend,
      {
        owner: request.wallet,
        obligation: deposit.obligationAddress,
        lendingMarket: request.market,
        lendingMarketAuthority: deposit.marketAuthority,
        reserve: request.reserve,
        reserveLiquidityMint: reserve.liquidity.mintPubkey,
        reserveLiquiditySupply: reserve.liquidity.supplyVault,
        reserveCollateralMint: reserve.collateral.mintPubkey,
        reserveDestinationDepositCollateral: reserve.collateral.supplyVault,
        userSourceLiquidity: deposit.token.address,
        placeholderUserDestinationCollateral: null,
        collateralTokenProgram: TOKEN_PROGRAM,
        liquidityTokenProgram: deposit.tokenProgram,
        instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
        ...withdrawnHalf(withdraw),
        depositObligationFarmUserState: deposit.farm?.user ?? null,
        depositReserveFarmState: deposit.farm?.farm ?? null,
        withdrawObligationFarmUserState: withdraw.farm?.user ?? null,
        withdrawReserveFarmState: withdraw.farm?.farm ?? null,
        farmsProgram: request.programs.farms,
      },
      {
        liquidityAmount: amounts.deposit,
        withdrawCollateralAmount: withdrawnCollateral(done.withdraw, amounts.withdraw),
      },
      {
        summary: `Deposit ${inWords(amounts.deposit, deposit)} as collateral and withdraw ${inWords(amounts.withdraw, withdraw)} of the deposit`,
        // The program refreshes the obligation after the deposit, with a new one in its slot.
        remaining: [
          ...positionAccounts(deposited, AccountRole.WRITABLE),
          ...permissionAccounts(permissionOf(deposit)),
        ],
      },
    ),
  ];
}
