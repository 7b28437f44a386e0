import { largestFlashLoan } from '../../domain/flash-loan.ts';
import { type AmountInput, toBaseUnits } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import { wholeBalance } from '../lending/terms.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { inTokens, type LeverageAccounts } from './accounts.ts';
import { insideLoan, type LeverageBuild, loanOf } from './build.ts';
import { type FlashLoan, feeOf } from './flash-loan.ts';
import { refused } from './request.ts';
import { LeverageSequence } from './sequence.ts';
import { swapRefused } from './swap-leg.ts';
import { type SwapNeed, swapNeed } from './swap-need.ts';
import { addSwap, closeWrappedSol, openTokenAccounts, wrapOwnSol } from './wallet.ts';

/** Amounts of a leveraged deposit. */
export interface MultiplyAmounts {
  /** Collateral tokens of the wallet; null for none. */
  readonly deposit: AmountInput | null;
  /** Debt tokens to borrow, which repay the flash loan. */
  readonly borrow: AmountInput;
}

/**
 * Deposits borrowed money with the wallet's own: a flash loan of the debt token, the caller's swap into the collateral
 * token, a deposit of the wallet's own part and the swap's minimum, a borrow, and the repayment of the flash loan. What the
 * swap pays beyond its minimum stays in the wallet, because the deposit is an amount that is fixed before.
 *
 * @example
 * buildMultiply(accounts, { deposit: null, borrow: { tokens: parseDecimal('150') } }, read);
 */
export function buildMultiply(
  accounts: LeverageAccounts,
  amounts: MultiplyAmounts,
  read: ReadAccounts,
  options: ActionOptions = {},
): LeverageBuild {
  const { request, at, collateral, debt } = accounts;
  const own = ownCollateral(accounts, amounts.deposit);
  const borrowed = borrowedUnits(accounts, amounts);
  const loan = loanOf(accounts, debt, request.swap.inAmount ?? loanRepaidBy(accounts, borrowed));
  checkRepaid(loan, borrowed);
  const { minOut } = request.swap;
  const trade = { sold: debt, bought: collateral, spent: loan.amount, minOut };

  const sequence = new LeverageSequence(request, read, at);
  openTokenAccounts(sequence, accounts);
  wrapOwnSol(sequence, accounts, collateral, own);
  insideLoan(sequence, loan, at.moment, () => {
    addSwap(sequence, accounts, trade);
    sequence.act('deposit', own + minOut);
    sequence.act('borrow', borrowed);
  });
  const wrappedSol = closeWrappedSol(sequence, accounts, options);
  return {
    accounts,
    sequence,
    loan,
    amount: borrowed,
    all: false,
    wrappedSol,
    trade,
    wallet: () => [minOut - sequence.moved('deposit'), sequence.moved('borrow') - loan.amount - feeOf(loan)],
  };
}

/** The largest flash loan that the borrow repays is swapped. */
export function multiplyNeed(accounts: LeverageAccounts, amounts: MultiplyAmounts): SwapNeed {
  const { collateral, debt } = accounts;
  ownCollateral(accounts, amounts.deposit);
  const spend = loanRepaidBy(accounts, borrowedUnits(accounts, amounts));
  return swapNeed(accounts, debt, collateral, { spend });
}

function borrowedUnits({ debt }: LeverageAccounts, { borrow }: MultiplyAmounts): bigint {
  const borrowed = toBaseUnits(borrow, { decimals: debt.decimals, maxMeansAll: false });
  if (borrowed === 'all') throw refused('`borrow` must be an amount, because the swap depends on it');
  return borrowed;
}

function ownCollateral({ lending, collateral }: LeverageAccounts, input: AmountInput | null): bigint {
  if (input === null) return 0n;
  const { token, isSol, symbol, decimals } = collateral;
  const asked = toBaseUnits(input, { decimals, maxMeansAll: false });
  if (asked !== 'all') return asked;
  return wholeBalance(token.account?.amount ?? 0n, isSol, lending.walletLamports, symbol);
}

/** The largest flash loan that the borrow repays. */
function loanRepaidBy({ debt }: LeverageAccounts, borrowed: bigint): bigint {
  const loan = largestFlashLoan(debt.reserve, borrowed);
  if (loan <= 0n) throw refused('the borrow does not even pay the fee of a flash loan; raise it');
  return loan;
}

function checkRepaid(loan: FlashLoan, borrowed: bigint): void {
  const { side, amount } = loan;
  const needed = amount + feeOf(loan);
  if (borrowed >= needed) return;
  const reason = `the flash loan for it costs ${inTokens(side, needed)} to repay, but only ${inTokens(side, borrowed)} is borrowed; borrow at least that, or lower inAmount`;
  throw swapRefused(reason);
}
