import type { FarmState } from '@sluice/protocol/farms/farm-state';
import { type GlobalConfig, globalConfig } from '@sluice/protocol/farms/global-config';
import { ONE } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import {
  claimableReward,
  type FarmReward,
  farmRewards,
  type Harvest,
  harvestOf,
  untilClaim,
} from '../../domain/rewards.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { StepContext } from '../action.ts';
import { farmOracleRate } from '../farm-oracle.ts';
import { optionalAccount, type ReadAccounts, type WalletToken, walletToken } from '../read-accounts.ts';
import { type UsableTable, usableTables } from '../transaction/lookup-tables.ts';
import { type ClaimRequest, type ReadStake, readStakes, rewardAccount } from './request.ts';

/** A reward of a stake, and what a claim of it would do now. */
export interface StakeReward {
  readonly stake: ReadStake;
  readonly reward: FarmReward;
  /** Nothing is paid when both parts are 0. */
  readonly harvest: Harvest;
  /** Time until the program allows the next claim, in the farm's unit of time; 0 for now. */
  readonly wait: bigint;
  /** Whether the farm needs an oracle that the program would not accept now. */
  readonly oracleRefused: boolean;
  /** The wallet's account that receives the reward. */
  readonly token: WalletToken;
}

/** All inputs of a claim. */
export interface ClaimAccounts {
  readonly request: ClaimRequest;
  /** Pays rent of accounts that the action creates. */
  readonly payer: Address;
  /** By stake, then by index of the reward. */
  readonly rewards: readonly StakeReward[];
  readonly tables: readonly UsableTable[];
}

/** Decodes the accounts, read at `slot`, and computes the rewards at `moment`. */
export function claimAccounts(
  request: ClaimRequest,
  read: ReadAccounts,
  { slot, moment, payer }: Pick<StepContext, 'slot' | 'moment' | 'payer'>,
): ClaimAccounts {
  const rewards = readStakes(request, read).flatMap((stake) => {
    const config = configOf(request, read, stake.farmAccount);
    const rate = farmOracleRate(stake.farmAccount, read, moment);
    return farmRewards(stake.farmAccount).map((reward): StakeReward => {
      const { farmAccount, userAccount } = stake;
      const claimable = claimableReward(farmAccount, userAccount, reward, moment, rate ?? ONE);
      return {
        stake,
        reward,
        harvest: harvestOf(claimable, config),
        wait: untilClaim(farmAccount, userAccount, reward, moment),
        oracleRefused: rate === null,
        token: walletToken(read, rewardAccount(request.wallet, reward.info)),
      };
    });
  });
  return { request, payer, rewards, tables: usableTables(request.lookupTables, read, slot) };
}

function configOf({ programs }: ClaimRequest, read: ReadAccounts, { globalConfig: address }: FarmState) {
  const config: GlobalConfig | null = optionalAccount(read, address, globalConfig, programs.farms);
  if (config !== null) return config;
  throw new SluiceError('ACCOUNT_NOT_FOUND', { account: 'GlobalConfig', address });
}
