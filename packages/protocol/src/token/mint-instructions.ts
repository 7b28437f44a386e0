import { publicKey, u8 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Instructions of both token programs that open a mint or a multisig, or read a mint. */

const mintArguments = {
  decimals: u8,
  mintAuthority: publicKey,
  /** 0 for none; the address may then be missing. */
  freezeAuthorityTag: u8,
  freezeAuthority: publicKey,
};

export const initializeMint = instructionLayout('initializeMint', '00', mintArguments, {
  mint: 'writable',
  rent: 'readonly',
});

export const initializeMint2 = instructionLayout('initializeMint2', '14', mintArguments, {
  mint: 'writable',
});

/** The signers follow the named accounts. */
export const initializeMultisig = instructionLayout(
  'initializeMultisig',
  '02',
  { required: u8 },
  { multisig: 'writable', rent: 'readonly' },
);

/** The signers follow the named accounts. */
export const initializeMultisig2 = instructionLayout(
  'initializeMultisig2',
  '13',
  { required: u8 },
  { multisig: 'writable' },
);

/** Returns the bytes that a token account of the mint needs, as u64. Extension types (u16) may follow. */
export const getAccountDataSize = instructionLayout('getAccountDataSize', '15', {}, { mint: 'readonly' });
