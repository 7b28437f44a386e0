import type { PriceUsd } from '../../domain/price.ts';
import type { TokenAmount } from '../../services/amounts.ts';
import type { RewardApy } from '../../services/farms.ts';
import type { Yield } from '../../services/reserves.ts';
import { builder } from '../builder.ts';
import { TokenRef, tokenLink } from '../node-refs.ts';
import { ApyWindowRef } from './time.ts';

export const TokenAmountRef = builder.objectRef<TokenAmount>('TokenAmount').implement({
  description: 'An amount of a token with its value. The reader never multiplies.',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'Decimal', nullable: false, description: 'Whole tokens.' }),
    baseUnits: t.expose('baseUnits', {
      type: 'Decimal',
      nullable: false,
      description:
        'The smallest units of the mint. May have a fraction where interest accrues between units.',
    }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The token. Null, with an error, when its mint cannot be read.',
      resolve: ({ mint }, _args, { session }) => tokenLink(session, mint),
    }),
    usd: t.expose('usd', {
      type: 'Decimal',
      nullable: true,
      description: 'Value in USD. Null when no price is known, never 0 for that.',
    }),
    sol: t.expose('sol', {
      type: 'Decimal',
      nullable: true,
      description: 'Value in SOL. Null when no price is known.',
    }),
  }),
});

export const PriceSourceRef = builder.enumType('PriceSource', {
  description: 'Where a price comes from.',
  values: {
    RESERVE: { description: 'Stored in a reserve: what the lending program used last.' },
    SCOPE: { description: 'The live oracle account.' },
    CATALOGUE: { description: 'The token catalogue of this deployment.' },
  } as const,
});

/** A price with the name of its source. */
export interface SourcedPrice extends PriceUsd {
  readonly source: 'RESERVE' | 'SCOPE' | 'CATALOGUE';
}

export function priceFrom(source: SourcedPrice['source'], price: PriceUsd | null): SourcedPrice | null {
  return price && { usd: price.usd, asOf: price.asOf, stale: price.stale, source };
}

export const PriceRef = builder.objectRef<SourcedPrice>('Price').implement({
  description: 'A price of one whole token.',
  fields: (t) => ({
    usd: t.expose('usd', { type: 'Decimal', nullable: false, description: 'USD per whole token.' }),
    source: t.field({
      type: PriceSourceRef,
      nullable: false,
      description: 'Where it comes from.',
      resolve: ({ source }) => source,
    }),
    asOf: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was made. Null when unknown.',
      resolve: ({ asOf }) => (asOf === 0n ? null : new Date(Number(asOf) * 1000)),
    }),
    stale: t.exposeBoolean('stale', {
      nullable: false,
      description: 'Whether it is older than the reserve lets a price be.',
    }),
  }),
});

export const ApyBasisRef = builder.enumType('ApyBasis', {
  description: 'What a yield is computed from.',
  values: {
    CURRENT: { description: 'The present state and rates.' },
    THEORETICAL: { description: 'The target weights, every token invested.' },
    REALISED: { description: 'What the share price did over a window.' },
  } as const,
});

export const RewardApyRef = builder.objectRef<RewardApy>('RewardApy').implement({
  description: 'What one reward token adds to a yield.',
  fields: (t) => ({
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The token that is paid. Null, with an error, when its mint cannot be read.',
      resolve: ({ mint }, _args, { session }) => tokenLink(session, mint),
    }),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: false,
      description: 'Yearly, as a fraction, compounded daily.',
    }),
  }),
});

export const ApyBreakdownRef = builder.objectRef<Yield>('ApyBreakdown').implement({
  description:
    'A yearly yield as a fraction, in parts: base + farmRewards + reserveRewards + incentives = total, exactly.',
  fields: (t) => ({
    total: t.expose('total', { type: 'Decimal', nullable: false, description: 'The whole yield.' }),
    basis: t.field({
      type: ApyBasisRef,
      nullable: false,
      description: 'What it is computed from.',
      resolve: ({ basis }) => basis,
    }),
    window: t.field({
      type: ApyWindowRef,
      nullable: true,
      description: 'The window of a realised yield. Null for any other.',
      resolve: ({ window }) => window ?? null,
    }),
    from: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the share price was seen that a realised yield begins with: later than the window does where history is shorter. Null for any other.',
      resolve: ({ from }) => from ?? null,
    }),
    base: t.expose('base', {
      type: 'Decimal',
      nullable: false,
      description: 'Interest, after vault fees where it is a vault\u2019s.',
    }),
    farmRewards: t.expose('farmRewards', {
      type: 'Decimal',
      nullable: false,
      description: 'Rewards of the farm in which the position itself is staked.',
    }),
    reserveRewards: t.expose('reserveRewards', {
      type: 'Decimal',
      nullable: false,
      description: 'Rewards on the reserves behind a vault.',
    }),
    incentives: t.expose('incentives', { type: 'Decimal', nullable: false, description: 'Campaigns.' }),
    grossBase: t.expose('grossBase', {
      type: 'Decimal',
      nullable: true,
      description: 'Base before vault fees. Null where no vault fee applies.',
    }),
    feeImpact: t.expose('feeImpact', {
      type: 'Decimal',
      nullable: true,
      description: 'What vault fees do to the base. Null where none applies.',
    }),
    rewards: t.field({
      type: [RewardApyRef],
      nullable: false,
      description: 'Which tokens pay rewards, and how much each adds.',
      resolve: ({ rewards }) => [...rewards],
    }),
  }),
});
