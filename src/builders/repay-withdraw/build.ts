import { repayAndWithdraw } from '@sluice/protocol/klend/position-instructions';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { INSTRUCTIONS_SYSVAR } from '@sluice/protocol/program-ids';
import { AccountRole } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import {
  type ActionOptions,
  type BuiltAction,
  type BuiltInstruction,
  instruction,
} from '../built-instruction.ts';
import type { LendingAccounts } from '../lending/accounts.ts';
import { lendingRefresh, positionAccounts } from '../lending/refresh.ts';
import { lamportsToRepay, repaidDebt } from '../lending/repay.ts';
import { obligationSetup } from '../lending/setup.ts';
import { inWords } from '../lending/terms.ts';
import { withdrawnDeposit } from '../lending/withdraw.ts';
import { withdrawnCollateral, withdrawnHalf } from '../lending/withdrawn-half.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol, wrapSol } from '../token-instructions.ts';
import type { BothHalves, Combination } from './combination.ts';

/** Throws KLEND_POSITION_NOT_FOUND unless there are the debt and the deposit. */
export function checkPositions({ repay, withdraw }: BothHalves): void {
  repaidDebt(repay);
  withdrawnDeposit(withdraw);
}

/**
 * Repays a debt and withdraws collateral in one instruction, which the program allows as long as the loan-to-value does not
 * rise: also above the maximum LTV, where it refuses every other withdrawal.
 *
 * @example
 * const halves = repayWithdrawAccounts(request, read, at);
 * const done = combination(halves, { repay: 250_000_000n, withdraw: 1_000_000_000n }, moment);
 * buildRepayAndWithdraw(halves, done, moment);
 */
export function buildRepayAndWithdraw(
  halves: BothHalves,
  done: Combination,
  moment: Moment,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const { repay, withdraw } = halves;
  const { amounts, repay: repaid } = done;
  const { wallet } = repay.request;
  const sol = [withdraw, repay].find(({ isSol }) => isSol);
  const closes =
    (withdraw.isSol && closesWrappedSol('in', withdraw.token, unwrap)) ||
    (repay.isSol && closesWrappedSol('out', repay.token, unwrap));
  const wrapped = repay.isSol ? wrapSol(wallet, repay.token.address, lamportsToWrap(done, moment)) : [];
  return {
    amount: repaid.outcome.amount,
    all: amounts.repay === 'all',
    wrappedSol: sol === undefined ? null : closes ? 'closed' : 'open',
    instructions: [
      ...tokenAccounts(halves),
      // Referrer states are those of the obligation, the same on both sides.
      ...obligationSetup(repay),
      ...obligationSetup({ ...withdraw, referrerStates: [] }),
      ...wrapped,
      ...lendingRefresh(repay),
      combined(halves, done),
      ...(sol !== undefined && closes ? [unwrapSol(wallet, sol.token.address)] : []),
    ],
  };
}

/** SOL for the repayment. */
export const lamportsToWrap = ({ amounts, repay }: Combination, moment: Moment): bigint =>
  lamportsToRepay(repay.accounts, amounts.repay, moment);

function tokenAccounts({ repay, withdraw }: BothHalves): BuiltInstruction[] {
  const open = ({ request, payer, token, reserve, tokenProgram, symbol }: LendingAccounts) =>
    createTokenAccount(
      { wallet: request.wallet, payer },
      token.address,
      reserve.liquidity.mintPubkey,
      tokenProgram,
      symbol,
    );
  const isSame = repay.token.address === withdraw.token.address;
  return [...(repay.isSol && !isSame ? [open(repay)] : []), open(withdraw)];
}

function combined({ repay, withdraw }: BothHalves, done: Combination): BuiltInstruction {
  const { request, obligationAddress: obligation } = repay;
  const { amounts } = done;
  const words = `Repay ${inWords(amounts.repay, repay)} and withdraw ${inWords(amounts.withdraw, withdraw)} of the deposit`;
  return instruction(
    repayAndWithdraw,
    request.programs.klend,
    {
      owner: request.wallet,
      obligation,
      lendingMarket: request.market,
      repayReserve: request.reserve,
      reserveLiquidityMint: repay.reserve.liquidity.mintPubkey,
      reserveDestinationLiquidity: repay.reserve.liquidity.supplyVault,
      userSourceLiquidity: repay.token.address,
      tokenProgram: repay.tokenProgram,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      ...withdrawnHalf(withdraw),
      collateralObligationFarmUserState: withdraw.farm?.user ?? null,
      collateralReserveFarmState: withdraw.farm?.farm ?? null,
      debtObligationFarmUserState: repay.farm?.user ?? null,
      debtReserveFarmState: repay.farm?.farm ?? null,
      farmsProgram: request.programs.farms,
    },
    {
      repayAmount: amounts.repay === 'all' ? U64_MAX : amounts.repay,
      withdrawCollateralAmount: withdrawnCollateral(done.withdraw, amounts.withdraw),
    },
    { summary: words, remaining: positionAccounts(repay, AccountRole.WRITABLE) },
  );
}
