import { memo } from '@sluice/protocol/memo/instructions';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { BuiltInstruction } from '../built-instruction.ts';

/** The longest memo without signers that the memo program documents. Longer ones leave no room for an action. */
export const MAX_MEMO_BYTES = 566;
/** A lone half of a surrogate pair is no text: its bytes would be those of another character. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Logs a text in the transaction. */
export function memoInstruction(text: string): BuiltInstruction {
  if (LONE_SURROGATE.test(text)) throw invalid('it is not valid Unicode; pass well-formed text');
  const encoded = memo(text);
  const { length } = encoded.data;
  if (length === 0) throw invalid('it is empty; omit it or pass a text');
  if (length > MAX_MEMO_BYTES) {
    throw invalid(`it takes ${length} bytes in UTF-8, and at most ${MAX_MEMO_BYTES} are allowed; shorten it`);
  }
  const summary = `Log a memo of ${length} bytes`;
  return { ...encoded, name: 'memo', summary, labels: [], setup: false };
}

function invalid(reason: string): CodedError {
  return new SluiceError('MEMO_INVALID', { reason });
}
