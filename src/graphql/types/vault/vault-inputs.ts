import { builder } from '../../builder.ts';
import { DirectionRef } from '../values/direction.ts';

export const VaultFilterInput = builder.inputType('VaultFilter', {
  description: 'Filter for vaults. All conditions must hold.',
  fields: (t) => ({
    addresses: t.field({ type: ['Address'], description: 'Vaults with one of these addresses.' }),
    tokenMints: t.field({ type: ['Address'], description: 'Vaults that accept one of these tokens.' }),
    tokenSymbol: t.string({ description: 'Vaults that accept a token with this ticker, ignoring case.' }),
    market: t.field({ type: 'Address', description: 'Vaults that allocate to a reserve of this market.' }),
    reserve: t.field({ type: 'Address', description: 'Vaults that allocate to this reserve.' }),
    nameContains: t.string({ description: 'Vaults whose name contains this text, ignoring case.' }),
    hasFarm: t.boolean({
      description: 'True for vaults with a farm for their shares, false for vaults without.',
    }),
    curated: t.boolean({
      description: 'True for vaults that allocate only to curated markets, false for the rest.',
    }),
    minTotalValueUsd: t.field({
      type: 'Decimal',
      description: 'Vaults with at least this total value, in USD.',
    }),
    minCurrentApy: t.field({
      type: 'Decimal',
      description: 'Vaults with at least this current APY, with all rewards, as a fraction.',
    }),
    admin: t.field({ type: 'Address', description: 'Vaults with this admin.' }),
  }),
});

const VaultOrderFieldRef = builder.enumType('VaultOrderField', {
  description: 'Sort key for vaults.',
  values: {
    TOTAL_VALUE: { description: 'Total value in USD.' },
    CURRENT_APY: { description: 'Current APY, with all rewards.' },
    NAME: { description: 'Name, ignoring case.' },
    CREATED: { description: 'Time of creation.' },
    HOLDERS: { description: 'Number of wallets that hold shares. Unknown without recorded history.' },
  } as const,
});

export const VaultOrderInput = builder.inputType('VaultOrder', {
  description: 'Sort order of vaults.',
  fields: (t) => ({
    field: t.field({ type: VaultOrderFieldRef, required: true, description: 'Sort key.' }),
    direction: t.field({
      type: DirectionRef,
      required: true,
      defaultValue: 'DESC',
      description: 'Sort direction.',
    }),
  }),
});
