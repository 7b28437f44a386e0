import { exactDecimal, type ReserveConfigSample } from '../../../services/history/reserve-history.ts';
import { builder } from '../../builder.ts';
import { CurvePointRef } from './reserve-parts.ts';

export const ReservePointConfigRef = builder.objectRef<ReserveConfigSample>('ReservePointConfig').implement({
  description: 'Configuration of a reserve at the end of a bucket.',
  fields: (t) => {
    const fraction = (pick: (config: ReserveConfigSample) => number, description: string) =>
      t.field({
        type: 'Decimal',
        description: `${description}, as a fraction.`,
        resolve: (config) => exactDecimal(pick(config)),
      });
    return {
      marketAddress: t.expose('market', { type: 'Address', description: 'Address of the market.' }),
      status: t.exposeString('status', { description: 'Status of the reserve.' }),
      symbol: t.exposeString('symbol', { description: 'Ticker of the token.' }),
      mint: t.expose('mintAddress', { type: 'Address', description: 'Mint of the token.' }),
      decimals: t.exposeInt('decimals', { description: 'Decimal places of the token.' }),
      maxLtv: fraction(({ loanToValue }) => loanToValue, 'Maximum loan-to-value'),
      liquidationLtv: fraction(
        ({ liquidationThreshold }) => liquidationThreshold,
        'Liquidation threshold of the loan-to-value',
      ),
      borrowFactorPct: t.exposeInt('borrowFactor', {
        description:
          'Factor by which a debt was multiplied before it was compared with the limits, in percent: 100 means 1.',
      }),
      protocolTake: fraction(
        ({ protocolTakeRate }) => protocolTakeRate,
        'Part of the interest that the protocol took',
      ),
      minLiquidationBonus: fraction((config) => config.minLiquidationBonus, 'Minimum liquidation bonus'),
      maxLiquidationBonus: fraction((config) => config.maxLiquidationBonus, 'Maximum liquidation bonus'),
      depositLimit: t.exposeString('reserveDepositLimit', {
        description: 'Maximum total supply, in base units.',
      }),
      borrowLimit: t.exposeString('reserveBorrowLimit', {
        description: 'Maximum total borrow, in base units.',
      }),
      hostFixedRate: t.exposeString('hostFixedInterestRate', {
        description: 'Rate per year for the host as a fraction, on top of the borrow curve.',
      }),
      borrowLimitOutsideElevationGroup: t.exposeString('borrowLimitOutsideElevationGroup', {
        description: 'Maximum total borrow outside elevation groups, in whole tokens.',
      }),
      borrowLimitsInElevationGroups: t.stringList({
        description: 'Maximum borrow against this collateral in each elevation group, in whole tokens.',
        resolve: (config) => [...config.borrowLimitAgainstCollateralInElevationGroups],
      }),
      borrowCurve: t.field({
        type: [CurvePointRef],
        description: 'Borrow rate by utilization, with linear interpolation between the points.',
        resolve: ({ borrowCurve }) =>
          borrowCurve.map(([utilization, rate]) => ({
            utilization: exactDecimal(utilization),
            rate: exactDecimal(rate),
          })),
      }),
    };
  },
});
