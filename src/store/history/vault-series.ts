import { decimalsOf, integersOf, type Row, refuse } from '../rows.ts';
import { decimal, decimals, integer, mean, optionalMean, seriesTable, subject, subjects } from './columns.ts';
import {
  decimalField,
  meanField,
  optionalDecimalField,
  optionalIntegerField,
  optionalMeanField,
  TIME_FIELDS,
} from './point-fields.ts';
import type { SampledReward, VaultSample } from './samples.ts';
import type { Names, PointTime, Series } from './series.ts';

/** A bucket of a vault: the five yields are means, everything else is the last value. */
export interface VaultPoint extends PointTime, Omit<VaultSample, 'vault'> {}

export const REWARD_COLUMNS: readonly string[] = ['reward_mint_ids', 'reward_apys'];

export const VAULT_SERIES: Series<VaultPoint> = {
  table: seriesTable<VaultSample>({
    name: 'vault_point',
    samplesIn: ({ vaults }) => vaults,
    addressesOf: ({ vault, allocations, rewards }) => [
      vault,
      ...allocations.map(({ reserve }) => reserve),
      ...rewards.map(({ mint }) => mint),
    ],
    named: ['allocation_reserve_ids', 'reward_mint_ids'],
    columns: [
      subject('vault_id', 'key', (s) => s.vault),
      decimal('tvl_tokens', (s) => s.tvlTokens),
      decimal('tvl_usd', (s) => s.tvlUsd),
      decimal('tvl_sol', (s) => s.tvlSol),
      decimal('tokens_per_share', (s) => s.tokensPerShare),
      decimal('token_price_usd', (s) => s.tokenPriceUsd),
      decimal('share_price_usd', (s) => s.sharePriceUsd),
      decimal('shares_issued', (s) => s.sharesIssued),
      mean('apy_actual', (s) => s.apyActual),
      ...optionalMean<VaultSample>('apy_theoretical', (s) => s.apyTheoretical),
      mean('apy_farm_rewards', (s) => s.apyFarmRewards),
      mean('apy_incentives', (s) => s.apyIncentives),
      mean('apy_reserves_incentives', (s) => s.apyReservesIncentives),
      decimal('interest', (s) => s.interest),
      decimal('interest_usd', (s) => s.interestUsd),
      decimal('interest_sol', (s) => s.interestSol),
      decimal('interest_per_second', (s) => s.interestPerSecond),
      decimal('performance_fees', (s) => s.performanceFees),
      decimal('management_fees', (s) => s.managementFees),
      integer('holders', (s) => s.holders),
      subjects('allocation_reserve_ids', (s) => s.allocations.map(({ reserve }) => reserve)),
      decimals('allocation_ratios', (s) => s.allocations.map(({ ratio }) => ratio)),
      subjects('reward_mint_ids', (s) => s.rewards.map(({ mint }) => mint)),
      decimals('reward_apys', (s) => s.rewards.map(({ apy }) => apy)),
    ],
  }),
  fields: {
    ...TIME_FIELDS,
    tvlTokens: optionalDecimalField('tvl_tokens'),
    tvlUsd: optionalDecimalField('tvl_usd'),
    tvlSol: optionalDecimalField('tvl_sol'),
    tokensPerShare: optionalDecimalField('tokens_per_share'),
    tokenPriceUsd: optionalDecimalField('token_price_usd'),
    sharePriceUsd: optionalDecimalField('share_price_usd'),
    sharesIssued: optionalDecimalField('shares_issued'),
    apyActual: meanField('apy_actual'),
    apyTheoretical: optionalMeanField('apy_theoretical'),
    apyFarmRewards: meanField('apy_farm_rewards'),
    apyIncentives: meanField('apy_incentives'),
    apyReservesIncentives: meanField('apy_reserves_incentives'),
    interest: decimalField('interest'),
    interestUsd: optionalDecimalField('interest_usd'),
    interestSol: optionalDecimalField('interest_sol'),
    interestPerSecond: optionalDecimalField('interest_per_second'),
    performanceFees: optionalDecimalField('performance_fees'),
    managementFees: optionalDecimalField('management_fees'),
    holders: optionalIntegerField('holders'),
    allocations: { columns: ['allocation_reserve_ids', 'allocation_ratios'], read: allocationsOf },
    rewards: { columns: REWARD_COLUMNS, read: rewardsOf },
  },
};

function allocationsOf(row: Row, names: Names): VaultSample['allocations'] {
  const ratios = decimalsOf(row, 'allocation_ratios');
  return integersOf(row, 'allocation_reserve_ids').map((id, index) => ({
    reserve: names.addressOf(id),
    ratio: ratios[index] ?? refuse(row, 'allocation_ratios', 'one ratio per reserve'),
  }));
}

/** Vaults and reserves store rewards in the same columns. */
export function rewardsOf(row: Row, names: Names): readonly SampledReward[] {
  const apys = decimalsOf(row, 'reward_apys');
  return integersOf(row, 'reward_mint_ids').map((id, index) => ({
    mint: names.addressOf(id),
    apy: apys[index] ?? refuse(row, 'reward_apys', 'one yield per reward'),
  }));
}
