import { TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import {
  initializeAccount,
  initializeAccount2,
  initializeAccount3,
} from '@sluice/protocol/token/account-instructions';
import { extensionBytes, requiredExtensions } from '@sluice/protocol/token/account-size';
import { type Extension, startsFrozen } from '@sluice/protocol/token/extensions';
import type { Mint } from '@sluice/protocol/token/mint';
import { encodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { rentLamports } from '../account-store.ts';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { hasExtension, withExtension } from './extension-rules.ts';
import { validMint } from './get-account-data-size.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { tokenInstruction } from './token-instruction.ts';
import { checkOwnedByProgram } from './token-state.ts';
import { readUninitialized } from './uninitialized-account.ts';

export const initializeAccountInstruction = tokenInstruction(
  initializeAccount,
  4_527,
  ({ invocation, accounts: { account, mint, owner } }) =>
    openAccount(invocation, account, mint, owner.address),
);

export const initializeAccount2Instruction = tokenInstruction(
  initializeAccount2,
  4_388,
  ({ invocation, accounts: { account, mint }, args: { owner } }) =>
    openAccount(invocation, account, mint, owner),
);

export const initializeAccount3Instruction = tokenInstruction(
  initializeAccount3,
  4_214,
  ({ invocation, accounts: { account, mint }, args: { owner } }) =>
    openAccount(invocation, account, mint, owner),
);

function openAccount(
  { program }: Invocation,
  account: InstructionAccount,
  mint: InstructionAccount,
  owner: Address,
): void {
  if (program === TOKEN_2022_PROGRAM) checkOwnedByProgram(mint, program);
  const present = readUninitialized(account, program);
  const rent = rentLamports(account.data.length);
  ensure(account.lamports >= rent, TOKEN_ERROR.notRentExempt);
  const isNative = mint.address === WRAPPED_SOL_MINT;
  if (!isNative) checkOwnedByProgram(mint, program);
  const state = isNative ? null : validMint(mint, program);
  const data = encodeTokenAccount({
    mint: mint.address,
    owner,
    amount: isNative ? account.lamports - rent : 0n,
    delegate: null,
    delegatedAmount: 0n,
    frozen: state !== null && startsFrozen(state),
    nativeRentLamports: isNative ? rent : null,
    closeAuthority: null,
    extensions: state === null ? present : withRequired(present, state),
    size: account.data.length,
  });
  if (data.length !== account.data.length) throw new InstructionError('InvalidAccountData');
  account.write(data);
}

function withRequired(present: readonly Extension[], mint: Mint): readonly Extension[] {
  let extensions = present;
  for (const name of requiredExtensions(mint)) {
    if (hasExtension({ extensions }, name)) continue;
    extensions = withExtension({ extensions }, name, new Uint8Array(extensionBytes(name)));
  }
  return extensions;
}
