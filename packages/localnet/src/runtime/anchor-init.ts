import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { allocate, assign, createAccount } from '@sluice/protocol/system/account-instructions';
import { transferLamports } from '@sluice/protocol/system/instructions';
import { initializeAccount3 } from '@sluice/protocol/token/account-instructions';
import { TOKEN_ACCOUNT_BYTES } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { rentLamports } from './account-store.ts';
import { loadTokenAccount, type TokenAccountRules } from './anchor-accounts.ts';
import type { InstructionAccount } from './instruction-account.ts';
import type { Invocation } from './program.ts';

/**
 * `init`: creates a rent-exempt account at an address derived from the running program, filled with zeros.
 * @param owner program of the account
 */
export function initAccount(
  invocation: Invocation,
  payer: InstructionAccount,
  account: InstructionAccount,
  space: number,
  owner: Address = invocation.program,
): void {
  const lamports = rentLamports(space);
  const size = BigInt(space);
  const signers = [account.address];
  if (account.lamports === 0n) {
    const accounts = { payer: payer.address, newAccount: account.address };
    const args = { lamports, space: size, owner };
    invocation.invoke(createAccount.encode(SYSTEM_PROGRAM, accounts, args), signers);
    return;
  }
  // Somebody has sent lamports to the address, so the system program would refuse to create it.
  if (account.lamports < lamports) {
    const accounts = { source: payer.address, destination: account.address };
    const missing = lamports - account.lamports;
    invocation.invoke(transferLamports.encode(SYSTEM_PROGRAM, accounts, { lamports: missing }));
  }
  const accounts = { account: account.address };
  invocation.invoke(allocate.encode(SYSTEM_PROGRAM, accounts, { space: size }), signers);
  invocation.invoke(assign.encode(SYSTEM_PROGRAM, accounts, { owner }), signers);
}

/** `init_if_needed` of an SPL token account at an address derived from the running program. */
export function initTokenAccountIfNeeded(
  invocation: Invocation,
  payer: InstructionAccount,
  account: InstructionAccount,
  rules: Required<TokenAccountRules>,
): void {
  if (account.owner === SYSTEM_PROGRAM) {
    const { mint, authority, tokenProgram } = rules;
    initAccount(invocation, payer, account, TOKEN_ACCOUNT_BYTES, tokenProgram);
    const accounts = { account: account.address, mint };
    invocation.invoke(initializeAccount3.encode(tokenProgram, accounts, { owner: authority }));
  }
  loadTokenAccount(account, rules);
}
