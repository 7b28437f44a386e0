import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { transferChecked } from '@sluice/protocol/token/instructions';
import { burn, mintTo } from '@sluice/protocol/token/supply-instructions';
import type { Address } from '@solana/kit';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Invocation } from '../program.ts';

/** Calls of the vault program to the token programs. Shares are always SPL Token. */

export interface Transfer {
  readonly source: InstructionAccount;
  readonly destination: InstructionAccount;
  readonly mint: InstructionAccount;
  readonly owner: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  readonly amount: bigint;
}

/** @param signers addresses for which the program signs */
export function transferTokens(
  { invoke }: Invocation,
  transfer: Transfer,
  signers?: readonly Address[],
): void {
  const { source, destination, mint, owner, tokenProgram, decimals, amount } = transfer;
  invoke(
    transferChecked.encode(
      tokenProgram,
      { source: source.address, mint: mint.address, destination: destination.address, owner },
      { amount, decimals },
    ),
    signers,
  );
}

export function mintShares(
  { invoke }: Invocation,
  mint: InstructionAccount,
  account: InstructionAccount,
  authority: Address,
  amount: bigint,
): void {
  const accounts = { mint: mint.address, account: account.address, authority };
  invoke(mintTo.encode(TOKEN_PROGRAM, accounts, { amount }), [authority]);
}

export function burnShares(
  { invoke }: Invocation,
  mint: InstructionAccount,
  account: InstructionAccount,
  authority: Address,
  amount: bigint,
): void {
  const accounts = { mint: mint.address, account: account.address, authority };
  invoke(burn.encode(TOKEN_PROGRAM, accounts, { amount }));
}
