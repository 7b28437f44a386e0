import { FARM_ERRORS } from '@sluice/protocol/error-names';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { anchorProgram } from '../anchor.ts';
import { harvestReward } from './harvest-reward.ts';
import { initializeUser } from './initialize-user.ts';
import { refreshFarm } from './refresh-farm.ts';
import { refreshUserState } from './refresh-user-state.ts';
import { setStakeDelegated } from './set-stake-delegated.ts';
import { stake } from './stake.ts';
import { unstake } from './unstake.ts';
import { withdrawUnstakedDeposits } from './withdraw-unstaked-deposits.ts';

export const farmsProgram = anchorProgram(MAINNET_PROGRAMS.farms, FARM_ERRORS, [
  initializeUser,
  stake,
  unstake,
  withdrawUnstakedDeposits,
  setStakeDelegated,
  harvestReward,
  refreshFarm,
  refreshUserState,
]);
