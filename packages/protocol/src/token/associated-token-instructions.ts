import { instructionLayout } from '../layout/instruction.ts';

/** Fails when the account exists. Empty instruction data means the same. */
export const createAssociatedToken = instructionLayout(
  'createAssociatedToken',
  '00',
  {},
  {
    payer: 'writable signer',
    associatedToken: 'writable',
    owner: 'readonly',
    mint: 'readonly',
    systemProgram: 'readonly',
    tokenProgram: 'readonly',
  },
);

/** Moves tokens out of an account whose owner is itself an associated token account of the wallet. */
export const recoverNestedAssociatedToken = instructionLayout(
  'recoverNestedAssociatedToken',
  '02',
  {},
  {
    nested: 'writable',
    nestedMint: 'readonly',
    destination: 'writable',
    ownerAccount: 'readonly',
    ownerMint: 'readonly',
    wallet: 'writable signer',
    tokenProgram: 'readonly',
  },
);
