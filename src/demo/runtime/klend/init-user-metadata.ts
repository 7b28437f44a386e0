import { userMetadataAddress } from '../../../programs/klend/addresses.ts';
import { initUserMetadata as layout } from '../../../programs/klend/setup-instructions.ts';
import { userMetadata } from '../../../programs/klend/user-metadata.ts';
import { NO_ADDRESS, RENT_SYSVAR, SYSTEM_PROGRAM } from '../../../programs/program-ids.ts';
import { anchorInstruction, load } from '../anchor.ts';
import { checkProgram, checkSeeds, checkSysvar } from '../anchor-accounts.ts';
import { initAccount } from '../anchor-init.ts';

/** Registers a wallet, once. A referrer can be named only here. */
export const initUserMetadata = anchorInstruction(layout, 14_000, ({ invocation, accounts, args }) => {
  const { program } = invocation;
  const { owner, referrerUserMetadata } = accounts;
  checkSysvar(accounts.rent, RENT_SYSVAR);
  checkProgram(accounts.systemProgram, SYSTEM_PROGRAM);
  const derived = userMetadataAddress(program, owner.address);
  const referrer =
    referrerUserMetadata === null ? NO_ADDRESS : load(referrerUserMetadata, userMetadata, program).owner;
  checkSeeds(accounts.userMetadata, derived);
  initAccount(invocation, accounts.feePayer, accounts.userMetadata, userMetadata.size);
  const value = {
    referrer,
    bump: BigInt(derived.bump),
    userLookupTable: args.userLookupTable,
    owner: owner.address,
  };
  accounts.userMetadata.write(userMetadata.encode(value));
});
