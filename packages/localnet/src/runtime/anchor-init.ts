import { NO_ADDRESS, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { allocate, assign, createAccount } from '@sluice/protocol/system/account-instructions';
import { transferLamports } from '@sluice/protocol/system/instructions';
import { initializeAccount3 } from '@sluice/protocol/token/account-instructions';
import { accountSize } from '@sluice/protocol/token/account-size';
import { initializeMint2 } from '@sluice/protocol/token/mint-instructions';
import { TOKEN_ACCOUNT_BYTES } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { rentLamports } from './account-store.ts';
import { loadMint, loadTokenAccount, type TokenAccountRules } from './anchor-accounts.ts';
import type { InstructionAccount } from './instruction-account.ts';
import type { Invocation } from './program.ts';
import { MINT_BYTES } from './token/token-state.ts';

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

/**
 * `init` of a token account at an address derived from the running program, with room for the extensions that its mint
 * demands.
 */
export function initTokenAccount(
  invocation: Invocation,
  payer: InstructionAccount,
  account: InstructionAccount,
  mint: InstructionAccount,
  { authority, tokenProgram }: Pick<Required<TokenAccountRules>, 'authority' | 'tokenProgram'>,
): void {
  const space = accountSize(loadMint(mint), [], mint.owner);
  initAccount(invocation, payer, account, space, tokenProgram);
  const accounts = { account: account.address, mint: mint.address };
  invocation.invoke(initializeAccount3.encode(tokenProgram, accounts, { owner: authority }));
}

/** `init` of a mint of SPL Token at an address derived from the running program. */
export function initMint(
  invocation: Invocation,
  payer: InstructionAccount,
  mint: InstructionAccount,
  { decimals, authority }: { readonly decimals: number; readonly authority: Address },
): void {
  initAccount(invocation, payer, mint, MINT_BYTES, TOKEN_PROGRAM);
  const args = { decimals, mintAuthority: authority, freezeAuthorityTag: 0, freezeAuthority: NO_ADDRESS };
  invocation.invoke(initializeMint2.encode(TOKEN_PROGRAM, { mint: mint.address }, args));
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
