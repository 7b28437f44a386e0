import { u8, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Instructions of both token programs that change the supply. Decoded as inner instructions, never built. */

const mintAccounts = { mint: 'writable', account: 'writable', authority: 'signer' } as const;
const burnAccounts = { account: 'writable', mint: 'writable', authority: 'signer' } as const;

export const mintTo = instructionLayout('mintTo', '07', { amount: u64 }, mintAccounts);

export const burn = instructionLayout('burn', '08', { amount: u64 }, burnAccounts);

export const mintToChecked = instructionLayout(
  'mintToChecked',
  '0e',
  { amount: u64, decimals: u8 },
  mintAccounts,
);

export const burnChecked = instructionLayout(
  'burnChecked',
  '0f',
  { amount: u64, decimals: u8 },
  burnAccounts,
);
