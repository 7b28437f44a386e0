import { u8 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Instructions of Token-2022 that collect withheld transfer fees. */

/** Signers of a multisig authority follow. */
export const withdrawWithheldFromMint = instructionLayout(
  'withdrawWithheldTokensFromMint',
  '1a02',
  {},
  { mint: 'writable', destination: 'writable', authority: 'signer' },
);

/** Signers of a multisig authority follow, then the accounts to collect from. */
export const withdrawWithheldFromAccounts = instructionLayout(
  'withdrawWithheldTokensFromAccounts',
  '1a03',
  { accountCount: u8 },
  { mint: 'readonly', destination: 'writable', authority: 'signer' },
);

/** The accounts to collect from follow. */
export const harvestWithheldToMint = instructionLayout(
  'harvestWithheldTokensToMint',
  '1a04',
  {},
  { mint: 'writable' },
);
