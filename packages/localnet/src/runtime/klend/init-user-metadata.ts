import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { initUserMetadata as layout } from '@sluice/protocol/klend/setup-instructions';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { NO_ADDRESS, RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
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
