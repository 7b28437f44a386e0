import { u8, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Token-2022 only: `fee` of `amount` is withheld in the destination account, which can spend the rest. */
export const transferCheckedWithFee = instructionLayout(
  'transferCheckedWithFee',
  '1a01',
  { amount: u64, decimals: u8, fee: u64 },
  { source: 'writable', mint: 'readonly', destination: 'writable', owner: 'signer' },
);
