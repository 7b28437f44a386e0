import {
  type ReserveHistoryPoint,
  type ReservePoint,
  reserveHistory,
} from '../../services/history/reserve-history.ts';
import { builder } from '../builder.ts';
import { asked, BUCKET, historyArgs, historyOf } from '../history-fields.ts';
import { ReserveRef } from '../node-refs.ts';
import { reads, selectionOf } from '../selection.ts';
import { RewardApyRef } from './amounts.ts';
import { ReservePointConfigRef } from './reserve-point-config.ts';

const means = 'mean over the bucket';

const crossedAt = (seconds: bigint): Date | null =>
  seconds === 0n ? null : new Date(Number(seconds) * 1000);

const read = reads<keyof ReservePoint>;

const ReservePointRef = builder.objectRef<ReserveHistoryPoint>('ReservePoint').implement({
  description:
    'A bucket of a reserve: yields, totals and the mean price are means over it, everything else is its last value.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ sample }) => sample.bucket }),
    supplyApy: t.field({
      ...read('supplyApy'),
      type: 'Decimal',
      nullable: false,
      description: `Interest that suppliers earned in a year, a fraction; ${means}.`,
      resolve: ({ sample }) => sample.supplyApy,
    }),
    borrowApy: t.field({
      ...read('borrowApy'),
      type: 'Decimal',
      nullable: false,
      description: `Interest that borrowers paid in a year, a fraction; ${means}.`,
      resolve: ({ sample }) => sample.borrowApy,
    }),
    supplied: t.field({
      ...read('totalSupply'),
      type: 'Decimal',
      nullable: false,
      description: `What belonged to suppliers, whole tokens; ${means}.`,
      resolve: (point) => point.supplied(),
    }),
    borrowed: t.field({
      ...read('totalBorrows'),
      type: 'Decimal',
      nullable: false,
      description: `What was lent out, whole tokens; ${means}.`,
      resolve: (point) => point.borrowed(),
    }),
    available: t.field({
      ...read('totalLiquidity'),
      type: 'Decimal',
      nullable: false,
      description: `What could be borrowed or withdrawn, whole tokens; ${means}.`,
      resolve: ({ sample }) => sample.totalLiquidity,
    }),
    suppliedUsd: t.field({
      ...read('totalSupply', 'priceUsd'),
      type: 'Decimal',
      nullable: true,
      description: '`supplied` x `priceUsd`, exactly. Null without a price.',
      resolve: (point) => point.suppliedUsd(),
    }),
    borrowedUsd: t.field({
      ...read('totalBorrows', 'priceUsd'),
      type: 'Decimal',
      nullable: true,
      description: '`borrowed` x `priceUsd`, exactly. Null without a price.',
      resolve: (point) => point.borrowedUsd(),
    }),
    utilization: t.field({
      ...read('totalSupply', 'totalBorrows'),
      type: 'Decimal',
      nullable: false,
      description: '`borrowed` / `supplied`, a fraction; 0 without supply.',
      resolve: (point) => point.utilization(),
    }),
    priceUsd: t.field({
      ...read('priceUsd'),
      type: 'Decimal',
      nullable: true,
      description: 'USD per whole token as stored in the reserve. Null when it stored none.',
      resolve: ({ sample }) => sample.priceUsd,
    }),
    meanPriceUsd: t.field({
      ...read('meanPriceUsd'),
      type: 'Decimal',
      nullable: true,
      description: `The same, ${means}. Null when it stored none all along.`,
      resolve: ({ sample }) => sample.meanPriceUsd,
    }),
    exchangeRate: t.field({
      ...read('exchangeRate'),
      type: 'Decimal',
      nullable: false,
      description: 'Collateral per liquidity.',
      resolve: ({ sample }) => sample.exchangeRate,
    }),
    cumulativeBorrowRate: t.field({
      ...read('cumulativeBorrowRate'),
      type: 'Decimal',
      nullable: true,
      description:
        'By how much a debt had grown since the reserve began; starts at 1. Null in history that was imported.',
      resolve: ({ sample }) => sample.cumulativeBorrowRate,
    }),
    collateralSupply: t.field({
      ...read('mintTotalSupply'),
      type: 'Decimal',
      nullable: false,
      description: 'Collateral tokens (cTokens) in existence, whole tokens.',
      resolve: ({ sample }) => sample.mintTotalSupply,
    }),
    protocolFees: t.field({
      ...read('accumulatedProtocolFees'),
      type: 'Decimal',
      nullable: false,
      description: 'Fees of the protocol that were not yet taken out, whole tokens.',
      resolve: ({ sample }) => sample.accumulatedProtocolFees,
    }),
    borrowedOutsideElevationGroup: t.field({
      ...read('borrowOutsideGroup'),
      type: 'Decimal',
      nullable: false,
      description: 'What was borrowed outside elevation groups, whole tokens.',
      resolve: ({ sample }) => sample.borrowOutsideGroup,
    }),
    borrowedInElevationGroups: t.field({
      ...read('borrowedInGroups'),
      type: ['Decimal'],
      nullable: false,
      description: 'What was borrowed against it, by elevation group, whole tokens.',
      resolve: ({ sample }) => [...sample.borrowedInGroups],
    }),
    borrowLimitCrossedAt: t.field({
      ...read('borrowLimitCrossedAt'),
      type: 'DateTime',
      nullable: true,
      description: 'When the borrow limit was crossed. Null while it was not.',
      resolve: ({ sample }) => crossedAt(sample.borrowLimitCrossedAt),
    }),
    depositLimitCrossedAt: t.field({
      ...read('depositLimitCrossedAt'),
      type: 'DateTime',
      nullable: true,
      description: 'When the deposit limit was crossed. Null while it was not.',
      resolve: ({ sample }) => crossedAt(sample.depositLimitCrossedAt),
    }),
    rewards: t.field({
      ...read('rewards'),
      type: [RewardApyRef],
      nullable: false,
      description: 'Which tokens paid suppliers besides, and how much each added.',
      resolve: ({ sample }) => [...sample.rewards],
    }),
    config: t.field({
      ...read('config'),
      type: ReservePointConfigRef,
      nullable: false,
      description: 'How it was set up.',
      resolve: ({ sample }) => sample.config,
    }),
  }),
});

const ReserveHistoryRef = historyOf('Reserve', ReservePointRef, 'reserve');

builder.objectField(ReserveRef, 'metricsHistory', (t) =>
  t.field({
    type: ReserveHistoryRef,
    nullable: true,
    description:
      'Its past. Null, with an error, where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE).',
    args: historyArgs(t.arg),
    resolve: ({ address }, args, { platform, session }, info) => {
      const fields = selectionOf(info).into('points').reads as (keyof ReservePoint)[];
      return reserveHistory(platform, session, address, ...asked(args), fields);
    },
  }),
);
