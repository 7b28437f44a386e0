import { TOKEN_2022_PROGRAM } from '@sluice/protocol/program-ids';
import { initializeMultisig, initializeMultisig2 } from '@sluice/protocol/token/mint-instructions';
import {
  decodeMultisig,
  encodeMultisig,
  MAX_MULTISIG_SIGNERS,
  MULTISIG_BYTES,
} from '@sluice/protocol/token/multisig';
import { rentLamports } from '../account-store.ts';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { tokenInstruction } from './token-instruction.ts';
import { checkOwnedByProgram } from './token-state.ts';

export const initializeMultisigInstruction = tokenInstruction(
  initializeMultisig,
  2_973,
  ({ invocation, accounts: { multisig }, args: { required }, signers }) =>
    openMultisig(invocation, multisig, required, signers),
);

export const initializeMultisig2Instruction = tokenInstruction(
  initializeMultisig2,
  2_826,
  ({ invocation, accounts: { multisig }, args: { required }, signers }) =>
    openMultisig(invocation, multisig, required, signers),
);

function openMultisig(
  { program }: Invocation,
  multisig: InstructionAccount,
  required: number,
  signers: readonly InstructionAccount[],
): void {
  if (program === TOKEN_2022_PROGRAM) checkOwnedByProgram(multisig, program);
  const { data, lamports } = multisig;
  if (data.length !== MULTISIG_BYTES) throw new InstructionError('InvalidAccountData');
  ensure(!decodeMultisig(data).isInitialized, TOKEN_ERROR.alreadyInUse);
  ensure(lamports >= rentLamports(data.length), TOKEN_ERROR.notRentExempt);
  ensure(isValidNumber(signers.length), TOKEN_ERROR.invalidNumberOfProvidedSigners);
  ensure(isValidNumber(required), TOKEN_ERROR.invalidNumberOfRequiredSigners);
  multisig.write(encodeMultisig({ required, signers: signers.map(({ address }) => address) }));
}

const isValidNumber = (count: number) => count >= 1 && count <= MAX_MULTISIG_SIGNERS;
