import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { type AmountInput, toBaseUnits } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import { inTokens } from '../leverage/accounts.ts';
import { insideLoan, type LoanBuild, loanOf } from '../leverage/build.ts';
import { feeOf } from '../leverage/flash-loan.ts';
import { paymentOf, repaymentOf } from '../leverage/repay-loan.ts';
import { LeverageSequence } from '../leverage/sequence.ts';
import { swapRefused } from '../leverage/swap-leg.ts';
import { type SwapNeed, swapNeed } from '../leverage/swap-need.ts';
import { addSwap, closeWrappedSol, openTokenAccounts } from '../leverage/wallet.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { checkSeeds, type PositionSwapAccounts } from './accounts.ts';

/**
 * Moves a debt to another reserve: a flash loan of the new token, the caller's swap into the old one, the repayment out of
 * the swap's minimum, and a borrow that repays the flash loan and its fee. The repayment comes before the borrow, so the
 * obligation is never less healthy than at the end. What the swap pays beyond the repayment stays in the wallet.
 *
 * @param amount old debt to repay
 * @example
 * buildSwapDebt(accounts, { all: true }, read);
 */
export function buildSwapDebt(
  accounts: PositionSwapAccounts,
  amount: AmountInput,
  read: ReadAccounts,
  options: ActionOptions = {},
): LoanBuild {
  const { request, at, old, new: to } = accounts;
  const { swap } = request;
  checkSeeds(accounts, 'debt');
  const asked = toBaseUnits(amount, { decimals: old.decimals, maxMeansAll: true });
  if (swap.inAmount === null) {
    throw swapRefused('inAmount is missing; it says how much of the new debt to borrow for the swap');
  }
  checkPays(accounts, paymentOf(repaymentOf(accounts, old, asked)));
  const loan = loanOf(accounts, to, swap.inAmount);
  const borrowed = loan.amount + feeOf(loan);
  if (borrowed >= U64_MAX) throw swapRefused('inAmount and the fee of the flash loan must fit into 64 bits');
  const trade = { sold: to, bought: old, spent: loan.amount, minOut: swap.minOut };

  const sequence = new LeverageSequence(request, read, at);
  openTokenAccounts(sequence, accounts);
  insideLoan(sequence, loan, at.moment, () => {
    addSwap(sequence, accounts, trade);
    sequence.act('repay', asked);
    sequence.act('borrow', borrowed);
  });
  const wrappedSol = closeWrappedSol(sequence, accounts, options);
  return {
    accounts,
    sequence,
    loan,
    amount: sequence.moved('repay') - (sequence.outcome('repay')?.effect.penalty ?? 0n),
    all: asked === 'all',
    wrappedSol,
    trade,
    wallet: () => [swap.minOut - sequence.moved('repay'), sequence.moved('borrow') - borrowed],
  };
}

/** What repays the debt is bought. */
export function swapDebtNeed(accounts: PositionSwapAccounts, amount: AmountInput): SwapNeed {
  const { old, new: to } = accounts;
  checkSeeds(accounts, 'debt');
  const asked = toBaseUnits(amount, { decimals: old.decimals, maxMeansAll: true });
  return swapNeed(accounts, to, old, { receive: paymentOf(repaymentOf(accounts, old, asked)) });
}

/** Checks that the minimum out pays the repayment, its penalty and the interest until it lands. */
function checkPays({ request, old }: PositionSwapAccounts, needed: bigint): void {
  const { minOut } = request.swap;
  if (minOut >= needed) return;
  const reason = `its minimum out is ${inTokens(old, minOut)}, but ${inTokens(old, needed)} (${needed} base units) repays the debt; spend more of the new token, or repay less`;
  throw swapRefused(reason);
}
