import { ONE } from '@sluice/protocol/numeric/rational';
import { farmStakeAt } from '../../domain/farm-stake.ts';
import { withHarvest } from '../../domain/stake-rewards.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import type { StepContext } from '../action.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { farmOracleRate } from '../farm-oracle.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { writeStake } from '../stake-changes.ts';
import { moveTokens } from '../wallet-changes.ts';
import type { ClaimAccounts, StakeReward } from './accounts.ts';
import { harvestedRewards, isSolReward } from './claim-rewards.ts';
import { readStakes, rewardTokenProgram } from './request.ts';

/** The accounts after a claim: the wallet's rewards, and the stakes, which have nothing left to claim. */
export function claimChanges(
  accounts: ClaimAccounts,
  built: BuiltAction,
  { moment }: Pick<StepContext, 'moment'>,
  read: ReadAccounts,
): AccountChanges {
  const changes = new ChangedAccounts(read, accounts.payer);
  const harvested = harvestedRewards(accounts);
  for (const { reward, token, harvest } of harvested) {
    const key = {
      owner: accounts.request.wallet,
      mint: reward.info.token.mint,
      tokenProgram: rewardTokenProgram(reward.info),
    };
    moveTokens(changes, {
      account: token.address,
      key,
      opens: true,
      wrapped: 0n,
      change: harvest.paid,
      closes: false,
    });
  }
  const sol = harvested.find(isSolReward)?.token;
  if (sol !== undefined && built.wrappedSol === 'closed') changes.close(sol.address, accounts.request.wallet);
  for (const each of harvested) harvest(changes, accounts, each, moment);
  return changes.changes;
}

/** Brings the farm and the stake up to date and takes one reward. */
function harvest(
  changes: ChangedAccounts,
  { request }: ClaimAccounts,
  { stake, reward }: StakeReward,
  moment: StepContext['moment'],
): void {
  const [current] = readStakes({ ...request, stakes: [stake] }, changes.read);
  if (current === undefined) return;
  const { farmAccount, userAccount } = current;
  const rate = farmOracleRate(farmAccount, changes.read, moment) ?? ONE;
  const before = farmStakeAt(farmAccount, userAccount, moment, rate);
  const rewards = withHarvest(before.rewards, reward.index, before.now);
  writeStake(changes, stake, { ...before, rewards });
}
