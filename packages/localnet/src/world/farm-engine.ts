import { WAD } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import { addFarmUser, createFarmUser } from './farms.ts';
import { Draft } from './journal.ts';
import type { Farm, FarmUser, Obligation, Reward, Wallet } from './model.ts';
import { timeOf } from './time.ts';
import type { World } from './world.ts';

/** Reward units scheduled between two times (unix seconds). */
function scheduled(reward: Reward, from: number, to: number): bigint {
  let total = 0n;
  reward.points.forEach(({ start, rate }, i) => {
    const end = reward.points[i + 1]?.start ?? Number.POSITIVE_INFINITY;
    const seconds = Math.min(to, end) - Math.max(from, start);
    if (seconds > 0) total += rate * BigInt(seconds);
  });
  return total / 10n ** BigInt(reward.rateDecimals);
}

/** Issues rewards up to `time`. Nothing is issued while no one stakes. */
export function issueRewards(farm: Farm, time: number): void {
  for (const reward of farm.rewards) {
    if (time <= reward.lastIssuanceTime) continue;
    if (farm.totalStaked > 0n) {
      const due = scheduled(reward, reward.lastIssuanceTime, time);
      // The time stays, so that the fraction of a unit is not lost.
      if (due === 0n) continue;
      const issued = lesser(reward.available, due);
      reward.available -= issued;
      reward.issuedUnclaimed += issued;
      reward.issuedCumulative += issued;
      reward.perShareScaled += (issued * WAD) / farm.totalStaked;
    }
    reward.lastIssuanceTime = time;
  }
}

/** Changes a stake by `delta`, after crediting what it has earned. */
export function changeStake(world: World, user: FarmUser, delta: bigint, time: number): void {
  const { farm } = user;
  issueRewards(farm, time);
  farm.rewards.forEach((reward, i) => {
    credit(user, i);
    const { perShareScaled } = reward;
    // A stake that is reported begins anew. Else the remainder of an incomplete unit may be lost when a stake ends.
    user.talliesScaled[i] =
      farm.delegateAuthority === null
        ? atLeastZero((user.talliesScaled[i] ?? 0n) + delta * perShareScaled)
        : (user.stake + delta) * perShareScaled;
  });
  user.stake += delta;
  farm.totalStaked += delta;
  if (delta > 0n) user.lastStakeTime = time;
  if (delta < 0n && farm.delegateAuthority === null) user.lastUnstakeTime = time;
  world.store.touch(farm.address);
  world.store.touch(user.address);
}

/** Credits a stake with what it has earned of one reward, in whole units. */
function credit(user: FarmUser, index: number): void {
  const perShareScaled = user.farm.rewards[index]?.perShareScaled ?? 0n;
  const tally = user.talliesScaled[index] ?? 0n;
  const earned = (user.stake * perShareScaled - tally) / WAD;
  user.talliesScaled[index] = tally + earned * WAD;
  user.unclaimed[index] = (user.unclaimed[index] ?? 0n) + earned;
  user.cumulative[index] = (user.cumulative[index] ?? 0n) + earned;
}

/**
 * The stake of a wallet or obligation in a farm, created if needed at `time`; the second value says whether it was.
 */
export function farmUserOf(
  world: World,
  farm: Farm,
  holder: Wallet | Obligation,
  time: number,
): [FarmUser, boolean] {
  const known = holder.stakes.get(farm.address);
  if (known !== undefined) return [known, false];
  const owner = 'key' in holder ? holder.owner.address : holder.address;
  const user = createFarmUser(farm, owner, holder.address, time);
  holder.stakes.set(farm.address, user);
  addFarmUser(world.store, user);
  return [user, true];
}

/** Pays out what a stake has earned of one reward. False when there is nothing to pay. */
export function claimReward(
  world: World,
  user: FarmUser,
  wallet: Wallet,
  reward: Reward,
  slot: bigint,
): boolean {
  const index = user.farm.rewards.indexOf(reward);
  issueRewards(user.farm, timeOf(slot));
  credit(user, index);
  for (const { address } of [user.farm, user]) world.store.touch(address);
  const amount = lesser(user.unclaimed[index] ?? 0n, reward.holding.amount);
  if (amount <= 0n) return false;
  const draft = new Draft(world.store, wallet, slot);
  draft.move(reward.holding, -amount);
  draft.take(wallet, reward.token.mint, -amount);
  user.unclaimed[index] = (user.unclaimed[index] ?? 0n) - amount;
  reward.issuedUnclaimed = atLeastZero(reward.issuedUnclaimed - amount);
  user.lastClaimTimes[index] = timeOf(slot);
  const concerned = [wallet.address, user.address, user.farm.address];
  for (const { holding } of draft.movements) concerned.push(holding.address);
  world.journal.append(draft, { kind: 'claim', user, reward, amount }, concerned);
  return true;
}
