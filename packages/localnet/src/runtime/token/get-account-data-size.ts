import { TOKEN_2022_PROGRAM } from '@sluice/protocol/program-ids';
import {
  type AccountExtensionName,
  accountExtensionOf,
  accountSize,
} from '@sluice/protocol/token/account-size';
import { getAccountDataSize } from '@sluice/protocol/token/mint-instructions';
import { customError, InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { tokenInstruction } from './token-instruction.ts';
import { checkOwnedByProgram, readMint } from './token-state.ts';

export const getAccountDataSizeInstruction = tokenInstruction(
  getAccountDataSize,
  1_569,
  ({ invocation, accounts: { mint } }) => {
    const { program } = invocation;
    checkOwnedByProgram(mint, program);
    const size = accountSize(validMint(mint, program), namedExtensions(invocation), program);
    const returned = Buffer.alloc(8);
    returned.writeBigUInt64LE(BigInt(size));
    invocation.setReturnData(Uint8Array.from(returned));
  },
);

/** Any failure to read it means that it is no mint. */
export function validMint(...[account, program]: Parameters<typeof readMint>): ReturnType<typeof readMint> {
  try {
    return readMint(account, program);
  } catch (error) {
    throw error instanceof InstructionError ? customError(TOKEN_ERROR.invalidMint) : error;
  }
}

function namedExtensions({ program, data }: Invocation): AccountExtensionName[] {
  const names: AccountExtensionName[] = [];
  if (program !== TOKEN_2022_PROGRAM) return names;
  for (let offset = 1; offset + 2 <= data.length; offset += 2) {
    const name = accountExtensionOf(Buffer.from(data).readUInt16LE(offset));
    if (name === null) throw new InstructionError('InvalidAccountData');
    names.push(name);
  }
  return names;
}
