import { builder } from '../builder.ts';
import { DirectionRef } from './direction.ts';
import { ReserveStatusRef } from './reserve-parts.ts';

export const ReserveFilterInput = builder.inputType('ReserveFilter', {
  description: 'Which reserves; all conditions must hold.',
  fields: (t) => ({
    addresses: t.field({ type: ['Address'], description: 'One of these reserves.' }),
    market: t.field({ type: 'Address', description: 'In this market.' }),
    tokenMints: t.field({ type: ['Address'], description: 'Lending one of these tokens.' }),
    tokenSymbol: t.string({ description: 'Lending a token with this ticker, without regard to case.' }),
    statuses: t.field({ type: [ReserveStatusRef], description: 'In one of these states.' }),
    elevationGroup: t.int({ description: 'Part of the elevation group with this number in its market.' }),
    minSuppliedUsd: t.field({ type: 'Decimal', description: 'With at least so much supplied, USD.' }),
    minSupplyApy: t.field({ type: 'Decimal', description: 'Paying suppliers at least this, a fraction.' }),
    maxBorrowApy: t.field({ type: 'Decimal', description: 'Costing borrowers at most this, a fraction.' }),
  }),
});

const ReserveOrderFieldRef = builder.enumType('ReserveOrderField', {
  description: 'What reserves are ordered by.',
  values: {
    SUPPLIED: { description: 'USD supplied.' },
    BORROWED: { description: 'USD borrowed.' },
    SUPPLY_APY: { description: 'What suppliers earn.' },
    BORROW_APY: { description: 'What borrowers pay.' },
    UTILIZATION: { description: 'Borrowed / supplied.' },
    SYMBOL: { description: 'Ticker of the token.' },
  } as const,
});

export const ReserveOrderInput = builder.inputType('ReserveOrder', {
  description: 'How reserves are ordered.',
  fields: (t) => ({
    field: t.field({ type: ReserveOrderFieldRef, required: true, description: 'What to order by.' }),
    direction: t.field({
      type: DirectionRef,
      required: true,
      defaultValue: 'DESC',
      description: 'Which way.',
    }),
  }),
});
