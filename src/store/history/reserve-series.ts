import type { Rational } from '../../numeric/rational.ts';
import {
  bigint,
  configId,
  decimal,
  decimals,
  mean,
  optionalMean,
  seriesTable,
  subject,
  subjects,
} from './columns.ts';
import {
  bigintOf,
  decimalOf,
  decimalsOf,
  instantOf,
  integerOf,
  meanOf,
  optionalDecimalOf,
  optionalMeanOf,
} from './rows.ts';
import type { ReserveSample } from './samples.ts';
import type { PointTime, Series } from './series.ts';
import { rewardsOf } from './vault-series.ts';

/** A bucket of a reserve: both yields, the three totals and `meanPriceUsd` are means, the rest is its last value. */
export interface ReservePoint extends PointTime, Omit<ReserveSample, 'reserve'> {
  /** Over the samples that had a price; null when none had. */
  readonly meanPriceUsd: Rational | null;
}

export const RESERVE_SERIES: Series<ReservePoint> = {
  table: seriesTable<ReserveSample>({
    name: 'reserve_point',
    samplesIn: ({ reserves }) => reserves,
    addressesOf: ({ reserve, rewards }) => [reserve, ...rewards.map(({ mint }) => mint)],
    configOf: ({ reserve, config }) => [reserve, config],
    named: ['reward_mint_ids'],
    columns: [
      subject('reserve_id', 'key', (s) => s.reserve),
      configId('config_id', (s) => [s.reserve, s.config]),
      mean('borrow_apy', (s) => s.borrowApy),
      mean('supply_apy', (s) => s.supplyApy),
      mean('total_supply', (s) => s.totalSupply),
      mean('total_borrows', (s) => s.totalBorrows),
      mean('total_liquidity', (s) => s.totalLiquidity),
      ...optionalMean<ReserveSample>('price_usd', (s) => s.priceUsd),
      decimal('price_usd', (s) => s.priceUsd),
      decimal('exchange_rate', (s) => s.exchangeRate),
      decimal('cumulative_borrow_rate', (s) => s.cumulativeBorrowRate),
      decimal('mint_total_supply', (s) => s.mintTotalSupply),
      decimal('accumulated_protocol_fees', (s) => s.accumulatedProtocolFees),
      decimal('borrow_outside_group', (s) => s.borrowOutsideGroup),
      decimals('borrowed_in_groups', (s) => s.borrowedInGroups),
      bigint('borrow_limit_crossed_at', (s) => s.borrowLimitCrossedAt),
      bigint('deposit_limit_crossed_at', (s) => s.depositLimitCrossedAt),
      subjects('reward_mint_ids', (s) => s.rewards.map(({ mint }) => mint)),
      decimals('reward_apys', (s) => s.rewards.map(({ apy }) => apy)),
    ],
  }),
  read: (row, names) => ({
    bucket: instantOf(row, 'bucket'),
    samples: integerOf(row, 'samples'),
    slot: bigintOf(row, 'slot'),
    sampledAt: instantOf(row, 'sampled_at'),
    config: names.configOf(integerOf(row, 'config_id')),
    borrowApy: meanOf(row, 'borrow_apy'),
    supplyApy: meanOf(row, 'supply_apy'),
    totalSupply: meanOf(row, 'total_supply'),
    totalBorrows: meanOf(row, 'total_borrows'),
    totalLiquidity: meanOf(row, 'total_liquidity'),
    meanPriceUsd: optionalMeanOf(row, 'price_usd'),
    priceUsd: optionalDecimalOf(row, 'price_usd'),
    exchangeRate: decimalOf(row, 'exchange_rate'),
    cumulativeBorrowRate: optionalDecimalOf(row, 'cumulative_borrow_rate'),
    mintTotalSupply: decimalOf(row, 'mint_total_supply'),
    accumulatedProtocolFees: decimalOf(row, 'accumulated_protocol_fees'),
    borrowOutsideGroup: decimalOf(row, 'borrow_outside_group'),
    borrowedInGroups: decimalsOf(row, 'borrowed_in_groups'),
    borrowLimitCrossedAt: bigintOf(row, 'borrow_limit_crossed_at'),
    depositLimitCrossedAt: bigintOf(row, 'deposit_limit_crossed_at'),
    rewards: rewardsOf(row, names),
  }),
};
