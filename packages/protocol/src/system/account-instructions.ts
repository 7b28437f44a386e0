import { publicKey, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** System program: funds a new account, gives it space and hands it to its owner. */
export const createAccount = instructionLayout(
  'createAccount',
  '00000000',
  { lamports: u64, space: u64, owner: publicKey },
  { payer: 'writable signer', newAccount: 'writable signer' },
);

/** System program: hands an empty account to another program. */
export const assign = instructionLayout(
  'assign',
  '01000000',
  { owner: publicKey },
  { account: 'writable signer' },
);

/** System program: gives an account space. */
export const allocate = instructionLayout(
  'allocate',
  '08000000',
  { space: u64 },
  { account: 'writable signer' },
);
