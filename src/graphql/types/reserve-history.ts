import {
  exactly,
  type ReserveConfigSample,
  type ReserveHistoryPoint,
  reserveHistory,
} from '../../services/history/reserve-history.ts';
import { builder } from '../builder.ts';
import { asked, BUCKET, historyArgs, historyOf } from '../history-fields.ts';
import { ReserveRef } from '../node-refs.ts';
import { RewardApyRef } from './amounts.ts';
import { CurvePointRef } from './reserve-parts.ts';

const means = 'mean over the bucket';

const ReservePointConfigRef = builder.objectRef<ReserveConfigSample>('ReservePointConfig').implement({
  description: 'How a reserve was set up at the end of a bucket.',
  fields: (t) => {
    const fraction = (pick: (config: ReserveConfigSample) => number, description: string) =>
      t.field({
        type: 'Decimal',
        nullable: false,
        description: `${description} A fraction.`,
        resolve: (config) => exactly(pick(config)),
      });
    return {
      marketAddress: t.expose('market', {
        type: 'Address',
        nullable: false,
        description: 'Address of its market.',
      }),
      status: t.exposeString('status', { nullable: false, description: 'Whether it was in use.' }),
      symbol: t.exposeString('symbol', { nullable: false, description: 'Ticker of its token.' }),
      mint: t.expose('mintAddress', {
        type: 'Address',
        nullable: false,
        description: 'Mint of its token.',
      }),
      decimals: t.exposeInt('decimals', {
        nullable: false,
        description: 'Decimal places of its token.',
      }),
      maxLtv: fraction(({ loanToValue }) => loanToValue, 'Share of a deposit that could be borrowed.'),
      liquidationLtv: fraction(
        ({ liquidationThreshold }) => liquidationThreshold,
        'Share of a deposit at which debt could be liquidated.',
      ),
      borrowFactorPct: t.exposeInt('borrowFactor', {
        nullable: false,
        description: 'What a debt was multiplied by before it was held against limits, in percent: 100 is 1.',
      }),
      protocolTake: fraction(({ protocolTakeRate }) => protocolTakeRate, 'Share of interest that was kept.'),
      minLiquidationBonus: fraction((config) => config.minLiquidationBonus, 'Least bonus of a liquidator.'),
      maxLiquidationBonus: fraction(
        (config) => config.maxLiquidationBonus,
        'Greatest bonus of a liquidator.',
      ),
      depositLimit: t.exposeString('reserveDepositLimit', {
        nullable: false,
        description: 'The most that could be supplied, base units.',
      }),
      borrowLimit: t.exposeString('reserveBorrowLimit', {
        nullable: false,
        description: 'The most that could be borrowed, base units.',
      }),
      hostFixedRate: t.exposeString('hostFixedInterestRate', {
        nullable: false,
        description: 'Yearly rate of the host on top of interest, a fraction.',
      }),
      borrowLimitOutsideElevationGroup: t.exposeString('borrowLimitOutsideElevationGroup', {
        nullable: false,
        description: 'The most that could be borrowed outside elevation groups, whole tokens.',
      }),
      borrowLimitsInElevationGroups: t.stringList({
        nullable: false,
        description: 'The most that could be borrowed against it, by elevation group, whole tokens.',
        resolve: (config) => [...config.borrowLimitAgainstCollateralInElevationGroups],
      }),
      borrowCurve: t.field({
        type: [CurvePointRef],
        nullable: false,
        description: 'Borrow rate by utilisation; straight lines between the points.',
        resolve: ({ borrowCurve }) =>
          borrowCurve.map(([utilization, rate]) => ({
            utilization: exactly(utilization),
            rate: exactly(rate),
          })),
      }),
    };
  },
});

const crossedAt = (seconds: bigint): Date | null =>
  seconds === 0n ? null : new Date(Number(seconds) * 1000);

