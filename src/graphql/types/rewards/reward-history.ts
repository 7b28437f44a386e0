import { type LendingRewardPoint, lendingRewardHistory } from '../../../services/history/reward-history.ts';
import { builder } from '../../builder.ts';
import { MarketRef, marketLink, ReserveRef, reserveLink } from '../../node-refs.ts';
import { BUCKET } from '../history/history-fields.ts';
import { RewardIntervalRef, TimeRangeInput } from '../history/time.ts';
import { rewardToken } from '../values/reward-token.ts';

const LendingRewardPointRef = builder.objectRef<LendingRewardPoint>('LendingRewardPoint').implement({
  description:
    'One bucket of a reward campaign\u2019s history. The yield is the mean over the bucket; other values are the last of the bucket.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    depositReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'The reserve to supply to. Null when only borrowing counted; null with an error when it cannot be read.',
      resolve: ({ depositReserve }, _args, { session }) =>
        depositReserve && reserveLink(session, depositReserve),
    }),
    borrowReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'The reserve to borrow from. Null when only supplying counted; null with an error when it cannot be read.',
      resolve: ({ borrowReserve }, _args, { session }) =>
        borrowReserve && reserveLink(session, borrowReserve),
    }),
    market: t.field({
      type: MarketRef,
      nullable: true,
      description: 'The market. Null, with an error, when it cannot be read.',
      resolve: ({ market }, _args, { session }) => marketLink(session, market),
    }),
    token: rewardToken(t, ({ rewardMint }) => rewardMint),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Yield per year as a fraction, compounded daily. Null when a price or the value of the eligible positions was unknown.',
    }),
    tokensPerSecond: t.expose('tokensPerSecond', {
      type: 'Decimal',
      description: 'Whole tokens per second, paid to all eligible positions together.',
    }),
    activePositionsUsd: t.expose('activePositionsUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Value of the eligible positions in USD. Null for a pair of reserves, and when a price was unknown.',
    }),
    source: t.exposeString('source', { description: 'The points source of the campaign.' }),
  }),
});

builder.queryField('lendingRewardHistory', (t) =>
  t.field({
    type: [LendingRewardPointRef],
    description:
      'Recorded history of the campaigns on exactly this reserve or pair of reserves, in ascending order of time and, within a bucket, by reward token. Fails when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
    args: {
      depositReserve: t.arg({
        type: 'Address',
        description: 'The reserve to supply to. Omit for campaigns on borrowing alone.',
      }),
      borrowReserve: t.arg({
        type: 'Address',
        description: 'The reserve to borrow from. Omit for campaigns on supplying alone.',
      }),
      range: t.arg({
        type: TimeRangeInput,
        description: 'Time range of the series. Defaults to everything recorded.',
      }),
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
