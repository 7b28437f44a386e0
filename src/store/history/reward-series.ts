import type { Address } from '@solana/kit';
import { decimal, optionalMean, seriesTable, subject, text } from './columns.ts';
import {
  bigintOf,
  decimalOf,
  instantOf,
  integerOf,
  optionalDecimalOf,
  optionalMeanOf,
  type Row,
  textOf,
} from './rows.ts';
import type { RewardSample } from './samples.ts';
import type { Names, PointTime, Series } from './series.ts';

/** A bucket of a campaign: `apy` is the mean over the samples that knew it, the rest is its last value. */
export interface RewardPoint extends PointTime, RewardSample {}

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
  read: (row, names) => ({
    bucket: instantOf(row, 'bucket'),
    samples: integerOf(row, 'samples'),
    slot: bigintOf(row, 'slot'),
    sampledAt: instantOf(row, 'sampled_at'),
    depositReserve: sideOf(row, 'deposit_reserve_id', names),
    borrowReserve: sideOf(row, 'borrow_reserve_id', names),
    market: names.addressOf(integerOf(row, 'market_id')),
    rewardMint: names.addressOf(integerOf(row, 'reward_mint_id')),
    source: textOf(row, 'source'),
    apy: optionalMeanOf(row, 'apy'),
    tokensPerSecond: decimalOf(row, 'tokens_per_second'),
    activePositionsUsd: optionalDecimalOf(row, 'active_positions_usd'),
  }),
};

function sideOf(row: Row, column: string, names: Names): Address | null {
  const id = integerOf(row, column);
  return id === 0 ? null : names.addressOf(id);
}
