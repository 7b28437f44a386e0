import { refreshUserState as layout } from '@sluice/protocol/farms/instructions';
import { anchorInstruction } from '../anchor.ts';
import { checkHasOne } from '../anchor-accounts.ts';
import { FarmModel } from './farm-model.ts';
import { activateDueDeposit } from './pending-deposit.ts';
import { refuseRemaining } from './remaining-accounts.ts';
import { creditRewards, issueRewards } from './rewards.ts';
import { loadScopePrice } from './scope-price.ts';
import { UserModel } from './user-model.ts';

export const refreshUserState = anchorInstruction(layout, 12_000, ({ invocation, accounts, remaining }) => {
  const { userState, farmState, scopePrices } = accounts;
  const user = new UserModel(userState);
  const farm = new FarmModel(farmState);
  checkHasOne(user.state.farmState, farmState);
  refuseRemaining(remaining);
  const price = loadScopePrice(farm, scopePrices);
  const now = farm.now(invocation.clock);
  issueRewards(farm, price, now);
  creditRewards(farm, user);
  user.isFarmDelegated = farm.isDelegated ? 1 : 0;
  if (!farm.isDelegated) activateDueDeposit(farm, user, now);
  farm.save();
  user.save();
});
