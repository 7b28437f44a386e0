import { publicKey, u8, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Instructions of both token programs that open a token account or change who controls it. */

export const initializeAccount = instructionLayout(
  'initializeAccount',
  '01',
  {},
  { account: 'writable', mint: 'readonly', owner: 'readonly', rent: 'readonly' },
);

export const initializeAccount2 = instructionLayout(
  'initializeAccount2',
  '10',
  { owner: publicKey },
  { account: 'writable', mint: 'readonly', rent: 'readonly' },
);

export const initializeAccount3 = instructionLayout(
  'initializeAccount3',
  '12',
  { owner: publicKey },
  { account: 'writable', mint: 'readonly' },
);

/** Must run before the account is initialised. Without effect in SPL Token. */
export const initializeImmutableOwner = instructionLayout(
  'initializeImmutableOwner',
  '16',
  {},
  { account: 'writable' },
);

export const approve = instructionLayout(
  'approve',
  '04',
  { amount: u64 },
  { source: 'writable', delegate: 'readonly', owner: 'signer' },
);

export const approveChecked = instructionLayout(
  'approveChecked',
  '0d',
  { amount: u64, decimals: u8 },
  { source: 'writable', mint: 'readonly', delegate: 'readonly', owner: 'signer' },
);

export const revoke = instructionLayout('revoke', '05', {}, { source: 'writable', owner: 'signer' });

/** Authority of a mint or a token account. `newAuthorityTag` 0 removes it; the address may then be missing. */
export const setAuthority = instructionLayout(
  'setAuthority',
  '06',
  { authorityType: u8, newAuthorityTag: u8, newAuthority: publicKey },
  { account: 'writable', authority: 'signer' },
);

const freezeAccounts = { account: 'writable', mint: 'readonly', authority: 'signer' } as const;

export const freezeAccount = instructionLayout('freezeAccount', '0a', {}, freezeAccounts);

export const thawAccount = instructionLayout('thawAccount', '0b', {}, freezeAccounts);
