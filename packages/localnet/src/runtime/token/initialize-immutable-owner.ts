import { TOKEN_2022_PROGRAM } from '@sluice/protocol/program-ids';
import { initializeImmutableOwner } from '@sluice/protocol/token/account-instructions';
import { encodeExtended } from '@sluice/protocol/token/extensions';
import { TOKEN_ACCOUNT_BYTES } from '@sluice/protocol/token/token-account';
import { InstructionError } from '../instruction-error.ts';
import { withExtension } from './extension-rules.ts';
import { tokenInstruction } from './token-instruction.ts';
import { readUninitialized, UNINITIALIZED_TYPE } from './uninitialized-account.ts';

/** The owner of the account cannot change from then on. SPL Token accepts the instruction and ignores it. */
export const initializeImmutableOwnerInstruction = tokenInstruction(
  initializeImmutableOwner,
  1_405,
  ({ invocation: { program }, accounts: { account } }) => {
    const extensions = readUninitialized(account, program);
    if (program !== TOKEN_2022_PROGRAM) return;
    const data = encodeExtended(
      new Uint8Array(TOKEN_ACCOUNT_BYTES),
      UNINITIALIZED_TYPE,
      withExtension({ extensions }, 'immutableOwner', new Uint8Array(0)),
      account.data.length,
    );
    if (data.length !== account.data.length) throw new InstructionError('InvalidAccountData');
    account.write(data);
  },
);
