import { type Amount, type AmountInput, toBaseUnits } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { inTokens, type LeverageAccounts } from './accounts.ts';
import { insideLoan, type LeverageBuild, loanOf } from './build.ts';
import { type FlashLoan, feeOf } from './flash-loan.ts';
import { loanToRepay, repaymentOf } from './repay-loan.ts';
import { LeverageSequence } from './sequence.ts';
import { swapRefused } from './swap-leg.ts';
import { type SwapNeed, swapNeed } from './swap-need.ts';
import { addSwap, closeWrappedSol, openTokenAccounts } from './wallet.ts';

/** Amounts of a repayment with collateral. */
export interface UnwindAmounts {
  /** Debt tokens to repay; "all" is the whole debt. */
  readonly repay: AmountInput;
  /** Whether a full repayment also withdraws all of the collateral, which closes a position of one deposit. */
  readonly closes: boolean;
}

/**
 * Repays a debt with collateral: a flash loan of the debt token, the repayment, a withdrawal of the collateral that the swap
 * spends, the caller's swap into the debt token, and the repayment of the flash loan out of the swap's minimum. What the
 * swap pays beyond it stays in the wallet. Above the maximum LTV, one instruction repays and withdraws.
 *
 * @example
 * buildRepayWithCollateral(accounts, { repay: { all: true }, closes: true }, read);
 */
export function buildRepayWithCollateral(
  accounts: LeverageAccounts,
  { repay: input, closes }: UnwindAmounts,
  read: ReadAccounts,
  options: ActionOptions = {},
): LeverageBuild {
  const { request, at, collateral, debt } = accounts;
  const { swap } = request;
  const asked = toBaseUnits(input, { decimals: debt.decimals, maxMeansAll: true });
  const exits = closes && asked === 'all';
  const loan = loanOf(accounts, debt, amountToLend(accounts, asked));
  checkRepaid(loan);

  const sequence = new LeverageSequence(request, read, at);
  openTokenAccounts(sequence, accounts);
  const trade = insideLoan(sequence, loan, at.moment, () => {
    sequence.repayAndWithdraw({ repay: asked, withdraw: exits ? 'all' : spentBy(accounts) });
    const withdrawn = sequence.moved('withdraw');
    const spent = swap.inAmount ?? withdrawn;
    checkWithdrawn(accounts, withdrawn, spent);
    const traded = { sold: collateral, bought: debt, spent, minOut: swap.minOut };
    addSwap(sequence, accounts, traded);
    return traded;
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
    wallet: () => [
      sequence.moved('withdraw') - trade.spent,
      swap.minOut - sequence.moved('repay') - feeOf(loan),
    ],
  };
}

/** The flash loan and its fee are bought. */
export function repayWithCollateralNeed(accounts: LeverageAccounts, { repay }: UnwindAmounts): SwapNeed {
  const { collateral, debt } = accounts;
  const asked = toBaseUnits(repay, { decimals: debt.decimals, maxMeansAll: true });
  const loan = loanOf(accounts, debt, amountToLend(accounts, asked));
  return swapNeed(accounts, collateral, debt, { receive: loan.amount + feeOf(loan) });
}

function checkWithdrawn({ collateral }: LeverageAccounts, withdrawn: bigint, spent: bigint): void {
  if (spent <= withdrawn) return;
  const reason = `it spends ${inTokens(collateral, spent)}, but only ${inTokens(collateral, withdrawn)} can be withdrawn; lower inAmount`;
  throw swapRefused(reason);
}

function spentBy({ request }: LeverageAccounts): bigint {
  if (request.swap.inAmount !== null) return request.swap.inAmount;
  throw swapRefused('inAmount is missing; it says how much collateral to withdraw for the swap');
}

/**
 * The flash loan: what the wallet pays to repay the debt, with the penalty of an early repayment. For the whole debt with
 * interest for some time, so that the loan still covers it when the transaction lands.
 */
function amountToLend(accounts: LeverageAccounts, asked: Amount): bigint {
  const { accrued, owed, repaid, settledSf } = repaymentOf(accounts, accounts.debt, asked);
  return loanToRepay(accrued, owed, repaid, settledSf);
}

/** Checks that the minimum out returns the loan and its fee, even if the repayment uses only a part of the loan. */
function checkRepaid(loan: FlashLoan): void {
  const { side, amount, request } = loan;
  const { minOut } = request.swap;
  const needed = amount + feeOf(loan);
  if (minOut >= needed) return;
  const reason = `its minimum out is ${inTokens(side, minOut)}, but ${inTokens(side, needed)} (${needed} base units) repays the flash loan; spend more collateral, or repay less`;
  throw swapRefused(reason);
}
