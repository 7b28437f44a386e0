import { integer } from '../../numeric/rational.ts';
import { presentAddress } from '../../programs/program-ids.ts';
import { type FarmReward, rewardsOfFarm, stakedInFarm } from '../../services/farms.ts';
import { stakedValueUsd } from '../../services/stakes.ts';
import { builder } from '../builder.ts';
import { FarmRef, TokenRef, tokenLink } from '../node-refs.ts';
import { TokenAmountRef } from './amounts.ts';

export const FarmRewardRef = builder.objectRef<FarmReward>('FarmReward').implement({
  description: 'One token that a farm pays to its stakers.',
  fields: (t) => ({
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The token that is paid. Null, with an error, when its mint cannot be read.',
      resolve: ({ mint }, _args, { session }) => tokenLink(session, mint),
    }),
    perSecond: t.expose('perSecond', {
      type: 'Decimal',
      nullable: false,
      description: 'Whole tokens per second to all stakers together; 0 once the funds are used up.',
    }),
    apr: t.expose('apr', {
      type: 'Decimal',
      nullable: true,
      description:
        'Yearly rate as a fraction, not compounded. Null when the reward has no price or the stake no known value.',
    }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its funds or its schedule end. Null when it pays nothing from now on.',
    }),
    available: t.expose('available', {
      type: TokenAmountRef,
      nullable: false,
      description: 'Not yet paid out.',
    }),
  }),
});

FarmRef.implement({
  description: 'A farm: stakes earn reward tokens.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', nullable: false, description: 'Address of the farm.' }),
    stakedToken: t.field({
      type: TokenRef,
      nullable: true,
      description:
        'What is staked. Null for the farm of a reserve, whose stakes are positions and not tokens.',
      resolve: ({ value }, _args, { session }) => {
        const mint = presentAddress(value.token.mint);
        return mint === null ? null : tokenLink(session, mint);
      },
    }),
    totalStaked: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Staked and active: whole tokens, or base units for the farm of a reserve.',
      resolve: (farm) => {
        const decimals = presentAddress(farm.value.token.mint) === null ? 0n : farm.value.token.decimals;
        return stakedInFarm(farm).div(integer(10n ** decimals));
      },
    }),
    rewards: t.field({
      type: [FarmRewardRef],
      nullable: false,
      description: 'What it pays.',
      resolve: (farm, _args, { session }) =>
        rewardsOfFarm(session.view, farm, stakedValueUsd(session.view, farm)),
    }),
  }),
});
