import { AccountRole } from '@solana/kit';
import type { ActionOptions, BuiltInstruction } from '../built-instruction.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol, wrapSol } from '../token-instructions.ts';
import { inTokens, type LeverageAccounts, type LeverageSide } from './accounts.ts';
import type { LeverageSequence } from './sequence.ts';

/** Opens the wallet's token accounts that are missing, and wraps the SOL of its own that the action uses. */
export function openTokenAccounts(
  sequence: LeverageSequence,
  { request, at, collateral, debt }: LeverageAccounts,
  ownCollateral: bigint,
): void {
  const { wallet } = request;
  for (const { token, mint, tokenProgram, symbol } of [collateral, debt]) {
    if (token.account !== null) continue;
    const opened = createTokenAccount({ wallet, payer: at.payer }, token.address, mint, tokenProgram, symbol);
    sequence.add([opened], (changes) => {
      changes.openTokens(token.address, { owner: wallet, mint, tokenProgram });
    });
  }
  if (!collateral.isSol || ownCollateral === 0n) return;
  sequence.add(wrapSol(wallet, collateral.token.address, ownCollateral), (changes) => {
    changes.wrap(wallet, collateral.token.address, ownCollateral);
  });
}

/** Outcome of the caller's swap at its minimum. */
export interface Trade {
  readonly sold: LeverageSide;
  readonly bought: LeverageSide;
  /** Base units of the sold token. */
  readonly spent: bigint;
  /** Base units of the bought token. */
  readonly minOut: bigint;
}

/** Adds the caller's swap, as if it paid the minimum. */
export function addSwap(
  sequence: LeverageSequence,
  { request }: LeverageAccounts,
  { sold, bought, spent, minOut }: Trade,
): void {
  const { swap } = request;
  const what = `Swap ${inTokens(sold, spent)} for at least ${inTokens(bought, minOut)}, as the caller supplied it`;
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
  { request, collateral, debt }: LeverageAccounts,
  { unwrapSol: unwrap }: ActionOptions,
): 'closed' | 'open' | null {
  const side = [collateral, debt].find(({ isSol }) => isSol);
  if (side === undefined) return null;
  if (!closesWrappedSol('out', side.token, unwrap)) return 'open';
  const { wallet } = request;
  sequence.add([unwrapSol(wallet, side.token.address)], (changes) => {
    changes.close(side.token.address, wallet);
  });
  return 'closed';
}
