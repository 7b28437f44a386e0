import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { ProtocolError } from '@sluice/protocol/protocol-error';
import { decodeMint, encodeMint, type Mint } from '@sluice/protocol/token/mint';
import { MULTISIG_BYTES } from '@sluice/protocol/token/multisig';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_ACCOUNT_OFFSETS,
  type TokenAccount,
} from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';

export const MINT_BYTES = 82;
export const MINT_INITIALIZED_OFFSET = 45;

/** A token account of the program that runs, which must be initialised. */
export function readTokenAccount(account: InstructionAccount, program: Address): TokenAccount {
  checkLength(account, program, TOKEN_ACCOUNT_BYTES);
  if (account.data[TOKEN_ACCOUNT_OFFSETS.state] === 0) throw new InstructionError('UninitializedAccount');
  return decoded(() => decodeTokenAccount({ owner: program, data: account.data }));
}

/** A mint of the program that runs, which must be initialised. */
export function readMint(account: InstructionAccount, program: Address): Mint {
  checkLength(account, program, MINT_BYTES);
  if (account.data[MINT_INITIALIZED_OFFSET] === 0) throw new InstructionError('UninitializedAccount');
  return decoded(() => decodeMint({ owner: program, data: account.data }));
}

export function writeTokenAccount(account: InstructionAccount, state: TokenAccount): void {
  account.write(encodeTokenAccount(state));
}

export function writeMint(account: InstructionAccount, state: Mint): void {
  account.write(encodeMint(state));
}

/** Token-2022 says so at once; SPL Token leaves it to the runtime, which refuses the change. */
export function checkOwnedByProgram(account: InstructionAccount, program: Address): void {
  if (account.owner !== program) throw new InstructionError('IncorrectProgramId');
}

/** Whether the account holds a mint rather than a token account. It must be owned by a token program. */
export function isMint({ data }: InstructionAccount): boolean {
  return data.length === MINT_BYTES || (data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] === 1);
}

/** Checks the length, and for Token-2022 the owner, of an account before it is read or initialised. */
export function checkLength(account: InstructionAccount, program: Address, baseBytes: number): void {
  if (program === TOKEN_2022_PROGRAM) checkOwnedByProgram(account, program);
  const { length } = account.data;
  const fits =
    program === TOKEN_PROGRAM ? length === baseBytes : length >= baseBytes && length !== MULTISIG_BYTES;
  if (!fits) throw new InstructionError('InvalidAccountData');
}

function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof ProtocolError) throw new InstructionError('InvalidAccountData');
    throw error;
  }
}
