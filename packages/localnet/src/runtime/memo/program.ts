import { isUtf8 } from 'node:buffer';
import { MEMO_PROGRAM, MEMO_V1_PROGRAM } from '@sluice/protocol/program-ids';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation, Program } from '../program.ts';

const BASE_UNITS = 600;
const UNITS_PER_BYTE = 20;
/** Writing an address in base58 is what costs most. */
const UNITS_PER_SIGNER = 10_500;

/** The first version only checks that the memo is text. */
export const memoV1Program: Program = {
  address: MEMO_V1_PROGRAM,
  run(invocation) {
    invocation.consume(BASE_UNITS + UNITS_PER_BYTE * invocation.data.length);
    textOf(invocation);
  },
};

/** Logs the memo. Every account that is passed must sign. */
export const memoProgram: Program = {
  address: MEMO_PROGRAM,
  run(invocation) {
    const { accounts, data, log, consume } = invocation;
    consume(BASE_UNITS + UNITS_PER_BYTE * data.length);
    for (const account of accounts) {
      if (!account.isSigner) continue;
      consume(UNITS_PER_SIGNER);
      log(`Signed by ${account.address}`);
    }
    if (!accounts.every(({ isSigner }) => isSigner)) throw new InstructionError('MissingRequiredSignature');
    log(`Memo (len ${data.length}): ${JSON.stringify(textOf(invocation))}`);
  },
};

function textOf({ data, log }: Invocation): string {
  if (!isUtf8(data)) {
    let valid = data.length;
    while (!isUtf8(data.subarray(0, valid))) valid -= 1;
    log(`Invalid UTF-8, from byte ${valid}`);
    throw new InstructionError('InvalidInstructionData');
  }
  return Buffer.from(data).toString();
}
