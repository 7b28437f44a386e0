import type { Address } from '@solana/kit';
import { integerOf } from '../rows.ts';
import { decimal, optionalMean, seriesTable, subject, text } from './columns.ts';
import {
  decimalField,
  optionalDecimalField,
  optionalMeanField,
  TIME_FIELDS,
  textField,
} from './point-fields.ts';
import type { RewardSample } from './samples.ts';
import type { Field, PointTime, Series } from './series.ts';

/** A bucket of a campaign: `apy` is the mean over the samples that have it, the rest are last values. */
export interface RewardPoint extends PointTime, RewardSample {}

function addressField(column: string): Field<Address> {
  return { columns: [column], read: (row, names) => names.addressOf(integerOf(row, column)) };
}

/** 0 stands for the side that a campaign does not reward. */
function sideField(column: string): Field<Address | null> {
  const read = addressField(column).read;
  return {
    columns: [column],
    read: (row, names) => (integerOf(row, column) === 0 ? null : read(row, names)),
  };
}

export const REWARD_SERIES: Series<RewardPoint> = {
  table: seriesTable<RewardSample>({
    name: 'reward_point',
    samplesIn: ({ rewards }) => rewards,
    addressesOf: ({ depositReserve, borrowReserve, market, rewardMint }) =>
      [depositReserve, borrowReserve, market, rewardMint].filter((address) => address !== null),
    named: ['deposit_reserve_id', 'borrow_reserve_id', 'reward_mint_id', 'market_id'],
    columns: [
      subject('deposit_reserve_id', 'key', (s) => s.depositReserve),
      subject('borrow_reserve_id', 'key', (s) => s.borrowReserve),
      subject('reward_mint_id', 'key', (s) => s.rewardMint),
      text('source', 'key', (s) => s.source),
      subject('market_id', 'last', (s) => s.market),
      ...optionalMean<RewardSample>('apy', (s) => s.apy),
      decimal('tokens_per_second', (s) => s.tokensPerSecond),
      decimal('active_positions_usd', (s) => s.activePositionsUsd),
    ],
  }),
  fields: {
    ...TIME_FIELDS,
    depositReserve: sideField('deposit_reserve_id'),
    borrowReserve: sideField('borrow_reserve_id'),
    market: addressField('market_id'),
    rewardMint: addressField('reward_mint_id'),
    source: textField('source'),
    apy: optionalMeanField('apy'),
    tokensPerSecond: decimalField('tokens_per_second'),
    activePositionsUsd: optionalDecimalField('active_positions_usd'),
  },
};
