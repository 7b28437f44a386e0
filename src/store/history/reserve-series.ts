import { ELEVATION_GROUPS } from '@sluice/protocol/klend/lending-market';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { integerOf } from '../rows.ts';
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
  trimmedDecimals,
} from './columns.ts';
import {
  bigintField,
  decimalField,
  meanField,
  optionalDecimalField,
  optionalMeanField,
  TIME_FIELDS,
  trimmedDecimalsField,
} from './point-fields.ts';
import type { ReserveSample } from './samples.ts';
import type { PointTime, Series } from './series.ts';
import { REWARD_COLUMNS, rewardsOf } from './vault-series.ts';

/**
 * A bucket of a reserve. Both yields, the three totals and `meanPriceUsd` are means; the rest are last
 * values.
 */
export interface ReservePoint extends PointTime, Omit<ReserveSample, 'reserve' | 'meanPriceUsd'> {
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
      ...optionalMean<ReserveSample>('price_usd', (s) => s.meanPriceUsd ?? s.priceUsd),
      decimal('price_usd', (s) => s.priceUsd),
      decimal('exchange_rate', (s) => s.exchangeRate),
      decimal('cumulative_borrow_rate', (s) => s.cumulativeBorrowRate),
      decimal('mint_total_supply', (s) => s.mintTotalSupply),
      decimal('accumulated_protocol_fees', (s) => s.accumulatedProtocolFees),
      decimal('borrow_outside_group', (s) => s.borrowOutsideGroup),
      trimmedDecimals('borrowed_in_groups', (s) => s.borrowedInGroups),
      bigint('borrow_limit_crossed_at', (s) => s.borrowLimitCrossedAt),
      bigint('deposit_limit_crossed_at', (s) => s.depositLimitCrossedAt),
      subjects('reward_mint_ids', (s) => s.rewards.map(({ mint }) => mint)),
      decimals('reward_apys', (s) => s.rewards.map(({ apy }) => apy)),
    ],
  }),
  fields: {
    ...TIME_FIELDS,
    config: { columns: ['config_id'], read: (row, names) => names.configOf(integerOf(row, 'config_id')) },
    borrowApy: meanField('borrow_apy'),
    supplyApy: meanField('supply_apy'),
    totalSupply: meanField('total_supply'),
    totalBorrows: meanField('total_borrows'),
    totalLiquidity: meanField('total_liquidity'),
    meanPriceUsd: optionalMeanField('price_usd'),
    priceUsd: optionalDecimalField('price_usd'),
    exchangeRate: decimalField('exchange_rate'),
    cumulativeBorrowRate: optionalDecimalField('cumulative_borrow_rate'),
    mintTotalSupply: decimalField('mint_total_supply'),
    accumulatedProtocolFees: decimalField('accumulated_protocol_fees'),
    borrowOutsideGroup: decimalField('borrow_outside_group'),
    borrowedInGroups: trimmedDecimalsField('borrowed_in_groups', ELEVATION_GROUPS),
    borrowLimitCrossedAt: bigintField('borrow_limit_crossed_at'),
    depositLimitCrossedAt: bigintField('deposit_limit_crossed_at'),
    rewards: { columns: REWARD_COLUMNS, read: rewardsOf },
  },
};
