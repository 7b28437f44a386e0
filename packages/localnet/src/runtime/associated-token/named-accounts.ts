import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';

type A = InstructionAccount;

/** The first accounts of the instruction, all of which must be there. */
export function accountsOf(invocation: Invocation, count: 6): [A, A, A, A, A, A];
export function accountsOf(invocation: Invocation, count: 7): [A, A, A, A, A, A, A];
export function accountsOf({ accounts }: Invocation, count: number): InstructionAccount[] {
  if (accounts.length < count) throw new InstructionError('NotEnoughAccountKeys');
  return accounts.slice(0, count);
}
