import { ASSOCIATED_TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation, Program } from '../program.ts';
import { createAssociatedAccount } from './create-account.ts';
import { recoverNested } from './recover-nested.ts';

/** By the only byte of the instruction data. */
const INSTRUCTIONS: readonly { readonly name: string; run(invocation: Invocation): void }[] = [
  { name: 'Create', run: (invocation) => createAssociatedAccount(invocation, false) },
  { name: 'CreateIdempotent', run: (invocation) => createAssociatedAccount(invocation, true) },
  { name: 'RecoverNested', run: recoverNested },
];

export const associatedTokenProgram: Program = {
  address: ASSOCIATED_TOKEN_PROGRAM,
  run(invocation) {
    const { data } = invocation;
    const instruction = data.length <= 1 ? INSTRUCTIONS[data[0] ?? 0] : undefined;
    if (instruction === undefined) throw new InstructionError('InvalidInstructionData');
    invocation.log(instruction.name);
    instruction.run(invocation);
  },
};
