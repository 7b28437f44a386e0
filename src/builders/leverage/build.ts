import type { Instant } from '../../domain/moment.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { reserveAt } from '../lending/request.ts';
import type { LeverageAccounts, LoanAccounts, LoanSide } from './accounts.ts';
import { changeByFlashLoan, type FlashLoan, flashLoanInstructions } from './flash-loan.ts';
import type { LeverageSequence } from './sequence.ts';
import type { Trade } from './wallet.ts';

/** A built action around a flash loan. */
export interface LoanBuild extends Omit<BuiltAction, 'instructions'> {
  readonly accounts: LoanAccounts;
  readonly sequence: LeverageSequence;
  readonly loan: FlashLoan;
  readonly trade: Trade;
  /** Gain or payment of the wallet when the swap pays its minimum, in base units of the token of each side. */
  readonly wallet: () => readonly [bigint, bigint];
}

/** One on a deposit and a debt. */
export interface LeverageBuild extends LoanBuild {
  readonly accounts: LeverageAccounts;
}

/** A flash loan of the token of one side to the wallet. */
export function loanOf({ request, lending }: LoanAccounts, side: LoanSide, amount: bigint): FlashLoan {
  return { request, market: lending.market, side, amount };
}

/** Adds what runs between the two ends of a flash loan, and both ends. */
export function insideLoan<T>(sequence: LeverageSequence, loan: FlashLoan, at: Instant, inside: () => T): T {
  const { borrow, repay } = flashLoanInstructions(loan);
  const add = (instruction: typeof borrow, direction: 1n | -1n) => {
    const { address } = loan.side;
    const reserve = reserveAt(sequence.read, address, loan.request.programs.klend);
    sequence.add([instruction], (changes) => changeByFlashLoan(changes, loan, reserve, at, direction), [
      address,
    ]);
  };
  add(borrow, 1n);
  const result = inside();
  add(repay, -1n);
  return result;
}
