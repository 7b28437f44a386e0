import { failedChecks, type PriceCheck, type PriceUsd } from '../../../domain/price.ts';
import type { RewardApy } from '../../../services/farms/farms.ts';
import type { Yield } from '../../../services/reserves/reserves.ts';
import type { TokenAmount } from '../../../services/tokens/amounts.ts';
import { tokenNamed } from '../../../services/tokens/tokens.ts';
import { builder } from '../../builder.ts';
import { TokenRef } from '../../node-refs.ts';
import { rewardToken } from './reward-token.ts';

export const TokenAmountRef = builder.objectRef<TokenAmount>('TokenAmount').implement({
  description: 'An amount of a token with its value in USD and SOL.',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'Decimal', description: 'Amount in whole tokens.' }),
    baseUnits: t.expose('wholeUnits', {
      type: 'BigInt',
      description:
        'Amount in base units, the smallest unit of the mint. A fraction of a unit, such as accrued interest, is rounded as the programs do: up for a debt, down for anything else. `amount` is not rounded.',
    }),
    token: t.field({
      type: TokenRef,
      description: 'The token.',
      resolve: ({ mint, decimals }, _args, { session }) => tokenNamed(session, mint, decimals),
    }),
    usd: t.expose('usd', {
      type: 'Decimal',
      nullable: true,
      description: 'Value in USD. Null, never 0, when no price is known.',
    }),
    sol: t.expose('sol', {
      type: 'Decimal',
      nullable: true,
      description: 'Value in SOL. Null when no price is known.',
    }),
  }),
});

const PriceSourceRef = builder.enumType('PriceSource', {
  description: 'The source of a price.',
  values: {
    RESERVE: { description: 'Stored in a reserve: the price that the lending program used last.' },
    SCOPE: { description: 'Read from the oracle account that the reserve names.' },
  } as const,
});

const PriceCheckRef = builder.enumType('PriceCheck', {
  description: 'A check of the lending program on the price of a reserve.',
  values: {
    LOADED: { description: 'The oracle has a price.' },
    AGE: { description: 'The price is not older than the reserve allows.' },
    TWAP_DIVERGENCE: { description: 'The price is near its time-weighted average.' },
    TWAP_AGE: { description: 'The time-weighted average is not older than the reserve allows.' },
    BOUNDS: { description: 'The price is within the bounds that the reserve sets.' },
    USAGE: { description: 'The reserve does not block the use of its price.' },
  } as const satisfies Record<PriceCheck, object>,
});

export const PriceRef = builder.objectRef<PriceUsd>('Price').implement({
  description: 'The price of one whole token.',
  fields: (t) => ({
    usd: t.expose('usd', { type: 'Decimal', description: 'USD per whole token.' }),
    source: t.expose('source', { type: PriceSourceRef, description: 'Source of the price.' }),
    asOf: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the price. Null when unknown.',
      resolve: ({ asOf }) => (asOf === 0n ? null : new Date(Number(asOf) * 1000)),
    }),
    stale: t.exposeBoolean('stale', {
      description:
        'Whether the price is older than the maximum age that the reserve allows, stands in for an oracle that cannot be read, or belongs to a reserve in emergency mode. It remains readable, for display.',
    }),
    failedChecks: t.field({
      type: [PriceCheckRef],
      nullable: true,
      description:
        'Checks that the price fails. While there are any, the lending program refuses to borrow, and to withdraw from an obligation with debt. Null when no oracle can be read, so that the outcome of a refresh is unknown.',
      resolve: failedChecks,
    }),
  }),
});

const ApyBasisRef = builder.enumType('ApyBasis', {
  description: 'The basis of a yield.',
  values: {
    CURRENT: { description: 'Computed from the current state and rates.' },
    THEORETICAL: { description: 'Computed from the target weights, as if every token were invested.' },
  } as const,
});

export const RewardApyRef = builder.objectRef<RewardApy>('RewardApy').implement({
  description: 'The part of a yield that one reward token contributes.',
  fields: (t) => ({
    token: rewardToken(t, ({ mint }) => mint),
    apy: t.expose('apy', { type: 'Decimal', description: 'Yield per year as a fraction, compounded daily.' }),
    farmAddress: t.field({
      type: 'Address',
      nullable: true,
      description:
        'The farm that pays the reward. Null for a campaign, for rewards of a reserve itself, and in the past: history does not record it.',
      resolve: ({ farm }) => farm ?? null,
    }),
    tokensPerSecond: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Whole reward tokens per second for all positions together. Null in the past: history does not record it.',
      resolve: ({ tokensPerSecond }) => tokensPerSecond ?? null,
    }),
  }),
});

export const ApyBreakdownRef = builder.objectRef<Yield>('ApyBreakdown').implement({
  description:
    'A yield per year as a fraction, of interest and rewards: base + farmRewards + reserveRewards + incentives = total, exactly.',
  fields: (t) => ({
    total: t.expose('total', {
      type: 'Decimal',
      description: 'Total yield per year with all rewards, as a fraction.',
    }),
    basis: t.expose('basis', { type: ApyBasisRef, description: 'Basis of the yield.' }),
    base: t.expose('base', {
      type: 'Decimal',
      description: 'Interest without rewards, as a fraction; for a vault, after its fees.',
    }),
    farmRewards: t.expose('farmRewards', {
      type: 'Decimal',
      description: 'Rewards of the farm in which the position is staked, as a fraction.',
    }),
    reserveRewards: t.expose('reserveRewards', {
      type: 'Decimal',
      description:
        "Rewards that a reserve adds to its own supply, as a fraction: they raise the value of a deposit without a claim. For a vault, those and the campaigns of the reserves that it allocates to, after the vault's performance fee on the former.",
    }),
    incentives: t.expose('incentives', {
      type: 'Decimal',
      description: 'Incentive campaigns, as a fraction.',
    }),
    grossBase: t.expose('grossBase', {
      type: 'Decimal',
      nullable: true,
      description: 'Base yield before vault fees, as a fraction. Null when no vault fee applies.',
    }),
    feeImpact: t.expose('feeImpact', {
      type: 'Decimal',
      nullable: true,
      description: 'Effect of vault fees on the base yield, as a fraction. Null when no vault fee applies.',
    }),
    rewards: t.expose('rewards', {
      type: [RewardApyRef],
      description: 'The reward tokens and the yield that each contributes.',
    }),
  }),
});
