import { unstake as layout } from '@sluice/protocol/farms/instructions';
import { WAD } from '@sluice/protocol/numeric/fraction';
import { anchorInstruction, ensure } from '../anchor.ts';
import { checkHasOne } from '../anchor-accounts.ts';
import { earlyWithdrawalPenalty } from './early-withdrawal.ts';
import { FARM } from './farm-errors.ts';
import { FarmModel } from './farm-model.ts';
import { refuseRemaining } from './remaining-accounts.ts';
import { creditRewards, issueRewards } from './rewards.ts';
import { loadScopePrice, type ScopePrice } from './scope-price.ts';
import { addPendingWithdrawal, removeActive } from './stakes.ts';
import { at, UserModel } from './user-model.ts';
import { wadProduct } from './wad-decimal.ts';

/** Ends a stake, or a part of it; the tokens can be withdrawn when the cooldown is over. */
export const unstake = anchorInstruction(layout, 20_000, ({ invocation, accounts, args, remaining }) => {
  const { owner, userState, farmState } = accounts;
  const user = new UserModel(userState);
  const farm = new FarmModel(farmState);
  checkHasOne(user.state.owner, owner);
  checkHasOne(user.state.farmState, farmState);
  ensure(args.stakeSharesScaled !== 0n, FARM.unstakeZero);
  refuseRemaining(remaining);
  const price = loadScopePrice(farm, accounts.scopePrices);
  ensure(!farm.isDelegated, FARM.farmDelegated);
  removeStake(farm, user, args.stakeSharesScaled, price, farm.now(invocation.clock));
  farm.save();
  user.save();
});

function removeStake(
  farm: FarmModel,
  user: UserModel,
  requested: bigint,
  price: ScopePrice | null,
  ts: bigint,
): void {
  issueRewards(farm, price, ts);
  creditRewards(farm, user);
  const shares = requested < user.activeStakeScaled ? requested : user.activeStakeScaled;
  ensure(shares > 0n, FARM.nothingToUnstake);
  // A withdrawal that still cools down is extended; one that is due must be taken first.
  const isDue = user.pendingWithdrawalUnstakeScaled > 0n && user.pendingWithdrawalUnstakeTs <= ts;
  ensure(!isDue, FARM.pendingWithdrawalNotWithdrawnYet);
  user.pendingWithdrawalUnstakeTs = ts + BigInt(farm.state.withdrawalCooldownPeriod);
  const amount = removeActive(farm, user, shares);
  const penalty = earlyWithdrawalPenalty(farm, user, amount, ts);
  addPendingWithdrawal(farm, user, amount - penalty);
  farm.slashedAmountCurrent += penalty;
  farm.slashedAmountCumulative += penalty;
  farm.rewards.forEach(({ rewardPerShareScaled }, i) => {
    const tally = at(user.rewardsTallyScaled, i);
    const loss = wadProduct(shares, rewardPerShareScaled);
    // Up to one unit of reward may be missing, because credits are in whole units.
    ensure(tally + WAD > loss, FARM.integerOverflow);
    user.rewardsTallyScaled[i] = tally > loss ? tally - loss : 0n;
  });
}
