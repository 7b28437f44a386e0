import { builder } from '../../builder.ts';
import { DirectionRef } from '../values/direction.ts';
import { ReserveStatusRef } from './reserve-parts.ts';

export const ReserveFilterInput = builder.inputType('ReserveFilter', {
  description: 'Filter for reserves. All conditions must hold.',
  fields: (t) => ({
    addresses: t.field({ type: ['Address'], description: 'Reserves with one of these addresses.' }),
    market: t.field({ type: 'Address', description: 'Reserves of this market.' }),
    tokenMints: t.field({ type: ['Address'], description: 'Reserves of one of these tokens.' }),
    tokenSymbol: t.string({ description: 'Reserves of a token with this ticker, ignoring case.' }),
    statuses: t.field({ type: [ReserveStatusRef], description: 'Reserves with one of these statuses.' }),
    elevationGroup: t.int({
      description: 'Reserves in the elevation group with this number in their market.',
    }),
    minSuppliedUsd: t.field({
      type: 'Decimal',
      description: 'Reserves with at least this much supplied, in USD.',
    }),
    minSupplyApy: t.field({
      type: 'Decimal',
      description: 'Reserves with at least this supply APY, with all rewards, as a fraction.',
    }),
    maxBorrowApy: t.field({
      type: 'Decimal',
      description: 'Reserves with at most this borrow APY, after all rewards, as a fraction.',
    }),
  }),
});

const ReserveOrderFieldRef = builder.enumType('ReserveOrderField', {
  description: 'Sort key for reserves.',
  values: {
    SUPPLIED: { description: 'Total supplied in USD.' },
    BORROWED: { description: 'Total borrowed in USD.' },
    SUPPLY_APY: { description: 'Supply APY, with all rewards.' },
    BORROW_APY: { description: 'Borrow APY, after all rewards.' },
    UTILIZATION: { description: 'Utilization: borrowed / supplied.' },
    SYMBOL: { description: 'Ticker of the token.' },
  } as const,
});

export const ReserveOrderInput = builder.inputType('ReserveOrder', {
  description: 'Sort order of reserves.',
  fields: (t) => ({
    field: t.field({ type: ReserveOrderFieldRef, required: true, description: 'Sort key.' }),
    direction: t.field({
      type: DirectionRef,
      required: true,
      defaultValue: 'DESC',
      description: 'Sort direction.',
    }),
  }),
});