const ReservePointRef = builder.objectRef<ReserveHistoryPoint>('ReservePoint').implement({
  description:
    'A bucket of a reserve: yields, totals and the mean price are means over it, everything else is its last value.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    supplyApy: t.expose('supplyApy', {
      type: 'Decimal',
      nullable: false,
      description: `Interest that suppliers earned in a year, a fraction; ${means}.`,
    }),
    borrowApy: t.expose('borrowApy', {
      type: 'Decimal',
      nullable: false,
      description: `Interest that borrowers paid in a year, a fraction; ${means}.`,
    }),
    supplied: t.expose('totalSupply', {
      type: 'Decimal',
      nullable: false,
      description: `What belonged to suppliers, whole tokens; ${means}.`,
    }),
    borrowed: t.expose('totalBorrows', {
      type: 'Decimal',
      nullable: false,
      description: `What was lent out, whole tokens; ${means}.`,
    }),
    available: t.expose('totalLiquidity', {
      type: 'Decimal',
      nullable: false,
      description: `What could be borrowed or withdrawn, whole tokens; ${means}.`,
    }),
    suppliedUsd: t.expose('suppliedUsd', {
      type: 'Decimal',
      nullable: true,
      description: '`supplied` x `priceUsd`, exactly. Null without a price.',
    }),
    borrowedUsd: t.expose('borrowedUsd', {
      type: 'Decimal',
      nullable: true,
      description: '`borrowed` x `priceUsd`, exactly. Null without a price.',
    }),
    utilization: t.expose('utilization', {
      type: 'Decimal',
      nullable: false,
      description: '`borrowed` / `supplied`, a fraction; 0 without supply.',
    }),
    priceUsd: t.expose('priceUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'USD per whole token as stored in the reserve. Null when it stored none.',
    }),
    meanPriceUsd: t.expose('meanPriceUsd', {
      type: 'Decimal',
      nullable: true,
      description: `The same, ${means}. Null when it stored none all along.`,
    }),
    exchangeRate: t.expose('exchangeRate', {
      type: 'Decimal',
      nullable: false,
      description: 'Collateral per liquidity.',
    }),
    cumulativeBorrowRate: t.expose('cumulativeBorrowRate', {
      type: 'Decimal',
      nullable: true,
      description:
        'By how much a debt had grown since the reserve began; starts at 1. Null in history that was imported.',
    }),
    collateralSupply: t.expose('mintTotalSupply', {
      type: 'Decimal',
      nullable: false,
      description: 'Collateral tokens (cTokens) in existence, whole tokens.',
    }),
    protocolFees: t.expose('accumulatedProtocolFees', {
      type: 'Decimal',
      nullable: false,
      description: 'Fees of the protocol that were not yet taken out, whole tokens.',
    }),
    borrowedOutsideElevationGroup: t.expose('borrowOutsideGroup', {
      type: 'Decimal',
      nullable: false,
      description: 'What was borrowed outside elevation groups, whole tokens.',
    }),
    borrowedInElevationGroups: t.field({
      type: ['Decimal'],
      nullable: false,
      description: 'What was borrowed against it, by elevation group, whole tokens.',
      resolve: ({ borrowedInGroups }) => [...borrowedInGroups],
    }),
    borrowLimitCrossedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the borrow limit was crossed. Null while it was not.',
      resolve: ({ borrowLimitCrossedAt }) => crossedAt(borrowLimitCrossedAt),
    }),
    depositLimitCrossedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the deposit limit was crossed. Null while it was not.',
      resolve: ({ depositLimitCrossedAt }) => crossedAt(depositLimitCrossedAt),
    }),
    rewards: t.field({
      type: [RewardApyRef],
      nullable: false,
      description: 'Which tokens paid suppliers besides, and how much each added.',
      resolve: ({ rewards }) => [...rewards],
    }),
    config: t.expose('config', {
      type: ReservePointConfigRef,
      nullable: false,
      description: 'How it was set up.',
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
    resolve: ({ address }, args, { platform, session }) =>
      reserveHistory(platform, session, address, ...asked(args)),
  }),
);
