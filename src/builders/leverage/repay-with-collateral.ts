import { debtGrowth } from '../../domain/interest.ts';
import { activeBorrows, debtAmount } from '../../domain/obligation.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type AmountInput, toBaseUnits } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { inTokens, type LeverageAccounts } from './accounts.ts';
import { insideLoan, type LeverageBuild, loanOf } from './build.ts';
import { type FlashLoan, feeOf } from './flash-loan.ts';
import { LeverageSequence } from './sequence.ts';
import { swapRefused } from './swap-leg.ts';
import { addSwap, closeWrappedSol, openTokenAccounts } from './wallet.ts';

/** Slots of interest that a full repayment covers: about twenty minutes. The excess returns with the loan. */
const MARGIN_SLOTS = 3_000n;

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
 * swap pays beyond it stays in the wallet.
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
  const loan = loanOf(accounts, asked === 'all' ? debtSoon(accounts) : asked);
  checkRepaid(loan);

  const sequence = new LeverageSequence(request, read, at);
  openTokenAccounts(sequence, accounts, 0n);
  const trade = insideLoan(sequence, loan, at.moment.slot, () => {
    sequence.act('repay', asked);
    sequence.act('withdraw', exits ? 'all' : spentBy(accounts));
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
    amount: sequence.moved('repay'),
    all: asked === 'all',
    wrappedSol,
    trade,
    wallet: () => ({
      collateral: sequence.moved('withdraw') - trade.spent,
      debt: swap.minOut - sequence.moved('repay') - feeOf(loan),
    }),
  };
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

/** The whole debt with interest for some time, so that the loan still covers it when the transaction lands. */
function debtSoon({ lending, debt, at }: LeverageAccounts): bigint {
  const owed =
    lending.obligation &&
    activeBorrows(lending.obligation).find(({ borrowReserve }) => borrowReserve === debt.address);
  if (!owed) {
    const context = { obligation: lending.obligationAddress, reserve: debt.address, side: 'debt' } as const;
    throw new SluiceError('KLEND_POSITION_NOT_FOUND', context);
  }
  const accrued = refreshReserve(debt.reserve, at.moment.slot, lending.market.referralFeeBps);
  return debtAmount(owed, accrued).mul(debtGrowth(accrued, MARGIN_SLOTS)).ceil() + 1n;
}

/** The minimum out must return the loan and its fee, whatever of it the repayment uses. */
function checkRepaid(loan: FlashLoan): void {
  const { debt, amount, request } = loan;
  const { minOut } = request.swap;
  const needed = amount + feeOf(loan);
  if (minOut >= needed) return;
  const reason = `its minimum out is ${inTokens(debt, minOut)}, but ${inTokens(debt, needed)} (${needed} base units) repays the flash loan; spend more collateral, or repay less`;
  throw swapRefused(reason);
}
