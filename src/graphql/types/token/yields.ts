import {
  type EpochYield,
  type StakingYield,
  stakingYieldOf,
} from '../../../services/history/staking-yields.ts';
import {
  farmYieldHistory,
  tokenYieldHistory,
  type YieldPoint,
} from '../../../services/history/yield-history.ts';
import { builder } from '../../builder.ts';
import { FarmRef, TokenRef } from '../../node-refs.ts';
import { BUCKET, historyArgs, historyOf, seriesRequest } from '../history/history-fields.ts';

const WITHOUT_HISTORY =
  'Null, with an error, when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).';

const EpochYieldRef = builder.objectRef<EpochYield>('EpochYield').implement({
  description: 'Yield of a liquid-staking token in one epoch, from the growth of its stake rate.',
  fields: (t) => ({
    epoch: t.expose('epoch', { type: 'U64', description: 'Number of the epoch.' }),
    apr: t.expose('apr', {
      type: 'Decimal',
      description: 'Growth in the epoch times the number of such epochs in a year, as a fraction.',
    }),
    apy: t.expose('apy', {
      type: 'Decimal',
      description: 'Yield per year as a fraction, compounded every epoch. Negative after a loss.',
    }),
    sampledAt: t.expose('sampledAt', {
      type: 'DateTime',
      description: 'Time of the last recorded stake rate of the epoch.',
    }),
  }),
});

const StakingYieldRef = builder.objectRef<StakingYield>('StakingYield').implement({
  description:
    'Yield of holding a liquid-staking token, measured by its recorded stake rate over completed epochs.',
  fields: (t) => ({
    latest: t.expose('latest', {
      type: EpochYieldRef,
      description: 'The newest completed epoch whose yield is known.',
    }),
    medianApy: t.expose('medianApy', {
      type: 'Decimal',
      description: 'Median of the APYs of `epochs`, as a fraction.',
    }),
    meanApy: t.expose('meanApy', {
      type: 'Decimal',
      description: 'Mean of the APYs of `epochs`, as a fraction.',
    }),
    epochs: t.expose('epochs', {
      type: [EpochYieldRef],
      description:
        'The last ten completed epochs, in ascending order. An epoch is omitted when the stake rate was not recorded in it or in the one before.',
    }),
  }),
});

const YieldPointRef = builder.objectRef<YieldPoint>('YieldPoint').implement({
  description: 'One bucket of the history of a yield.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    apr: t.expose('apr', {
      type: 'Decimal',
      nullable: true,
      description: 'Rate per year as a fraction, not compounded. Null when it was unknown.',
    }),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description: 'Yield per year as a fraction, compounded. Null when it was unknown.',
    }),
  }),
});

const YieldHistoryRef = historyOf('Yield', YieldPointRef, 'yield');

builder.objectFields(TokenRef, (t) => ({
  stakingYield: t.field({
    type: StakingYieldRef,
    nullable: true,
    description: `Yield of holding this token, if it is a liquid-staking token. Null for any other token, and until its stake rate has been recorded in two consecutive epochs. ${WITHOUT_HISTORY}`,
    resolve: ({ mint }, _args, { platform, session }) => stakingYieldOf(platform, session, mint),
  }),
  yieldHistory: t.field({
    type: YieldHistoryRef,
    nullable: true,
    description: `Recorded history of the staking yield: in each bucket, that of the last epoch completed by then, compounded every epoch. Its yields are null for a token that is not a liquid-staking token. ${WITHOUT_HISTORY}`,
    args: historyArgs(t.arg),
    resolve: ({ mint }, args, { platform, session }) =>
      tokenYieldHistory(platform, session, mint, seriesRequest(session, args)),
  }),
}));

builder.objectField(FarmRef, 'yieldHistory', (t) =>
  t.field({
    type: YieldHistoryRef,
    nullable: true,
    description: `Recorded history of the yield that one reward token of this farm added for suppliers of its reserve or stakers of its vault, compounded daily. The last value of each bucket; null when the farm paid none or a price was unknown. Without points for a farm that rewards borrowers, and for a token that the farm does not pay. ${WITHOUT_HISTORY}`,
    args: {
      rewardMint: t.arg({ type: 'Address', required: true, description: 'Mint of the reward token.' }),
      ...historyArgs(t.arg),
    },
    resolve: (farm, { rewardMint, ...args }, { platform, session }) =>
      farmYieldHistory(platform, session, farm, rewardMint, seriesRequest(session, args)),
  }),
);
