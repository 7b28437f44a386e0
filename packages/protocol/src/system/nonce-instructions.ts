import { instructionLayout } from '../layout/instruction.ts';

/** System program: replaces a nonce by the next one. In first place it makes the nonce a transaction's lifetime. */
export const advanceNonceAccount = instructionLayout(
  'advanceNonceAccount',
  '04000000',
  {},
  { nonceAccount: 'writable', recentBlockhashes: 'readonly', authority: 'signer' },
);
