import { exactly, type ReserveConfigSample } from '../../services/history/reserve-history.ts';
import { builder } from '../builder.ts';
import { CurvePointRef } from './reserve-parts.ts';

export const ReservePointConfigRef = builder.objectRef<ReserveConfigSample>('ReservePointConfig').implement({
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
