import { farmSettingName } from '@sluice/protocol/farms/farm-settings';
import type { Sentences, Writer } from './writer.ts';

/** Instructions of the farms program, in words. */
export const FARMS: Sentences = {
  initializeUser: (w) => `Create a stake account in ${w.the('farmState')}`,
  stake: (w) => `Stake ${w.tokens('amount', 'tokenMint')} in ${w.the('farmState')}`,
  unstake: (w) => `Unstake ${w.stake()} from ${w.the('farmState')}`,
  withdrawUnstakedDeposits: (w) => `Withdraw what was unstaked from ${w.the('farmState')}`,
  harvestReward: (w) => `Claim the ${w.the('rewardMint')} rewards of ${w.the('farmState')}`,
  setStakeDelegated: (w) => `Set a stake in ${w.the('farmState')}`,
  refreshFarm: (w) => `Refresh the rewards of ${w.the('farmState')}`,
  refreshUserState: (w) => `Refresh the rewards of a stake in ${w.the('farmState')}`,
  closeEmptyUserState: (w) =>
    `Close an empty stake account in ${w.the('farmState')} and return its rent to ${w.the('rentReceiver')}`,
  initializeFarm: (w) => `Create ${w.the('farmState')} for stakes of ${w.the('tokenMint')}`,
  initializeFarmDelegated: (w) =>
    `Create ${w.the('farmState')}, in which ${w.the('farmDelegate')} sets the stakes`,
  initializeReward: (w) => `Add ${w.the('rewardMint')} to the rewards of ${w.the('farmState')}`,
  addRewards: (w) => `Add ${w.tokens('amount', 'rewardMint')} to the rewards of ${w.the('farmState')}`,
  withdrawReward: (w) =>
    `Withdraw ${w.tokens('amount', 'rewardMint')} from the rewards of ${w.the('farmState')}`,
  rewardUserOnce: (w) => `Credit one stake in ${w.the('farmState')} with a reward`,
  updateFarmConfig: (w) => `Change the ${changedSetting(w)} of ${w.the('farmState')}`,
  updateFarmAdmin: (w) => `Become the admin of ${w.the('farmState')}`,
  updateSecondDelegatedAuthority: (w) =>
    `Let ${w.the('newSecondDelegatedAuthority')} set the stakes in ${w.the('farmState')} too`,
  depositToFarmVault: (w) =>
    `Add ${w.tokens('amount', 'depositorAta')} to the tokens of ${w.the('farmState')}`,
  withdrawFromFarmVault: (w) =>
    `Withdraw ${w.tokens('amount', 'withdrawerTokenAccount')} from the stakes of ${w.the('farmState')}`,
  withdrawSlashedAmount: (w) =>
    `Move the penalties of ${w.the('farmState')} to ${w.the('slashedAmountSpillAddress')}`,
};

/** "UpdateRewardRps" is the setting "reward rps". */
function changedSetting(w: Writer): string {
  const name = farmSettingName(Number(w.arg('mode')));
  if (name === null) return 'settings';
  const words = name.replace(/^Update/, '').replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`);
  return `setting "${words.toLowerCase()}"`;
}
