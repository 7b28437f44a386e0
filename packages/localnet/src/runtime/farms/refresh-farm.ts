import { farmState as farmLayout } from '@sluice/protocol/farms/farm-state';
import { refreshFarm as layout } from '@sluice/protocol/farms/instructions';
import { NO_ADDRESS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { anchorInstruction, patch } from '../anchor.ts';
import { FarmModel } from './farm-model.ts';
import { refuseRemaining } from './remaining-accounts.ts';
import { issueRewards } from './rewards.ts';
import { loadScopePrice } from './scope-price.ts';

export const refreshFarm = anchorInstruction(layout, 8_000, ({ invocation, accounts, remaining }) => {
  const { farmState, scopePrices } = accounts;
  const farm = new FarmModel(farmState);
  refuseRemaining(remaining);
  const price = loadScopePrice(farm, scopePrices);
  farm.isFarmDelegated = farm.isDelegated ? 1 : 0;
  issueRewards(farm, price, farm.now(invocation.clock));
  farm.save();
  // Older delegated farms name a token program although they hold no token.
  if (farm.isDelegated && farm.state.token.tokenProgram === TOKEN_PROGRAM) {
    patch(farmState, farmLayout, { token: { tokenProgram: NO_ADDRESS } });
  }
});
