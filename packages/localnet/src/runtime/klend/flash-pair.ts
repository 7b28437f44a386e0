import { flashBorrow, flashRepay } from '@sluice/protocol/klend/flash-instructions';
import { viewOf } from '@sluice/protocol/layout/account';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { aborted, ensure } from '../anchor.ts';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { LENDING } from './lending-errors.ts';

/** Checks of the two instructions of a flash loan on each other and on their transaction. */

const { klend } = MAINNET_PROGRAMS;
/** Position of the reserve among the accounts of both. */
const RESERVE = 3;

type Flash = typeof flashBorrow | typeof flashRepay;

/** A borrow needs one matching repayment later in the transaction, and no second borrow. */
export function checkFlashBorrow(invocation: Invocation, amount: bigint): void {
  const { instructions, index } = invocation.transaction;
  checkNotCalled(invocation, LENDING.flashBorrowCpi);
  const borrow = instructions[index];
  let isRepaid = false;
  for (const each of instructions.slice(index + 1)) {
    if (each.programAddress !== klend) continue;
    ensure(!isCall(each, flashBorrow), LENDING.multipleFlashBorrows);
    if (!isCall(each, flashRepay)) continue;
    ensure(!isRepaid, LENDING.multipleFlashBorrows);
    const args = repaymentOf(each);
    const matches =
      args.liquidityAmount === amount &&
      args.borrowInstructionIndex === index &&
      hasSameAccounts(borrow, each);
    ensure(matches, LENDING.invalidFlashRepay);
    isRepaid = true;
  }
  ensure(isRepaid, LENDING.noFlashRepayFound);
}

/** A repayment names the borrow: an earlier instruction of the program on the same reserve, for the same amount. */
export function checkFlashRepay(
  invocation: Invocation,
  { amount, borrowIndex, reserve }: { amount: bigint; borrowIndex: number; reserve: string },
): void {
  const { instructions, index } = invocation.transaction;
  checkNotCalled(invocation, LENDING.flashRepayCpi);
  const borrow = borrowIndex > index ? undefined : instructions[borrowIndex];
  ensure(borrow !== undefined && borrow.programAddress === klend, LENDING.invalidFlashRepay);
  ensure(isCall(borrow, flashBorrow), LENDING.invalidFlashRepay);
  if (borrow.data.length < 16) throw aborted();
  const { liquidityAmount } = flashBorrow.args.read(viewOf(borrow.data), 8);
  const account = borrow.accounts[RESERVE];
  if (account === undefined) throw aborted();
  ensure(account.address === reserve, LENDING.invalidFlashRepay);
  ensure(liquidityAmount === amount, LENDING.invalidFlashRepay);
}

/** Both must be instructions of the transaction itself; not even programs that may call other actions may call these. */
function checkNotCalled({ transaction, stackHeight }: Invocation, code: number): void {
  const outer = transaction.instructions[transaction.index]?.programAddress;
  ensure(outer === klend && stackHeight === 1, code);
}

function isCall({ data }: EncodedInstruction, { discriminator }: Flash): boolean {
  if (data.length < discriminator.length) throw aborted();
  return discriminator.every((byte, i) => data[i] === byte);
}

function repaymentOf({ data }: EncodedInstruction) {
  const { discriminator, args } = flashRepay;
  if (data.length !== discriminator.length + args.size) throw new InstructionError('BorshIoError');
  return args.read(viewOf(data), discriminator.length);
}

function hasSameAccounts(borrow: EncodedInstruction | undefined, repay: EncodedInstruction): boolean {
  if (borrow?.accounts.length !== repay.accounts.length) return false;
  return borrow.accounts.every(({ address }, i) => address === repay.accounts[i]?.address);
}
