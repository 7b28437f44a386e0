import { farmAuthority } from '@sluice/protocol/farms/addresses';
import { withdrawUnstakedDeposits as layout } from '@sluice/protocol/farms/instructions';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { transfer } from '@sluice/protocol/token/instructions';
import { anchorInstruction, ensure } from '../anchor.ts';
import { checkHasOne, checkProgram, checkSeeds } from '../anchor-accounts.ts';
import { FARM } from './farm-errors.ts';
import { FarmModel } from './farm-model.ts';
import { refuseRemaining } from './remaining-accounts.ts';
import { checkStakerTokens, checkStakeVault, loadStakeTokens } from './stake-vault.ts';
import { removePendingWithdrawal } from './stakes.ts';
import { UserModel } from './user-model.ts';

/** Pays out what was unstaked, once its cooldown is over. */
export const withdrawUnstakedDeposits = anchorInstruction(
  layout,
  20_000,
  ({ invocation, accounts, remaining }) => {
    const { owner, userState, farmState, userAta, farmVault, farmVaultsAuthority, tokenProgram } = accounts;
    const user = new UserModel(userState);
    const farm = new FarmModel(farmState);
    const tokens = loadStakeTokens(userAta);
    const vault = loadStakeTokens(farmVault);
    checkProgram(tokenProgram, TOKEN_PROGRAM);
    checkHasOne(user.state.owner, owner);
    checkHasOne(user.state.farmState, farmState);
    checkHasOne(farm.state.farmVault, farmVault);
    checkHasOne(farm.state.farmVaultsAuthority, farmVaultsAuthority);
    checkStakerTokens(farm, owner, tokens);
    checkStakeVault(invocation, farm, farmVault, vault);
    checkSeeds(farmVaultsAuthority, farmAuthority(invocation.program, farm.address));

    refuseRemaining(remaining);
    ensure(!farm.isDelegated, FARM.farmDelegated);
    ensure(user.pendingWithdrawalUnstakeTs <= farm.now(invocation.clock), FARM.unstakeNotElapsed);
    ensure(user.pendingWithdrawalUnstakeScaled > 0n, FARM.nothingToWithdraw);
    const amount = removePendingWithdrawal(farm, user);
    farm.save();
    user.save();
    if (amount === 0n) return;
    const authority = farmVaultsAuthority.address;
    const path = { source: farmVault.address, destination: userAta.address, owner: authority };
    invocation.invoke(transfer.encode(tokenProgram.address, path, { amount }), [authority]);
  },
);
