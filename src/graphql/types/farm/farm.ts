import { integer } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import { type FarmReward, rewardsOfFarm, stakedInFarm } from '../../../services/farms/farms.ts';
import { stakedValueUsd } from '../../../services/rewards/staked-value.ts';
import { builder } from '../../builder.ts';
import { FarmRef, TokenRef, tokenLink } from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { rewardToken } from '../values/reward-token.ts';

const FarmRewardRef = builder.objectRef<FarmReward>('FarmReward').implement({
  description: 'A reward token that a farm pays to its stakers.',
  fields: (t) => ({
    token: rewardToken(t, ({ mint }) => mint),
    perSecond: t.expose('perSecond', {
      type: 'Decimal',
      description: 'Whole tokens per second, paid to all stakers together. 0 once the funds are used up.',
    }),
    apr: t.expose('apr', {
      type: 'Decimal',
      nullable: true,
      description:
        'Rate per year as a fraction, not compounded. Null when the reward has no price or the value of the stake is unknown.',
    }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time when the funds run out or the schedule ends. Null when the farm no longer pays this reward.',
    }),
    available: t.expose('available', {
      type: TokenAmountRef,
      description: 'Amount that has not been paid out yet.',
    }),
  }),
});

FarmRef.implement({
  description: 'A farm, which pays reward tokens to its stakers.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address of the farm.' }),
    stakedToken: t.field({
      type: TokenRef,
      nullable: true,
      description:
        'The token that is staked. Null for the farm of a reserve, in which positions are staked instead of tokens.',
      resolve: ({ value }, _args, { session }) => {
        const mint = presentAddress(value.token.mint);
        return mint === null ? null : tokenLink(session, mint);
      },
    }),
    totalStaked: t.field({
      type: 'Decimal',
      description: 'Active stake, in whole tokens; in base units for the farm of a reserve.',
      resolve: (farm) => {
        const decimals = presentAddress(farm.value.token.mint) === null ? 0n : farm.value.token.decimals;
        return stakedInFarm(farm).div(integer(10n ** decimals));
      },
    }),
    rewards: t.field({
      type: [FarmRewardRef],
      description: 'The rewards that the farm pays.',
      resolve: (farm, _args, { session }) =>
        rewardsOfFarm(session.view, farm, stakedValueUsd(session.view, farm)),
    }),
  }),
});
