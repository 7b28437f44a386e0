import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { approveCheckedInstruction, approveInstruction } from './approve.ts';
import { burnCheckedInstruction, burnInstruction } from './burn.ts';
import { closeAccountInstruction } from './close-account.ts';
import { freezeAccountInstruction, thawAccountInstruction } from './freeze-account.ts';
import { getAccountDataSizeInstruction } from './get-account-data-size.ts';
import { harvestWithheldToMintInstruction } from './harvest-withheld.ts';
import {
  initializeAccount2Instruction,
  initializeAccount3Instruction,
  initializeAccountInstruction,
} from './initialize-account.ts';
import { initializeImmutableOwnerInstruction } from './initialize-immutable-owner.ts';
import { initializeMint2Instruction, initializeMintInstruction } from './initialize-mint.ts';
import { initializeMultisig2Instruction, initializeMultisigInstruction } from './initialize-multisig.ts';
import { mintToCheckedInstruction, mintToInstruction } from './mint-to.ts';
import { revokeInstruction } from './revoke.ts';
import { setAuthorityInstruction } from './set-authority.ts';
import { syncNativeInstruction } from './sync-native.ts';
import { type TokenInstruction, tokenProgram } from './token-instruction.ts';
import {
  transferCheckedInstruction,
  transferCheckedWithFeeInstruction,
  transferInstruction,
} from './transfer.ts';
import { withdrawWithheldFromAccountsInstruction } from './withdraw-withheld-from-accounts.ts';
import { withdrawWithheldFromMintInstruction } from './withdraw-withheld-from-mint.ts';

const SHARED: readonly TokenInstruction[] = [
  transferInstruction,
  transferCheckedInstruction,
  mintToInstruction,
  mintToCheckedInstruction,
  burnInstruction,
  burnCheckedInstruction,
  closeAccountInstruction,
  syncNativeInstruction,
  initializeAccountInstruction,
  initializeAccount2Instruction,
  initializeAccount3Instruction,
  initializeImmutableOwnerInstruction,
  initializeMintInstruction,
  initializeMint2Instruction,
  initializeMultisigInstruction,
  initializeMultisig2Instruction,
  getAccountDataSizeInstruction,
  approveInstruction,
  approveCheckedInstruction,
  revokeInstruction,
  setAuthorityInstruction,
  freezeAccountInstruction,
  thawAccountInstruction,
];

export const splTokenProgram = tokenProgram(TOKEN_PROGRAM, SHARED);

export const token2022Program = tokenProgram(TOKEN_2022_PROGRAM, [
  ...SHARED,
  transferCheckedWithFeeInstruction,
  withdrawWithheldFromMintInstruction,
  withdrawWithheldFromAccountsInstruction,
  harvestWithheldToMintInstruction,
]);
