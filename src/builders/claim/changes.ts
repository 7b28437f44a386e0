import { WAD } from '../../numeric/fraction.ts';
import { type UserState, userState } from '../../programs/farms/user-state.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import type { StepContext } from '../action.ts';
import type { BuiltAction } from '../built-instruction.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { moveTokens } from '../wallet-changes.ts';
import type { ClaimAccounts, StakeReward } from './accounts.ts';
import { harvestedRewards, isSolReward } from './claim-rewards.ts';
import { rewardTokenProgram } from './request.ts';

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
  for (const [user, rewards] of byStake(harvested)) {
    changes.patch(user, userState, claimed(rewards, moment.timestamp, moment.slot));
  }
  return changes.changes;
}

function byStake(
  harvested: readonly StakeReward[],
): ReadonlyMap<StakeReward['stake']['user'], StakeReward[]> {
  const found = new Map<StakeReward['stake']['user'], StakeReward[]>();
  for (const each of harvested) found.set(each.stake.user, [...(found.get(each.stake.user) ?? []), each]);
  return found;
}

/** The fields of a stake whose rewards were claimed. What was earned counts as paid from now on. */
function claimed(rewards: readonly StakeReward[], timestamp: bigint, slot: bigint) {
  const [first] = rewards;
  if (first === undefined) return {};
  const { userAccount: before, farmAccount } = first.stake;
  const now = farmAccount.timeUnit === 0 ? timestamp : slot;
  const replaced = (list: readonly bigint[], value: (each: StakeReward, at: bigint) => bigint) =>
    list.map((held, index) => {
      const each = rewards.find(({ reward }) => reward.index === index);
      return each === undefined ? held : value(each, held);
    });
  return {
    rewardsTallyScaled: replaced(
      before.rewardsTallyScaled,
      (each, held) => held + earned(before, each) * WAD,
    ),
    rewardsIssuedUnclaimed: replaced(before.rewardsIssuedUnclaimed, () => 0n),
    lastClaimTs: replaced(before.lastClaimTs, () => now),
  };
}

/** Base units that a harvest credits before it pays. */
function earned({ rewardsIssuedUnclaimed }: UserState, { reward, harvest }: StakeReward): bigint {
  return harvest.paid + harvest.treasury - (rewardsIssuedUnclaimed[reward.index] ?? 0n);
}
