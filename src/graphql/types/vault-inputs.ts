import { builder } from '../builder.ts';
import { DirectionRef } from './direction.ts';

export const VaultFilterInput = builder.inputType('VaultFilter', {
  description: 'Which vaults; all conditions must hold.',
  fields: (t) => ({
    addresses: t.field({ type: ['Address'], description: 'One of these vaults.' }),
    tokenMints: t.field({ type: ['Address'], description: 'Taking one of these tokens.' }),
    tokenSymbol: t.string({ description: 'Taking a token with this ticker, without regard to case.' }),
    market: t.field({ type: 'Address', description: 'Allocating to a reserve of this market.' }),
    reserve: t.field({ type: 'Address', description: 'Allocating to this reserve.' }),
    nameContains: t.string({ description: 'With this in its name, without regard to case.' }),
    hasFarm: t.boolean({ description: 'With, or without, a farm for its shares.' }),
    curated: t.boolean({ description: 'Whether every allocation is in a curated market.' }),
    minTotalValueUsd: t.field({ type: 'Decimal', description: 'Worth at least so much, USD.' }),
    minApy: t.field({ type: 'Decimal', description: 'Yielding at least this now, a fraction.' }),
    admin: t.field({ type: 'Address', description: 'Administered by this address.' }),
  }),
});

const VaultOrderFieldRef = builder.enumType('VaultOrderField', {
  description: 'What vaults are ordered by.',
  values: {
    TOTAL_VALUE: { description: 'USD value.' },
    APY: { description: 'Current yield.' },
    NAME: { description: 'Name, without regard to case.' },
    CREATED: { description: 'When it was created.' },
    HOLDERS: { description: 'How many wallets hold shares; unknown where nothing is recorded.' },
  } as const,
});

export const VaultOrderInput = builder.inputType('VaultOrder', {
  description: 'How vaults are ordered.',
  fields: (t) => ({
    field: t.field({ type: VaultOrderFieldRef, required: true, description: 'What to order by.' }),
    direction: t.field({
      type: DirectionRef,
      required: true,
      defaultValue: 'DESC',
      description: 'Which way.',
    }),
  }),
});
