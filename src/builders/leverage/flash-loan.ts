import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { flashBorrow, flashRepay } from '@sluice/protocol/klend/flash-instructions';
import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { type Reserve, reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { integer } from '@sluice/protocol/numeric/rational';
import { INSTRUCTIONS_SYSVAR } from '@sluice/protocol/program-ids';
import { flashLoanFee, givesFlashLoans } from '../../domain/flash-loan.ts';
import type { Instant } from '../../domain/moment.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { isInEmergency, reserveStatus } from '../../domain/reserve.ts';
import type { ChangedAccounts } from '../account-changes.ts';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';
import { refreshedAccount } from '../lending/effects.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { inTokens, type LoanSide } from './accounts.ts';
import type { LoanRequest } from './request.ts';

/** A loan of one of the two tokens that the same transaction repays. */
export interface FlashLoan {
  readonly request: LoanRequest;
  readonly market: LendingMarket;
  /** Its reserve lends; the wallet's account receives the loan and repays it. */
  readonly side: LoanSide;
  /** Base units. */
  readonly amount: bigint;
}

/** Base units on top of the loan. */
export const feeOf = ({ side, amount }: FlashLoan): bigint => flashLoanFee(side.reserve, amount);

/** Whether an instruction takes a flash loan. The program refuses a second one in the same transaction. */
export const isFlashBorrow = ({ name }: BuiltInstruction): boolean => name === flashBorrow.name;

/** Both instructions. The repayment names the borrow by its position in the transaction. */
export function flashLoanInstructions(loan: FlashLoan): {
  readonly borrow: BuiltInstruction;
  readonly repay: BuiltInstruction;
} {
  const { request, side, amount } = loan;
  const { klend } = request.programs;
  const { liquidity } = side.reserve;
  // Names no referrer: the fee is the same, and the referrer of the obligation earns from the borrow.
  const accounts = {
    userTransferAuthority: request.wallet,
    lendingMarketAuthority: marketAuthority(klend, request.market).address,
    lendingMarket: request.market,
    reserve: side.address,
    reserveLiquidityMint: side.mint,
    reserveLiquiditySupply: liquidity.supplyVault,
    userLiquidity: side.token.address,
    reserveLiquidityFeeReceiver: liquidity.feeVault,
    referrerTokenState: null,
    referrerAccount: null,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    tokenProgram: side.tokenProgram,
  };
  const mark = Symbol('flash borrow');
  const repayArgs = (borrowInstructionIndex: number) => ({ liquidityAmount: amount, borrowInstructionIndex });
  const [loaned, fee] = [inTokens(side, amount), inTokens(side, feeOf(loan))];
  const borrow = instruction(
    flashBorrow,
    klend,
    accounts,
    { liquidityAmount: amount },
    { summary: `Take a flash loan of ${loaned}` },
  );
  const repay = instruction(flashRepay, klend, accounts, repayArgs(0), {
    summary: `Repay the flash loan of ${loaned} and its fee of ${fee}`,
  });
  const data = (position: number) => flashRepay.encode(klend, accounts, repayArgs(position)).data;
  return { borrow: { ...borrow, mark }, repay: { ...repay, names: { mark, data } } };
}

/** Applies taking the loan (+1) or repaying it (-1) to the reserve and the wallet's account. */
export function changeByFlashLoan(
  changes: ChangedAccounts,
  loan: FlashLoan,
  reserve: Reserve,
  at: Instant,
  direction: 1n | -1n,
): void {
  const lent = loan.amount * direction;
  const accrued = refreshReserve(reserve, at, loan.market);
  const { lastUpdate, liquidity } = refreshedAccount(accrued, { available: -lent, borrowed: integer(lent) });
  changes.patch(loan.side.address, reserveLayout, {
    lastUpdate: { slot: lastUpdate.slot, timestamp: lastUpdate.timestamp, stale: 1 },
    liquidity,
  });
  changes.addTokens(loan.side.token.address, direction === 1n ? lent : lent - feeOf(loan));
}

/** Why the program would reject the loan. */
export function flashLoanWarnings(loan: FlashLoan): BuildWarning[] {
  const { side, amount } = loan;
  const { reserve, symbol } = side;
  if (!givesFlashLoans(reserve)) {
    return [warning('BORROW_NOT_ALLOWED', `The ${symbol} reserve gives no flash loans.`)];
  }
  const warnings: BuildWarning[] = [];
  if (isInEmergency(reserve)) {
    const message = `The ${symbol} reserve is in emergency mode and gives no flash loans.`;
    warnings.push(warning('BORROW_NOT_ALLOWED', message));
  }
  if (reserveStatus(reserve) === 'OBSOLETE') {
    warnings.push(warning('BORROW_NOT_ALLOWED', `The ${symbol} reserve is obsolete.`));
  }
  const { totalAvailableAmount: available } = reserve.liquidity;
  if (amount > available) {
    const message = `The reserve can lend only ${inTokens(side, available)} for the flash loan. Lower the amount, or wait for repayments.`;
    warnings.push(warning('LIQUIDITY_TOO_LOW', message));
  }
  if (feeOf(loan) >= amount) {
    warnings.push(warning('AMOUNT_BELOW_MINIMUM', 'The flash loan is not larger than its fee. Raise it.'));
  }
  return warnings;
}
