import type { InstructionAccount } from '../instruction-account.ts';
import { customError, InstructionError } from '../instruction-error.ts';
import { failWith } from '../native.ts';
import type { Invocation } from '../program.ts';
import { SYSTEM_ERRORS } from './errors.ts';

/** Moves lamports out of a wallet that signed. */
export function sendLamports(
  invocation: Invocation,
  from: InstructionAccount,
  to: InstructionAccount,
  lamports: bigint,
): void {
  if (!from.isSigner) {
    const message = `Transfer: \`from\` account ${from.address} must sign`;
    failWith(invocation, message, new InstructionError('MissingRequiredSignature'));
  }
  moveLamports(invocation, from, to, lamports);
}

/** The same, once the sender's consent is known. */
export function moveLamports(
  invocation: Invocation,
  from: InstructionAccount,
  to: InstructionAccount,
  lamports: bigint,
): void {
  if (from.data.length > 0) {
    failWith(invocation, 'Transfer: `from` must not carry data', new InstructionError('InvalidArgument'));
  }
  if (lamports > from.lamports) {
    const message = `Transfer: insufficient lamports ${from.lamports}, need ${lamports}`;
    failWith(invocation, message, customError(SYSTEM_ERRORS.resultWithNegativeLamports));
  }
  from.takeLamports(lamports);
  to.addLamports(lamports);
}
