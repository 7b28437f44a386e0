import { instructionLayout } from '../layout/instruction.ts';

/** Closes a stake account that holds nothing and returns its rent. */
export const closeEmptyUserState = instructionLayout(
  'closeEmptyUserState',
  'f01809e356e1c75f',
  {},
  {
    signer: 'signer',
    userState: 'writable',
    farmState: 'readonly',
    rentReceiver: 'writable',
    systemProgram: 'readonly',
  },
);
