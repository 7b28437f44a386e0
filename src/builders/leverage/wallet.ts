import { AccountRole } from '@solana/kit';
import type { ActionOptions, BuiltInstruction } from '../built-instruction.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol, wrapSol } from '../token-instructions.ts';
import { inTokens, type LoanAccounts, type LoanSide } from './accounts.ts';
import type { LeverageSequence } from './sequence.ts';

/** Opens the wallet's token accounts that are missing. */
export function openTokenAccounts(sequence: LeverageSequence, { request, at, sides }: LoanAccounts): void {
  const { wallet } = request;
  for (const { token, mint, tokenProgram, symbol } of sides) {
    if (token.account !== null) continue;
    const opened = createTokenAccount({ wallet, payer: at.payer }, token.address, mint, tokenProgram, symbol);
    sequence.add([opened], (changes) => {
      changes.openTokens(token.address, { owner: wallet, mint, tokenProgram });
    });
  }
}

/** Wraps the SOL of the wallet's own that the action uses. */
export function wrapOwnSol(
  sequence: LeverageSequence,
  { request: { wallet } }: LoanAccounts,
  { isSol, token }: LoanSide,
  lamports: bigint,
): void {
  if (!isSol || lamports === 0n) return;
  sequence.add(wrapSol(wallet, token.address, lamports), (changes) => {
    changes.wrap(wallet, token.address, lamports);
  });
}

/** Outcome of the caller's swap at its minimum. */
export interface Trade {
  readonly sold: LoanSide;
  readonly bought: LoanSide;
  /** Base units of the sold token. */
  readonly spent: bigint;
  /** Base units of the bought token. */
  readonly minOut: bigint;
}

/** Adds the caller's swap, as if it paid the minimum. */
export function addSwap(
  sequence: LeverageSequence,
  { request }: LoanAccounts,
  { sold, bought, spent, minOut }: Trade,
): void {
  const { swap } = request;
  const source = swap.quote === null ? 'the caller supplied it' : 'quoted';
  const what = `Swap ${inTokens(sold, spent)} for at least ${inTokens(bought, minOut)}, as ${source}`;
  const total = swap.instructions.length;
  const instructions = swap.instructions.map(
    ({ programAddress, accounts, data }, i): BuiltInstruction => ({
      programAddress,
      accounts,
      data,
      name: 'swap',
      summary: total > 1 ? `${what} (${i + 1} of ${total})` : what,
      labels: accounts.map(({ role }) =>
        role === AccountRole.READONLY ? 'read by the swap' : 'used by the swap',
      ),
      setup: false,
    }),
  );
  sequence.add(instructions, (changes) => {
    changes.addTokens(sold.token.address, -spent);
    changes.addTokens(bought.token.address, minOut);
  });
}

/** Closes the account of wrapped SOL where an outflow of a plain action would. */
export function closeWrappedSol(
  sequence: LeverageSequence,
  { request, sides }: LoanAccounts,
  { unwrapSol: unwrap }: ActionOptions,
): 'closed' | 'open' | null {
  const side = sides.find(({ isSol }) => isSol);
  if (side === undefined) return null;
  if (!closesWrappedSol('out', side.token, unwrap)) return 'open';
  const { wallet } = request;
  sequence.add([unwrapSol(wallet, side.token.address)], (changes) => {
    changes.close(side.token.address, wallet);
  });
  return 'closed';
}
