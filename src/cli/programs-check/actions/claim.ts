import type { CheckedAction } from '../checked-action.ts';
import { balanceWith } from '../figures.ts';
import { balanceOf } from '../read-back.ts';
import type { Subject } from '../subject.ts';

export function claimRewards({ wallet }: Subject): CheckedAction {
  return {
    kind: 'CLAIM_REWARDS',
    name: 'claim rewards',
    prepare: () => ({ mutation: 'buildClaimRewards', inputType: 'ClaimRewardsInput', input: { wallet } }),
    nothingToDo: ['NOTHING_TO_CLAIM', 'FARM_STAKE_NOT_FOUND'],
    predicted: ({ rewards }, before) => ({ balance: balanceWith(rewards, before) }),
    readBack: async (ask, { rewards: [reward] }) => await balanceOf(ask, wallet, reward?.amount.token.mint),
  };
}
