import type { EncodedInstruction } from '../layout/instruction.ts';
import { MEMO_PROGRAM } from '../program-ids.ts';

/** Memo program, second version: logs a text. It names no signers: whoever signs the transaction signs the memo. */
export function memo(text: string): EncodedInstruction {
  return { programAddress: MEMO_PROGRAM, accounts: [], data: new TextEncoder().encode(text) };
}
