import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import { largestFlashLoan } from '../../domain/flash-loan.ts';
import { type AmountInput, toBaseUnits } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import { lendingAccounts } from '../lending/accounts.ts';
import { withdrawEffect } from '../lending/effects.ts';
import { lendingStart } from '../lending/preview.ts';
import { collateralFor } from '../lending/terms.ts';
import { withdrawnDeposit } from '../lending/withdraw.ts';
import { inTokens } from '../leverage/accounts.ts';
import { insideLoan, type LoanBuild, loanOf } from '../leverage/build.ts';
import { type FlashLoan, feeOf } from '../leverage/flash-loan.ts';
import { lendingPart } from '../leverage/request.ts';
import { LeverageSequence } from '../leverage/sequence.ts';
import { swapRefused } from '../leverage/swap-leg.ts';
import { type SwapNeed, swapNeed } from '../leverage/swap-need.ts';
import { addSwap, closeWrappedSol, openTokenAccounts } from '../leverage/wallet.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { checkSeeds, type PositionSwapAccounts } from './accounts.ts';

/**
 * Moves collateral to another reserve: a flash loan of the new token, its deposit, the withdrawal of the old token, the
 * caller's swap into the new one, and the repayment of the flash loan out of the swap's minimum. The deposit comes before
 * the withdrawal, so the debt is secured throughout; above the maximum LTV, one instruction does both. What the swap pays
 * beyond its minimum stays in the wallet.
 *
 * @param amount old collateral to withdraw
 * @example
 * buildSwapCollateral(accounts, { tokens: parseDecimal('2') }, read);
 */
export function buildSwapCollateral(
  accounts: PositionSwapAccounts,
  amount: AmountInput,
  read: ReadAccounts,
  options: ActionOptions = {},
): LoanBuild {
  const { request, at, old, new: to } = accounts;
  const { swap } = request;
  checkSeeds(accounts, 'collateral');
  const asked = toBaseUnits(amount, { decimals: old.decimals, maxMeansAll: true });
  const loan = loanRepaidBy(accounts);

  const sequence = new LeverageSequence(request, read, at);
  openTokenAccounts(sequence, accounts);
  const trade = insideLoan(sequence, loan, at.moment, () => {
    sequence.depositAndWithdraw({ deposit: loan.amount, withdraw: asked }, swap.inAmount);
    const withdrawn = sequence.moved('withdraw');
    const spent = swap.inAmount ?? withdrawn;
    checkWithdrawn(accounts, withdrawn, spent);
    const traded = { sold: old, bought: to, spent, minOut: swap.minOut };
    addSwap(sequence, accounts, traded);
    return traded;
  });
  const wrappedSol = closeWrappedSol(sequence, accounts, options);
  return {
    accounts,
    sequence,
    loan,
    amount: sequence.moved('withdraw'),
    all: asked === 'all',
    wrappedSol,
    trade,
    wallet: () => [
      sequence.moved('withdraw') - trade.spent,
      swap.minOut - sequence.moved('deposit') - feeOf(loan),
    ],
  };
}

/**
 * What is withdrawn is swapped; of all the whole deposit, since the new one secures the debts. Of an amount no more than that: it is rounded up to whole collateral tokens, whose value then
 * falls short of itself some slots later.
 */
export function swapCollateralNeed(
  accounts: PositionSwapAccounts,
  amount: AmountInput,
  read: ReadAccounts,
): SwapNeed {
  const { request, at, old, new: to } = accounts;
  checkSeeds(accounts, 'collateral');
  const asked = toBaseUnits(amount, { decimals: old.decimals, maxMeansAll: true });
  const withdraw = lendingAccounts(lendingPart(request, 'withdraw'), read, at.slot, at.payer, at.fresh);
  withdrawnDeposit(withdraw);
  const { before } = lendingStart(withdraw, at.moment);
  const collateral = asked === 'all' ? U64_MAX : collateralFor(before.reserve, asked);
  const withdrawn = withdrawEffect(withdraw, collateral, at.moment).moved;
  return swapNeed(accounts, old, to, { spend: asked === 'all' ? withdrawn : lesser(withdrawn, asked) });
}

/** The largest flash loan that the minimum out repays, which is what is deposited. */
function loanRepaidBy(accounts: PositionSwapAccounts): FlashLoan {
  const { request, new: to } = accounts;
  const amount = largestFlashLoan(to.reserve, request.swap.minOut);
  if (amount > 0n) return loanOf(accounts, to, amount);
  throw swapRefused('its minimum out does not even pay the fee of a flash loan; swap more');
}

function checkWithdrawn({ old }: PositionSwapAccounts, withdrawn: bigint, spent: bigint): void {
  if (spent <= withdrawn) return;
  const reason = `it spends ${inTokens(old, spent)}, but only ${inTokens(old, withdrawn)} is withdrawn; lower inAmount`;
  throw swapRefused(reason);
}
