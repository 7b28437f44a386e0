import type { Address } from '@solana/kit';
import { ensure } from '../anchor.ts';
import type { Invocation } from '../program.ts';
import { TOKEN_ERROR } from './token-errors.ts';

const MEMO_PROGRAMS: readonly Address[] = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address,
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo' as Address,
];

/**
 * The instruction just before this one must be a memo. None of the programs of the localnet calls the memo program,
 * so a transfer that another program makes never has one.
 */
export function checkMemo({ stackHeight, transaction: { instructions, index } }: Invocation): void {
  const previous = stackHeight === 1 ? instructions[index - 1] : undefined;
  ensure(previous !== undefined && MEMO_PROGRAMS.includes(previous.programAddress), TOKEN_ERROR.noMemo);
}
