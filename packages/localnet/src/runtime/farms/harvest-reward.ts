import { farmAuthority, rewardTreasury, rewardVault } from '@sluice/protocol/farms/addresses';
import { globalConfig as configLayout } from '@sluice/protocol/farms/global-config';
import { harvestReward as layout } from '@sluice/protocol/farms/reward-instructions';
import { FULL_BPS } from '@sluice/protocol/numeric/fraction';
import { transferChecked } from '@sluice/protocol/token/instructions';
import { aborted, anchorInstruction, ensure, load } from '../anchor.ts';
import {
  checkHasOne,
  checkSeeds,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { FARM } from './farm-errors.ts';
import { FarmModel } from './farm-model.ts';
import { refuseRemaining } from './remaining-accounts.ts';
import { checkRewardMint } from './reward-mint.ts';
import { creditReward, issueRewards } from './rewards.ts';
import { loadScopePrice, type ScopePrice } from './scope-price.ts';
import { at, UserModel } from './user-model.ts';

/** Pays out what a stake has earned of one reward. */
export const harvestReward = anchorInstruction(
  layout,
  40_000,
  ({ invocation, accounts, args, remaining }) => {
    const { payer, userState, farmState, globalConfig, rewardMint, farmVaultsAuthority } = accounts;
    const { userRewardTokenAccount, rewardsVault, rewardsTreasuryVault, tokenProgram } = accounts;
    const { program } = invocation;
    const index = Number(args.rewardIndex);
    const user = new UserModel(userState);
    const farm = new FarmModel(farmState);
    const config = load(globalConfig, configLayout, program);
    const mint = loadMint(rewardMint);
    loadTokenAccount(userRewardTokenAccount);
    const vault = loadTokenAccount(rewardsVault);
    loadTokenAccount(rewardsTreasuryVault);
    checkTokenProgram(tokenProgram);

    const mayHarvest = farm.state.isHarvestingPermissionless !== 0 || user.state.owner === payer.address;
    ensure(mayHarvest, FARM.harvestingNotPermissionlessPayerMismatch);
    checkHasOne(user.state.farmState, farmState);
    checkHasOne(farm.state.globalConfig, globalConfig);
    checkHasOne(farm.state.farmVaultsAuthority, farmVaultsAuthority);
    const rules = { mint: rewardMint.address, tokenProgram: tokenProgram.address };
    loadTokenAccount(userRewardTokenAccount, { ...rules, authority: user.state.owner });
    checkSeeds(rewardsVault, rewardVault(program, farm.address, vault.mint));
    ensure(vault.delegate === null, FARM.rewardsVaultHasDelegate);
    ensure(vault.closeAuthority === null, FARM.rewardsVaultHasCloseAuthority);
    const reward = farm.state.rewardInfos[index];
    if (reward === undefined) throw aborted();
    ensure(rewardsVault.address === reward.rewardsVault, FARM.rewardVaultMismatch);
    loadTokenAccount(rewardsVault, rules);
    checkSeeds(rewardsTreasuryVault, rewardTreasury(program, globalConfig.address, vault.mint));
    loadTokenAccount(rewardsTreasuryVault, rules);
    checkSeeds(farmVaultsAuthority, farmAuthority(program, farm.address));

    refuseRemaining(remaining);
    checkRewardMint(mint);
    const price = loadScopePrice(farm, accounts.scopePrices);
    ensure(index < farm.rewards.length, FARM.rewardIndexOutOfRange);
    const harvested = harvest(farm, user, index, price, farm.now(invocation.clock));
    farm.save();
    user.save();
    const treasuryShare = (harvested * config.treasuryFeeBps) / FULL_BPS;
    const pay = (destination: InstructionAccount, amount: bigint) => {
      if (amount === 0n) return;
      const owner = farmVaultsAuthority.address;
      const path = {
        source: rewardsVault.address,
        mint: rewardMint.address,
        destination: destination.address,
        owner,
      };
      const args = { amount, decimals: mint.decimals };
      invocation.invoke(transferChecked.encode(tokenProgram.address, path, args), [owner]);
    };
    pay(userRewardTokenAccount, harvested - treasuryShare);
    pay(rewardsTreasuryVault, treasuryShare);
  },
);

/** Takes what is unclaimed, in base units of the reward. */
function harvest(
  farm: FarmModel,
  user: UserModel,
  index: number,
  price: ScopePrice | null,
  ts: bigint,
): bigint {
  issueRewards(farm, price, ts);
  creditReward(farm, user, index);
  const reward = farm.rewards[index];
  if (reward === undefined) throw aborted();
  const elapsed = ts - at(user.lastClaimTs, index);
  ensure(elapsed >= 0n, FARM.integerOverflow);
  ensure(elapsed >= reward.info.minClaimDurationSeconds, FARM.minClaimDurationNotReached);
  const amount = at(user.rewardsIssuedUnclaimed, index);
  // The time of the last claim stays when there is nothing to claim.
  if (amount === 0n) return 0n;
  ensure(amount <= reward.rewardsIssuedUnclaimed, FARM.integerOverflow);
  reward.rewardsIssuedUnclaimed -= amount;
  user.rewardsIssuedUnclaimed[index] = 0n;
  user.lastClaimTs[index] = ts;
  return amount;
}
