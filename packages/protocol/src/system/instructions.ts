import { u32, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

export const transferLamports = instructionLayout(
  'transferLamports',
  '02000000',
  { lamports: u64 },
  { source: 'writable signer', destination: 'writable' },
);

/** Compute-budget program. */
export const setComputeUnitLimit = instructionLayout('setComputeUnitLimit', '02', { units: u32 }, {});

/** Compute-budget program: millionths of a lamport per compute unit. */
export const setComputeUnitPrice = instructionLayout('setComputeUnitPrice', '03', { microLamports: u64 }, {});
