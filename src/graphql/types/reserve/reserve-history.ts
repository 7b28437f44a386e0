import type { Rational } from '@sluice/protocol/numeric/rational';
import {
  type ReserveHistoryPoint,
  type ReservePoint,
  reserveHistory,
} from '../../../services/history/reserve-history.ts';
import { builder } from '../../builder.ts';
import { ReserveRef } from '../../node-refs.ts';
import { reads, selectionOf } from '../../selection.ts';
import { BUCKET, type ColumnOf, historyArgs, historyOf, seriesRequest } from '../history/history-fields.ts';
import { RewardApyRef } from '../values/amounts.ts';
import { ReservePointConfigRef } from './reserve-point-config.ts';

const MEAN = 'Mean over the bucket.';

const crossedAt = (seconds: bigint): Date | null =>
  seconds === 0n ? null : new Date(Number(seconds) * 1000);

const read = reads<keyof ReservePoint>;

const ReservePointRef = builder.objectRef<ReserveHistoryPoint>('ReservePoint').implement({
  description:
    'One bucket of a reserve\u2019s history. Yields, totals and `meanPriceUsd` are means over the bucket; other values are the last of the bucket.',
  fields: (t) => {
    const figure = (name: ColumnOf<ReservePoint, Rational>, description: string) =>
      t.field({ ...read(name), type: 'Decimal', description, resolve: ({ sample }) => sample[name] });
    const figureOrNull = (name: ColumnOf<ReservePoint, Rational | null>, description: string) =>
      t.field({
        ...read(name),
        type: 'Decimal',
        nullable: true,
        description,
        resolve: ({ sample }) => sample[name],
      });
    return {
      timestamp: t.field({ ...BUCKET, resolve: ({ sample }) => sample.bucket }),
      supplyInterestApy: figure(
        'supplyApy',
        `Supply APY from interest, without rewards, as a fraction. ${MEAN}`,
      ),
      borrowInterestApy: figure(
        'borrowApy',
        `Borrow APY from interest, without rewards, as a fraction. ${MEAN}`,
      ),
      stakingApy: t.field({
        ...read('slot'),
        type: 'Decimal',
        nullable: true,
        description:
          'Yield per year of holding the token, as a fraction: that of the last epoch completed by then. Null when it was unknown, and for a token that is not a liquid-staking token.',
        resolve: async (point) => (await point.staking())?.latest.apy ?? null,
      }),
      medianStakingApy: t.field({
        ...read('slot'),
        type: 'Decimal',
        nullable: true,
        description:
          'Median of the yields of the last ten epochs completed by then. Null when all were unknown, and for a token that is not a liquid-staking token.',
        resolve: async (point) => (await point.staking())?.medianApy ?? null,
      }),
      supplied: t.field({
        ...read('totalSupply'),
        type: 'Decimal',
        description: `Total that belonged to suppliers, in whole tokens. ${MEAN}`,
        resolve: (point) => point.supplied(),
      }),
      borrowed: t.field({
        ...read('totalBorrows'),
        type: 'Decimal',
        description: `Total borrowed, in whole tokens. ${MEAN}`,
        resolve: (point) => point.borrowed(),
      }),
      available: figure(
        'totalLiquidity',
        `Liquidity that could be borrowed or withdrawn, in whole tokens. ${MEAN}`,
      ),
      suppliedUsd: t.field({
        ...read('totalSupply', 'priceUsd'),
        type: 'Decimal',
        nullable: true,
        description: 'Total supplied in USD: exactly `supplied` x `priceUsd`. Null without a price.',
        resolve: (point) => point.suppliedUsd(),
      }),
      borrowedUsd: t.field({
        ...read('totalBorrows', 'priceUsd'),
        type: 'Decimal',
        nullable: true,
        description: 'Total borrowed in USD: exactly `borrowed` x `priceUsd`. Null without a price.',
        resolve: (point) => point.borrowedUsd(),
      }),
      utilization: t.field({
        ...read('totalSupply', 'totalBorrows'),
        type: 'Decimal',
        description: '`borrowed` / `supplied`, as a fraction. 0 when nothing was supplied.',
        resolve: (point) => point.utilization(),
      }),
      priceUsd: figureOrNull(
        'priceUsd',
        'Price in USD per whole token, as stored in the reserve. Null when it stored none.',
      ),
      meanPriceUsd: figureOrNull(
        'meanPriceUsd',
        `Price in USD per whole token, as stored in the reserve. ${MEAN} Null when it stored none throughout the bucket.`,
      ),
      exchangeRate: figure('exchangeRate', 'Collateral tokens per supplied token.'),
      cumulativeBorrowRate: figureOrNull(
        'cumulativeBorrowRate',
        'Growth factor of a debt since the reserve was created. Starts at 1. Null in imported history.',
      ),
      collateralSupply: figure(
        'mintTotalSupply',
        'Total supply of collateral tokens (cTokens), in whole tokens.',
      ),
      protocolFees: figure(
        'accumulatedProtocolFees',
        'Protocol fees earned but not yet withdrawn, in whole tokens.',
      ),
      borrowedOutsideElevationGroup: figure(
        'borrowOutsideGroup',
        'Total borrowed outside elevation groups, in whole tokens.',
      ),
      borrowedInElevationGroups: t.field({
        ...read('borrowedInGroups'),
        type: ['Decimal'],
        description: 'Total borrowed against this collateral in each elevation group, in whole tokens.',
        resolve: ({ sample }) => [...sample.borrowedInGroups],
      }),
      borrowLimitCrossedAt: t.field({
        ...read('borrowLimitCrossedAt'),
        type: 'DateTime',
        nullable: true,
        description: 'Time when the borrow limit was exceeded. Null when it was not.',
        resolve: ({ sample }) => crossedAt(sample.borrowLimitCrossedAt),
      }),
      depositLimitCrossedAt: t.field({
        ...read('depositLimitCrossedAt'),
        type: 'DateTime',
        nullable: true,
        description: 'Time when the deposit limit was exceeded. Null when it was not.',
        resolve: ({ sample }) => crossedAt(sample.depositLimitCrossedAt),
      }),
      rewards: t.field({
        ...read('rewards'),
        type: [RewardApyRef],
        description: 'The reward tokens for suppliers and the yield that each contributed.',
        resolve: ({ sample }) => [...sample.rewards],
      }),
      config: t.field({
        ...read('config'),
        type: ReservePointConfigRef,
        description: 'Configuration of the reserve.',
        resolve: ({ sample }) => sample.config,
      }),
    };
  },
});

const ReserveHistoryRef = historyOf('Reserve', ReservePointRef, 'reserve');

builder.objectField(ReserveRef, 'metricsHistory', (t) =>
  t.field({
    type: ReserveHistoryRef,
    nullable: true,
    description:
      'Recorded history of the reserve. Null, with an error, when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
    args: historyArgs(t.arg),
    resolve: ({ address }, args, { platform, session }, info) => {
      const fields = selectionOf(info).into('points').reads as (keyof ReservePoint)[];
      return reserveHistory(platform, session, address, seriesRequest(session, args), fields);
    },
  }),
);
