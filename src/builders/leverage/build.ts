import type { BuiltAction } from '../built-instruction.ts';
import { reserveAt } from '../lending/request.ts';
import type { LeverageAccounts } from './accounts.ts';
import { changeByFlashLoan, type FlashLoan, flashLoanInstructions } from './flash-loan.ts';
import type { LeverageSequence } from './sequence.ts';

/** A built action around a flash loan. */
export interface LeverageBuild extends Omit<BuiltAction, 'instructions'> {
  readonly accounts: LeverageAccounts;
  readonly sequence: LeverageSequence;
  readonly loan: FlashLoan;
  /** Base units that the swap spends. */
  readonly spent: bigint;
  /** What the wallet gains or pays when the swap pays its minimum, base units of each token. */
  readonly wallet: () => { readonly collateral: bigint; readonly debt: bigint };
}

/** A flash loan of the debt token to the wallet. */
export function loanOf({ request, lending, debt }: LeverageAccounts, amount: bigint): FlashLoan {
  return {
    programs: request.programs,
    wallet: request.wallet,
    marketAddress: request.market,
    market: lending.market,
    reserveAddress: debt.address,
    reserve: debt.reserve,
    tokenAccount: debt.token.address,
    amount,
  };
}

/** Adds what runs between the two ends of a flash loan, and both ends. */
export function insideLoan(
  sequence: LeverageSequence,
  loan: FlashLoan,
  slot: bigint,
  inside: () => void,
): void {
  const { borrow, repay } = flashLoanInstructions(loan);
  const add = (instruction: typeof borrow, direction: 1n | -1n) => {
    const reserve = reserveAt(sequence.read, loan.reserveAddress, loan.programs.klend);
    sequence.add([instruction], (changes) => changeByFlashLoan(changes, loan, reserve, slot, direction), [
      loan.reserveAddress,
    ]);
  };
  add(borrow, 1n);
  inside();
  add(repay, -1n);
}
