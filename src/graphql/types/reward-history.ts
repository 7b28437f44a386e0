import { type LendingRewardPoint, lendingRewardHistory } from '../../services/history/reward-history.ts';
import { builder } from '../builder.ts';
import { BUCKET } from '../history-fields.ts';
import { MarketRef, marketLink, ReserveRef, reserveLink, TokenRef, tokenLink } from '../node-refs.ts';
import { RewardIntervalRef, TimeRangeInput } from './time.ts';

const LendingRewardPointRef = builder.objectRef<LendingRewardPoint>('LendingRewardPoint').implement({
  description: 'A bucket of a campaign: its yield is a mean, everything else its last value.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    depositReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'The reserve to supply to. Null when only borrowing counted; with an error when it cannot be read.',
      resolve: ({ depositReserve }, _args, { session }) =>
        depositReserve && reserveLink(session, depositReserve),
    }),
    borrowReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'The reserve to borrow from. Null when only supplying counted; with an error when it cannot be read.',
      resolve: ({ borrowReserve }, _args, { session }) =>
        borrowReserve && reserveLink(session, borrowReserve),
    }),
    market: t.field({
      type: MarketRef,
      nullable: true,
      description: 'The market. Null, with an error, when it cannot be read.',
      resolve: ({ market }, _args, { session }) => marketLink(session, market),
    }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The token that was paid. Null, with an error, when its mint cannot be read.',
      resolve: ({ rewardMint }, _args, { session }) => tokenLink(session, rewardMint),
    }),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Yearly, a fraction, compounded daily. Null when a price or the value that it was paid on was unknown.',
    }),
    tokensPerSecond: t.expose('tokensPerSecond', {
      type: 'Decimal',
      nullable: false,
      description: 'Whole tokens per second to all together.',
    }),
    activePositionsUsd: t.expose('activePositionsUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'USD that it was paid on. Null for pairs of reserves, and when a price was unknown.',
    }),
    source: t.exposeString('source', {
      nullable: false,
      description: 'The points source that it belonged to.',
    }),
  }),
});

builder.queryField('lendingRewardHistory', (t) =>
  t.field({
    type: [LendingRewardPointRef],
    nullable: false,
    description:
      'The past of campaigns on exactly this reserve or pair, ascending, within a bucket by reward. An error where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE).',
    args: {
      depositReserve: t.arg({
        type: 'Address',
        description: 'The reserve to supply to; left out for campaigns on borrowing alone.',
      }),
      borrowReserve: t.arg({
        type: 'Address',
        description: 'The reserve to borrow from; left out for campaigns on supplying alone.',
      }),
      range: t.arg({ type: TimeRangeInput, description: 'Which part of the past. All of it when left out.' }),
      interval: t.arg({
        type: RewardIntervalRef,
        defaultValue: 'HOUR',
        description: 'Width of the buckets.',
      }),
    },
    resolve: async (_root, { depositReserve, borrowReserve, range, interval }, { platform, session }) => {
      const pair = { depositReserve: depositReserve ?? null, borrowReserve: borrowReserve ?? null };
      return [...(await lendingRewardHistory(platform, session, pair, range ?? {}, interval ?? 'HOUR'))];
    },
  }),
);
