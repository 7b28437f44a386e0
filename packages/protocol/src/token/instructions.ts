import { u8, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Instructions that SPL Token and Token-2022 share. */

export const transfer = instructionLayout(
  'transfer',
  '03',
  { amount: u64 },
  { source: 'writable', destination: 'writable', owner: 'signer' },
);

export const transferChecked = instructionLayout(
  'transferChecked',
  '0c',
  { amount: u64, decimals: u8 },
  { source: 'writable', mint: 'readonly', destination: 'writable', owner: 'signer' },
);

export const closeAccount = instructionLayout(
  'closeAccount',
  '09',
  {},
  { account: 'writable', destination: 'writable', owner: 'signer' },
);

/** Sets a wrapped-SOL account's amount to its lamports. */
export const syncNative = instructionLayout('syncNative', '11', {}, { account: 'writable' });

/** Associated-token program: creates the account unless it exists. */
export const createAssociatedTokenIdempotent = instructionLayout(
  'createAssociatedTokenIdempotent',
  '01',
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
