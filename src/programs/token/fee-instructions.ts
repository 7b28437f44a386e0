import { u8, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Of Token-2022 alone: `fee` of `amount` stays withheld in the destination, which can spend the rest. */
export const transferCheckedWithFee = instructionLayout(
  'transferCheckedWithFee',
  '1a01',
  { amount: u64, decimals: u8, fee: u64 },
  { source: 'writable', mint: 'readonly', destination: 'writable', owner: 'signer' },
);
