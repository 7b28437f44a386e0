import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { MARKET_SERIES } from '../../store/history/market-series.ts';
import { RESERVE_SERIES } from '../../store/history/reserve-series.ts';
import type { SampledReward, Snapshot } from '../../store/history/samples.ts';
import { VAULT_SERIES } from '../../store/history/vault-series.ts';

export type Kind = 'market' | 'reserve' | 'vault';

export const TABLE_OF_KIND = {
  market: MARKET_SERIES.table,
  reserve: RESERVE_SERIES.table,
  vault: VAULT_SERIES.table,
} as const;

/** A market, reserve or vault whose history is imported. */
export type ImportSubject = {
  readonly address: Address;
  /** Path of its history. */
  readonly path: string;
} & ({ readonly kind: 'market' | 'vault' } | { readonly kind: 'reserve'; readonly market: Address });

/** A bucket as returned by the other deployment. */
export interface SourcePoint {
  /** Start of the bucket. */
  readonly bucket: Date;
  readonly sample: Partial<Pick<Snapshot, 'vaults' | 'reserves' | 'markets'>>;
  /** Only for a vault: the yields of its reserves in this bucket. */
  readonly reserveYields: readonly ReserveYield[];
}

/**
 * A reserve's exact yield, where its own history only has a JSON number, and its rewards, which are nowhere
 * else.
 */
export interface ReserveYield {
  readonly reserve: Address;
  readonly supplyApy: Rational;
  readonly rewards: readonly SampledReward[];
}
