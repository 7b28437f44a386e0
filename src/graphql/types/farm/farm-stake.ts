import * as stakes from '../../../services/wallets/farm-stakes.ts';
import { builder } from '../../builder.ts';
import { FarmRef, ObligationRef, ReserveRef, VaultRef, WalletRef } from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const StakePositionRef = builder.enumType('StakePosition', {
  description: 'Kind of the position that a stake rewards.',
  values: {
    LEND: { description: 'Shares of an earn vault.' },
    BORROW_MARKETS: {
      description:
        'A deposit or debt of an obligation that is neither MULTIPLY nor LEVERAGE, or no longer exists.',
    },
    MULTIPLY: { description: 'A deposit or debt of a Multiply obligation.' },
    LEVERAGE: { description: 'A deposit or debt of a Leverage obligation.' },
    LIQUIDITY: {
      description:
        'Tokens in a farm that belongs to no vault and no reserve, such as shares of a liquidity strategy.',
    },
  } as const satisfies Record<stakes.StakePosition, object>,
});

const REWARD_TYPES = ['PROPORTIONAL', 'CONSTANT'] as const;

const FarmRewardTypeRef = builder.enumType('FarmRewardType', {
  description: 'Rule by which a farm divides a reward.',
  values: {
    PROPORTIONAL: { description: 'Shared among all stakes in proportion to their size. 0 on chain.' },
    CONSTANT: { description: 'A constant amount per staked unit. 1 on chain.' },
  } as const satisfies Record<(typeof REWARD_TYPES)[number], object>,
});

const ClaimableRewardRef = builder.objectRef<stakes.ClaimableReward>('ClaimableReward').implement({
  description: 'A reward of a stake that can be claimed now.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Index of the reward in the farm, which a claim refers to.' }),
    type: t.field({
      type: FarmRewardTypeRef,
      nullable: true,
      description:
        'Rule by which the farm divides the reward. Null when the type is unknown to this version of the gateway.',
      resolve: ({ type }) => REWARD_TYPES[type] ?? null,
    }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      description: 'Amount that can be claimed now, before the share of the farms program.',
    }),
    tokenProgram: t.expose('tokenProgram', {
      type: 'Address',
      description: 'The token program of the reward token.',
    }),
  }),
});

const FarmStakeRef = builder.objectRef<stakes.PositionStake>('FarmStake').implement({
  description: 'A stake of a wallet, or of one of its obligations, in a farm.',
  fields: (t) => ({
    address: t.field({
      type: 'Address',
      description: 'Address of the stake, the user state of the farms program.',
      resolve: ({ user }) => user.address,
    }),
    farm: t.expose('farm', { type: FarmRef, description: 'The farm.' }),
    delegatee: t.field({
      type: 'Address',
      description: 'The obligation that is staked, or the wallet that has staked tokens.',
      resolve: ({ user }) => user.value.delegatee,
    }),
    strategyAddress: t.field({
      type: 'Address',
      nullable: true,
      description:
        'The liquidity strategy whose shares are staked, as the farm names it. Null for the farm of a vault or a reserve, and for one that names none.',
      resolve: stakes.strategyOf,
    }),
    vault: t.expose('vault', {
      type: VaultRef,
      nullable: true,
      description: 'The vault whose farm this is. Null for any other farm.',
    }),
    reserve: t.expose('reserve', {
      type: ReserveRef,
      nullable: true,
      description: 'The reserve whose farm this is. Null for any other farm.',
    }),
    obligation: t.expose('obligation', {
      type: ObligationRef,
      nullable: true,
      description:
        'The obligation that is staked. Null for tokens that the wallet has staked itself, and for an obligation that no longer exists.',
    }),
    position: t.field({
      type: StakePositionRef,
      description: 'Kind of the position that the stake rewards.',
      resolve: stakes.stakePosition,
    }),
    positionMints: t.field({
      type: ['Address'],
      description:
        'Mints of the position: collateral and debt of a leveraged obligation, otherwise the one token that is rewarded; of a vault its deposit token. Empty when they are unknown.',
      resolve: (stake, _args, { session }) => stakes.positionMints(session.view, stake),
    }),
    activeStake: t.field({
      type: 'Decimal',
      description:
        'Active stake in whole tokens: shares of the vault, collateral tokens or owed tokens of the reserve, otherwise tokens of the farm.',
      resolve: stakes.stakedTokens,
    }),
    amount: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'The staked tokens with their value. Null for the farm of a reserve, in which positions are staked instead of tokens.',
      resolve: (stake, _args, { session }) => stakes.stakedAmount(session.view, stake),
    }),
    priceUsd: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Price in USD per whole staked token; the share price for shares of a vault. Null when no price is known, and for the farm of a reserve.',
      resolve: (stake, _args, { session }) => stakes.stakedAmount(session.view, stake)?.priceUsd ?? null,
    }),
    rewards: t.field({
      type: [ClaimableRewardRef],
      description: 'Rewards that can be claimed now, in the order of the farm.',
      resolve: (stake, _args, { session }) => stakes.claimableRewardsOf(session.view, stake),
    }),
  }),
});

builder.objectFields(WalletRef, (t) => ({
  stakes: t.field({
    type: [FarmStakeRef],
    nullable: true,
    description:
      'Stakes of the wallet and of its obligations in all farms, ordered by address. A stake that is empty and has nothing to claim is left out; so is one that cannot be read, which is named in `extensions.warnings`. Null, with an error, when they cannot be read.',
    resolve: async ({ address }, _args, { session, warnings }, info) => {
      const found = await stakes.positionStakes(session, address);
      warnings.leftOut(info, found.unreadable);
      return [...found.stakes];
    },
  }),
}));
