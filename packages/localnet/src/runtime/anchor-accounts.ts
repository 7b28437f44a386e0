import type { RawAccount } from '@sluice/protocol/layout/account';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { ProtocolError } from '@sluice/protocol/protocol-error';
import { decodeMint, type Mint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount, type TokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { ANCHOR_ERRORS, ensure } from './anchor.ts';
import type { InstructionAccount } from './instruction-account.ts';
import { InstructionError } from './instruction-error.ts';

/** The framework's checks of token accounts, mints, programs and addresses. */

const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/** Demands of a declaration on a token account, besides being one. */
export interface TokenAccountRules {
  readonly mint?: Address;
  readonly authority?: Address;
  readonly tokenProgram?: Address;
}

/** The decoded token account, of either token program. */
export function loadTokenAccount(account: InstructionAccount, rules: TokenAccountRules = {}): TokenAccount {
  const decoded = loadToken(account, decodeTokenAccount);
  const { mint, authority, tokenProgram } = rules;
  ensure(authority === undefined || decoded.owner === authority, ANCHOR_ERRORS.constraintTokenOwner);
  ensure(mint === undefined || decoded.mint === mint, ANCHOR_ERRORS.constraintTokenMint);
  ensure(
    tokenProgram === undefined || account.owner === tokenProgram,
    ANCHOR_ERRORS.constraintTokenTokenProgram,
  );
  return decoded;
}

/** The decoded mint; of the given token program if there is one. */
export function loadMint(account: InstructionAccount, tokenProgram?: Address): Mint {
  const decoded = loadToken(account, decodeMint);
  ensure(
    tokenProgram === undefined || account.owner === tokenProgram,
    ANCHOR_ERRORS.constraintMintTokenProgram,
  );
  return decoded;
}

/** The balance in base units, as the program reads it again after a transfer. */
export const balanceOf = (account: InstructionAccount): bigint =>
  loadToken(account, decodeTokenAccount).amount;

export function checkProgram(account: InstructionAccount, ...allowed: readonly Address[]): void {
  ensure(allowed.includes(account.address), ANCHOR_ERRORS.invalidProgramId);
}

/** For an account declared as either token program. */
export const checkTokenProgram = (account: InstructionAccount): void =>
  checkProgram(account, ...TOKEN_PROGRAMS);

/** The account must be the one that another account names. */
export function checkHasOne(
  named: Address,
  account: InstructionAccount,
  code: number = ANCHOR_ERRORS.constraintHasOne,
): void {
  ensure(account.address === named, code);
}

export function checkAddress(account: InstructionAccount, expected: Address): void {
  ensure(account.address === expected, ANCHOR_ERRORS.constraintAddress);
}

/** The account must be at the address derived from its seeds. */
export function checkSeeds(account: InstructionAccount, derived: { readonly address: Address }): void {
  ensure(account.address === derived.address, ANCHOR_ERRORS.constraintSeeds);
}

function loadToken<T>(account: InstructionAccount, decode: (account: RawAccount) => T): T {
  const { owner, data } = account;
  ensure(owner !== SYSTEM_PROGRAM || account.lamports > 0n, ANCHOR_ERRORS.accountNotInitialized);
  ensure(TOKEN_PROGRAMS.includes(owner), ANCHOR_ERRORS.accountOwnedByWrongProgram);
  try {
    return decode({ owner, data, address: account.address });
  } catch (error) {
    if (error instanceof ProtocolError) throw new InstructionError('InvalidAccountData');
    throw error;
  }
}

/** For an account declared as a sysvar. */
export function checkSysvar(account: InstructionAccount, expected: Address): void {
  ensure(account.address === expected, ANCHOR_ERRORS.accountSysvarMismatch);
}
