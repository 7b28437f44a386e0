import { farmUserState } from '@sluice/protocol/farms/addresses';
import { MAX_REWARDS } from '@sluice/protocol/farms/farm-state';
import { initializeUser as layout } from '@sluice/protocol/farms/instructions';
import { userState as userLayout } from '@sluice/protocol/farms/user-state';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, anchorInstruction, ensure } from '../anchor.ts';
import { checkProgram, checkSeeds } from '../anchor-accounts.ts';
import { initAccount } from '../anchor-init.ts';
import { FARM } from './farm-errors.ts';
import { FarmModel } from './farm-model.ts';
import { refuseRemaining } from './remaining-accounts.ts';

/** Opens an empty stake: of a wallet by itself, or of a delegatee by the farm's delegate authority. */
export const initializeUser = anchorInstruction(layout, 14_000, ({ invocation, accounts, remaining }) => {
  const { authority, payer, owner, delegatee, userState, farmState, systemProgram, rent } = accounts;
  const farm = new FarmModel(farmState);
  checkProgram(systemProgram, SYSTEM_PROGRAM);
  ensure(rent.address === RENT_SYSVAR, ANCHOR_ERRORS.accountSysvarMismatch);
  const derived = farmUserState(invocation.program, farmState.address, delegatee.address);
  checkSeeds(userState, derived);
  initAccount(invocation, payer, userState, userLayout.size);
  refuseRemaining(remaining);

  if (farm.isDelegated) {
    const { delegateAuthority, secondDelegatedAuthority } = farm.state;
    const allowed = [delegateAuthority, secondDelegatedAuthority].includes(authority.address);
    ensure(allowed, FARM.authorityFarmDelegateMissmatch);
  } else {
    const same = [delegatee, authority, owner].every(({ address }) => address === payer.address);
    ensure(same, FARM.userDelegatedFarmNonDelegatedMissmatch);
  }

  const now = farm.now(invocation.clock);
  userState.write(
    userLayout.encode({
      userId: farm.numUsers,
      farmState: farmState.address,
      owner: owner.address,
      isFarmDelegated: farm.isDelegated ? 1 : 0,
      lastClaimTs: Array.from({ length: MAX_REWARDS }, () => now),
      bump: BigInt(derived.bump),
      delegatee: delegatee.address,
    }),
  );
  ensure(farm.numUsers < U64_MAX, FARM.integerOverflow);
  farm.numUsers += 1n;
  farm.save();
});
