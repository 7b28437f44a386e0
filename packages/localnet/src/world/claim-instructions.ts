import { harvestReward } from '@sluice/protocol/farms/reward-instructions';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { farmGlobalConfig, farmTreasury } from './farm-treasury.ts';
import type { Wallet } from './model.ts';
import { accountOf, moveTokens, openAccount, unwrapIfNative } from './token-instructions.ts';
import { plain, type Step, withInner } from './transaction-steps.ts';
import type { ClaimAction } from './world-actions.ts';

const { farms } = MAINNET_PROGRAMS;

/** A staker claims one reward of a farm. */
export function claimSteps(wallet: Wallet, { user, reward, amount }: ClaimAction, seed: string): Step[] {
  const { farm } = user;
  const { mint } = reward.token;
  const destination = accountOf(wallet, mint);
  const harvest = harvestReward.encode(
    farms,
    {
      payer: wallet.address,
      userState: user.address,
      farmState: farm.address,
      globalConfig: farmGlobalConfig(seed),
      rewardMint: mint.address,
      userRewardTokenAccount: destination,
      rewardsVault: reward.holding.address,
      rewardsTreasuryVault: farmTreasury(seed, mint),
      farmVaultsAuthority: farm.authority,
      scopePrices: null,
      tokenProgram: mint.program,
    },
    { rewardIndex: BigInt(farm.rewards.indexOf(reward)) },
  );
  return [
    ...plain(openAccount(wallet, wallet, mint)),
    withInner('HarvestReward', harvest, [
      moveTokens(mint, reward.holding.address, destination, farm.authority, amount),
    ]),
    ...plain(...unwrapIfNative(wallet, mint)),
  ];
}
